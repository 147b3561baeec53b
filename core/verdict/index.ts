import * as z from "zod";
import { answered, Quantity, result, unavailable } from "../chain/call.ts";
import { type Address, lower, toAddress } from "../chain/hex.ts";
import { Receipt, windowSize, windowsOf } from "../chain/receipt.ts";
import { AppError } from "../error.ts";
import type { Chain, RpcOutcome, Signer } from "../port/chain.ts";
import { type Clock, type Ids, poll } from "../port/clock.ts";
import type { Settings } from "../port/settings.ts";
import type { PressItem } from "../record/press.ts";
import type { TransactionItem } from "../record/relayer.ts";
import {
  accountOf,
  broadcast,
  feeCap,
  freeRelayer,
  gasLimitsOf,
  landedIn,
  nonceOf,
  readTransaction,
  receiptCalls,
  relayerCalls,
  relayerIn,
  renew,
  signAs,
  valueOfWei,
} from "../relayer/index.ts";
import type { Table } from "../table.ts";
import {
  busy,
  end,
  type Key,
  type Posted,
  type Posting,
  readVerdict,
  releaseKey,
  type SentVerdict,
  storeSent,
  takeKey,
} from "./record.ts";
import {
  FeedbackLog,
  feedbackCalldata,
  feedbackHashIn,
  feedbackOn,
  feedbackTopics,
  hashOf,
  lastIndexCalldata,
  reportOf,
  revertText,
} from "./report.ts";
import type { VerdictOrder } from "./schema.ts";

export type { Posting } from "./record.ts";
export { latestReport, publishedReport } from "./report.ts";

/** What posting a verdict needs of the outside. */
export type VerdictPorts = {
  readonly table: Table;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly settings: Settings;
  readonly chain: Chain;
  /** One key: the auditor's. */
  readonly auditor: Signer;
};

/** What the registry says to an agent's owner, approved address or operator. */
const selfFeedback = "Self-feedback not allowed";

/**
 * Posts the audit of a live press through the reputation registry, once, and sets its `auditTx` (design §2). The same
 * message again finds what was done and goes on from there, wherever the last run ended: an agent never gets two
 * verdicts. `refused` when the registry takes the auditor for the agent's own, which its owner can bring about.
 *
 * Throws `upstream` when something is not to be had right now (the key, its gas, the chain, a confirmation): the queue
 * then delivers the message again.
 */
export async function post(ports: VerdictPorts, { id }: VerdictOrder): Promise<Posting> {
  const [address] = await ports.auditor.addresses();
  if (address === undefined) throw new Error("The auditor has no key");
  const known = await postedOrSent(ports, address, id);
  if (known !== undefined) return known;
  const key = await waitForKey(ports, address);
  let stored: Awaited<ReturnType<typeof storeSent>> | undefined;
  try {
    // Another run may have been here while this one waited.
    const since = await postedOrSent(ports, address, id);
    if (since !== undefined) return since;
    const begun = await signAndStore(ports, key, id);
    if ("status" in begun) return begun;
    stored = begun;
  } finally {
    if (stored === undefined) await releaseKey(ports, key);
  }
  return send(ports, stored.sent, stored.transaction);
}

/** The verdict on a press that the table knows of, brought to its end if it is under way; `undefined` where it is to be posted. */
async function postedOrSent(ports: VerdictPorts, address: Address, id: number): Promise<Posting | undefined> {
  const { auditTx } = await livePress(ports, id);
  if (auditTx !== undefined) return posted(auditTx);
  const verdict = await readVerdict(ports, id);
  if (verdict?.state !== "sent") return undefined;
  if (verdict.auditor !== address) {
    throw new Error(`The verdict on press ${id} is under way from ${verdict.auditor}`);
  }
  return resume(ports, { ...verdict, id });
}

/** Milliseconds between tries for the key, and how many tries one message makes. */
const pauseMs = 100;
const tries = 60;

/** Takes the auditor's key, or waits a while for it. What a lapsed lease has in flight is ended first, of whatever press. */
async function waitForKey(ports: VerdictPorts, address: Address): Promise<Key> {
  const key = await poll(ports.clock, { tries, pauseMs }, async () => {
    const { data } = await ports.table.entities.relayer.get({ address }).go({ consistent: true });
    const free = await freeRelayer(ports, data === null ? [] : [data], {
      addresses: [address],
      preferred: address,
      clear: (lease) => clearLapsed(ports, lease),
    });
    return free === undefined ? undefined : takeKey(ports, free);
  });
  if (key === undefined) throw busy(new Error("The auditor's key is held"));
  return key;
}

async function clearLapsed(ports: VerdictPorts, lease: string): Promise<void> {
  const transaction = await readTransaction(ports, lease);
  if (transaction?.state !== "stored" || transaction.verdict === undefined) return;
  const verdict = await readVerdict(ports, transaction.verdict);
  if (verdict?.state !== "sent" || verdict.transaction !== lease) {
    throw new Error(`The auditor has lost its verdict on press ${transaction.verdict}`);
  }
  await resume(ports, { ...verdict, id: transaction.verdict });
}

/** Asks the registry, signs, and stores what will be broadcast. A posting, where the registry has spoken already, or will not. */
async function signAndStore(
  ports: VerdictPorts,
  key: Key,
  id: number,
): Promise<Posting | Awaited<ReturnType<typeof storeSent>>> {
  const { address } = key;
  const [press, report] = await Promise.all([livePress(ports, id), reportOf(ports, id)]);
  const feedback = feedbackOn(ports.settings, press, report, address);
  const { agentId, file } = feedback;
  const call = { to: ports.settings.contracts.reputationRegistry, data: feedbackCalldata(feedback) };
  const [count, balance, price, index, estimate] = await ports.chain.batch([
    ...relayerCalls(address),
    { method: "eth_gasPrice", params: [] },
    lastIndexCall(ports, agentId, address),
    { method: "eth_estimateGas", params: [{ from: address, ...call }] },
  ]);
  const about = { id, auditor: address, file };
  const spoken = result(index, Quantity);
  const said = spoken > 0n ? await findPosted(ports, about, agentId, spoken) : undefined;
  const gas = gasIn(estimate);
  if (said !== undefined) {
    return ended(ports, about, postedBy(said), { key, booked: bookedOn(ports, press, said) });
  }
  if (gas === undefined) return ended(ports, about, refusedAsOwn, { key });
  const gasPrice = result(price, Quantity);
  const { maxPrice } = gasLimitsOf(ports.settings);
  if (gasPrice > maxPrice) throw unavailable(`gas costs ${gasPrice} wei, more than ${maxPrice}`);
  const known = relayerIn(address, [count, balance]);
  if (known.balance < feeCap({ gas, gasPrice, maxPrice })) throw withoutGas(address);
  const nonce = nonceOf(key, known.nonce);
  const signed = await signAs(outbox(ports), address, { ...call, nonce, gas, gasPrice });
  return storeSent(ports, key, about, signed);
}

const refusedAsOwn: Posting = { status: "refused", reason: selfFeedback };

/** The outbox of the auditor's one key. */
function outbox(ports: VerdictPorts) {
  return { ...ports, relayers: ports.auditor };
}

/** Gas units, `undefined` for a refusal of the registry. Any other revert tells of a node that lags behind the mint. */
function gasIn(estimate: RpcOutcome | undefined): bigint | undefined {
  const answer = answered(estimate);
  if (answer.status === "ok") return result(estimate, Quantity);
  const reason = revertText(answer.data) ?? answer.message;
  if (reason.includes(selfFeedback)) return undefined;
  throw unavailable(`the verdict would revert: ${reason}`);
}

/**
 * Brings a verdict that is under way to its end: by a receipt, by the registry's own log, or by sending it again. One that pays
 * too little, or whose nonce something else has used, is replaced by one that can land. Throws `upstream` when the chain cannot
 * say, or `verdict_pending` when it has not got it yet.
 */
async function resume(ports: VerdictPorts, sent: SentVerdict): Promise<Posting> {
  const [press, transaction] = await Promise.all([
    livePress(ports, sent.id),
    readTransaction(ports, sent.transaction),
  ]);
  if (transaction === undefined) throw new Error(`The outbox has lost its transaction ${sent.transaction}`);
  const agentId = BigInt(press.pressId);
  const asked = lastIndexCall(ports, agentId, sent.auditor);
  const [index, ...mined] = await ports.chain.batch([asked, ...receiptCalls(transaction)]);
  const receipt = landedIn(transaction, mined);
  if (receipt !== undefined) return conclude(ports, sent, transaction, receipt);
  const spoken = result(index, Quantity);
  const said = spoken > 0n ? await findPosted(ports, sent, agentId, spoken) : undefined;
  if (said !== undefined) return conclude(ports, sent, transaction, said);
  // Whatever has used its nonce since is seen here: nothing but that keeps a verdict from being said twice.
  const isOver = (outcome: RpcOutcome | undefined) => result(outcome, Quantity) > spoken;
  const next = await renew(outbox(ports), transaction, { call: asked, isOver });
  if (next === undefined) throw pending(transaction);
  return send(ports, sent, next);
}

/** Sends a stored verdict, for the first time or again, and ends it by its receipt. Throws `upstream` `verdict_pending` without one. */
async function send(ports: VerdictPorts, sent: SentVerdict, stored: TransactionItem): Promise<Posting> {
  const { receipt, transaction } = await broadcast(outbox(ports), stored);
  if (receipt === undefined) throw pending(transaction);
  if (receipt !== "rejected") return conclude(ports, sent, transaction, receipt);
  const reason = `The sequencer has rejected the transaction ${transaction.hashes[0]}`;
  return ended(ports, sent, { status: "refused", reason }, { transaction, landed: undefined });
}

/**
 * Ends a verdict by the receipt of one of its transactions. Throws `upstream` `verdict_reverted` for one that was
 * reverted: the next run asks the registry anew, and hears why.
 */
async function conclude(
  ports: VerdictPorts,
  sent: SentVerdict,
  transaction: TransactionItem,
  receipt: Receipt,
): Promise<Posting> {
  const { status, transactionHash: landed } = receipt;
  const press = await livePress(ports, sent.id);
  const along = { transaction, landed, booked: bookedOn(ports, press, receipt) };
  if (status === "0x1") return ended(ports, sent, postedBy(receipt), along);
  const reason = `The transaction ${landed} was reverted`;
  await ended(ports, sent, { status: "refused", reason }, along);
  throw new AppError("upstream", "verdict_reverted", reason);
}

/** A verdict has no fee: its gas is on the account of whoever published the press. */
function bookedOn(
  { settings, clock }: VerdictPorts,
  { publisher }: PressItem,
  { gasUsed, effectiveGasPrice = 0n }: Receipt,
) {
  const cost = valueOfWei(gasUsed * effectiveGasPrice, gasLimitsOf(settings).ethPrice);
  return { account: accountOf(publisher, clock.now()), cost };
}

function postedBy({ transactionHash: txHash }: Receipt): Posted {
  return { status: "posted", txHash };
}

/** Ends it, or finds how another run has. Throws `upstream` `auditor_busy` when that does not show yet. */
async function ended(
  ports: VerdictPorts,
  about: Parameters<typeof end>[1],
  posting: Posting,
  along: Parameters<typeof end>[3],
): Promise<Posting> {
  const done = await end(ports, about, posting, along);
  if (done !== undefined) return done;
  const { auditTx } = await livePress(ports, about.id);
  if (auditTx === undefined) throw busy(new Error("Another run is at work on the verdict"));
  return posted(auditTx);
}

/** Asks how often the auditor has spoken of an agent: 0 for never. */
function lastIndexCall({ settings }: Pick<VerdictPorts, "settings">, agentId: bigint, auditor: string) {
  const to = settings.contracts.reputationRegistry;
  return {
    method: "eth_call",
    params: [{ to, data: lastIndexCalldata(agentId, toAddress(auditor)) }, "latest"],
  };
}

/** Windows of blocks that one batch asks for the logs of: providers refuse more than 20 calls. */
const windowsAtOnce = 20;

/**
 * The receipt of the auditor's word on this very report, if the registry has logged it since the press was minted. `spoken` is
 * how often it has spoken of the agent: each time left a log. Throws `upstream` for a node that does not show all of them.
 */
async function findPosted(
  ports: VerdictPorts,
  { id, auditor, file }: { readonly id: number; readonly auditor: string; readonly file: string },
  agentId: bigint,
  spoken: bigint,
): Promise<Receipt | undefined> {
  const { chain, settings } = ports;
  const { mintTx = null } = await livePress(ports, id);
  const [minted, height] = await chain.batch([
    { method: "eth_getTransactionReceipt", params: [mintTx] },
    { method: "eth_blockNumber", params: [] },
  ]);
  const head = result(height, Quantity);
  const topics = feedbackTopics(agentId, toAddress(auditor));
  const about = { address: settings.contracts.reputationRegistry, topics };
  const feedbackHash = hashOf(file);
  let seen = 0n;
  let start = result(minted, Receipt).blockNumber;
  while (seen < spoken && start <= head) {
    const windows = windowsOf(start, head, windowsAtOnce);
    const answers = await chain.batch(
      windows.map((window) => ({ method: "eth_getLogs", params: [{ ...about, ...window }] })),
    );
    const logs = windows.flatMap((_, index) => result(answers[index], z.array(FeedbackLog)));
    const found = logs.find((log) => feedbackHashIn(log) === feedbackHash);
    if (found !== undefined) {
      const [mined] = await chain.batch([
        { method: "eth_getTransactionReceipt", params: [found.transactionHash] },
      ]);
      return result(mined, Receipt);
    }
    seen += BigInt(logs.length);
    start += windowSize * BigInt(windowsAtOnce);
  }
  // To take a late node's word would post the verdict a second time.
  if (seen < spoken) throw unavailable("a node that does not show the auditor's feedback yet");
  return undefined;
}

type LivePress = PressItem & { readonly pressId: number; readonly auditTx?: string | undefined };

async function livePress({ table }: VerdictPorts, id: number): Promise<LivePress> {
  const { data: press } = await table.entities.press.get({ id }).go({ consistent: true });
  if (press?.status !== "live" || press.pressId === undefined) {
    throw new Error(`A verdict was ordered on press ${id}, which is not live`);
  }
  return { ...press, pressId: press.pressId };
}

function posted(auditTx: string): Posted {
  return { status: "posted", txHash: lower(`0x${auditTx.slice(2)}`) };
}

function pending({ hashes }: TransactionItem): AppError {
  return new AppError("upstream", "verdict_pending", "The verdict was sent and is not confirmed yet.", {
    details: { transaction: hashes[0] ?? "" },
  });
}

function withoutGas(address: Address): AppError {
  return new AppError("upstream", "auditor_without_gas", `The auditor's wallet ${address} has no gas left.`);
}
