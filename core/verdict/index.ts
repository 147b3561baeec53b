import * as z from "zod";
import { getResult, makeChainError, makeContractCall, Quantity, requireAnswer } from "../chain/call.ts";
import { type Address, lower, toAddress } from "../chain/hex.ts";
import { ChainLog, Receipt, splitBlocks, windowSize } from "../chain/receipt.ts";
import { AppError } from "../error.ts";
import * as Gas from "../gas/index.ts";
import type { RpcOutcome, Signer } from "../port/chain.ts";
import type { AllPorts } from "../ports.ts";
import type { PressItem } from "../record/press.ts";
import { claimTime, type TransactionItem } from "../record/relayer.ts";
import {
  findTx,
  type Intent,
  type IntentOutcome,
  prepareGasQuote,
  type Records,
  readItemsWithKeys,
  resendTx,
  sendIntent,
} from "../relayer/index.ts";
import { commit } from "../transact.ts";
import {
  endVerdict,
  makeBusyError,
  makeSendWrites,
  type PostedVerdict,
  type PostingKey,
  readVerdict,
  releaseKey,
  type SentVerdict,
  type VerdictEnd,
} from "./record.ts";
import {
  decodeFeedbackHash,
  encodeLastIndex,
  encodeTopics,
  hashFile,
  loadReport,
  makeFeedback,
  readRevertMessage,
} from "./report.ts";
import type { VerdictMessage } from "./schema.ts";

export type { VerdictEnd } from "./record.ts";
export { readLatestReport, readPublishedReport } from "./report.ts";

export type VerdictPorts = Pick<AllPorts, "table" | "clock" | "ids" | "settings" | "chain"> & {
  /** The auditor's key. */
  readonly auditor: Signer;
};

/** The error with which the registry refuses feedback from an agent's owner, approved address or operator. */
const selfFeedback = "Self-feedback not allowed";

/**
 * Posts the audit of a live press to the reputation registry once, and sets the press's `auditTx` (design §2). If the message is repeated,
 * the function continues at the point where the last run ended, so that an agent never gets two verdicts. The result is `refused` if the
 * registry treats the auditor as the agent's owner or operator. The agent's owner can cause the result `refused`, for example by making the
 * auditor an operator. Throws `upstream` if the key, its gas, the chain or a confirmation is not available now. After this error, the queue
 * delivers the message again.
 */
export async function post(ports: VerdictPorts, { id }: VerdictMessage): Promise<VerdictEnd> {
  const [address] = await ports.auditor.addresses();
  if (address === undefined) throw new Error("The auditor has no key");
  const known = await findOrFinish(ports, address, id);
  if (known !== undefined) return known;
  const { keys } = await readItemsWithKeys(makeOutbox(ports), []);
  return sendIntent(makeOutbox(ports), makeRecords(ports, address, id), { keys, preferred: address });
}

/**
 * A verdict is sent in a separate transaction. In a shared transaction, the registry would name the calling contract, and not the auditor,
 * as the author of the verdict.
 */
function makeRecords(
  ports: VerdictPorts,
  auditor: Address,
  id: number,
): Records<PostingKey, SentVerdict, VerdictEnd> {
  let file = "";
  return {
    async claim(lease) {
      const now = ports.clock.now();
      const key = { claim: ports.ids.uuid(), claimUntil: now + claimTime, relayer: auditor };
      const taken = await commit(ports, (entities) => ({ key: lease?.write(entities, key, now) }));
      return taken.done ? { kind: "claimed", item: key } : { kind: "key_taken" };
    },
    async makeIntent(key) {
      // Another run may have posted the same verdict meanwhile.
      const since = await findOrFinish(ports, auditor, id);
      if (since !== undefined) {
        await releaseKey(ports, key);
        return { ending: since };
      }
      const asked = await askRegistry(ports, key, id);
      if ("ending" in asked) return asked;
      file = asked.file;
      return asked;
    },
    nameOf: () => String(id),
    stored: (entities, _, { transaction }) =>
      makeSendWrites(ports, entities, { id, auditor, file, transaction }),
    release: (key) => releaseKey(ports, key),
    land: (sent, landing) => endByOutcome(ports, sent, landing),
    async handleUnsent(why, cause) {
      if (why === "no_gas") throw makeGasError(auditor);
      throw why === "unsigned"
        ? cause
        : makeBusyError(new Error(`The auditor's key is in use, or was in use: ${why}`));
    },
    follow: () => Promise.reject(makeBusyError(new Error("Another run may have sent the verdict"))),
    async isTransactionAwaited({ id: lease, intents: [name] }) {
      const verdict = await readVerdict(ports, Number(name));
      if (verdict?.state !== "sent" || verdict.transaction !== lease) {
        throw new Error(`The auditor has lost its verdict on press ${name}`);
      }
      await resume(ports, { ...verdict, id: Number(name) });
      return false;
    },
  };
}

/**
 * Returns the final state of the verdict on a live press, or `undefined` if the verdict must still be posted. If a verdict is in progress,
 * it is finished before the function returns.
 */
async function findOrFinish(
  ports: VerdictPorts,
  address: Address,
  id: number,
): Promise<VerdictEnd | undefined> {
  const { auditTx } = await requireLivePress(ports, id);
  if (auditTx !== undefined) return toVerdict(auditTx);
  const verdict = await readVerdict(ports, id);
  if (verdict?.state !== "sent") return undefined;
  if (verdict.auditor !== address) {
    throw new Error(`The verdict on press ${id} is already being sent by the auditor ${verdict.auditor}`);
  }
  return resume(ports, { ...verdict, id });
}

/**
 * Asks the registry for the facts that are needed to sign a verdict. Ends the verdict without a transaction if the verdict is already
 * posted or refused.
 */
async function askRegistry(
  ports: VerdictPorts,
  key: PostingKey,
  id: number,
): Promise<{ readonly ending: VerdictEnd } | (Intent & { readonly file: string })> {
  const address = toAddress(key.relayer);
  const [press, report] = await Promise.all([requireLivePress(ports, id), loadReport(ports, id)]);
  const { agentId, file, data } = makeFeedback(ports.settings, press, report, address);
  const call = { to: ports.settings.contracts.reputationRegistry, data };
  const { keys } = await readItemsWithKeys(makeOutbox(ports), []);
  const quote = prepareGasQuote(makeOutbox(ports), keys);
  if (quote === undefined) throw new Error("The auditor has no key");
  const [index, estimate, ...quoted] = await ports.chain.batch([
    makeVerdictCountCall(ports, agentId, address),
    { method: "eth_estimateGas", params: [{ from: address, ...call }] },
    ...quote.calls,
  ]);
  const about = { id, auditor: address, file };
  const spoken = getResult(index, Quantity);
  const said = spoken > 0n ? await findReceipt(ports, about, agentId, spoken) : undefined;
  const gas = parseGas(estimate);
  if (said !== undefined) {
    const booked = selectGasAccount(ports, press, said);
    return { ending: await finishVerdict(ports, about, makeVerdict(said), { key, booked }) };
  }
  if (gas === undefined) return { ending: await finishVerdict(ports, about, refusedAsOwn, { key }) };
  const { gasPrice, relayer: asked } = quote.parseQuote(quoted);
  const { maxPrice } = Gas.readGasLimits(ports.settings);
  if (gasPrice > maxPrice) throw makeChainError(`gas costs ${gasPrice} wei, more than ${maxPrice}`);
  return { call, gas, gasPrice, asked, file };
}

const refusedAsOwn: VerdictEnd = { status: "refused", reason: selfFeedback };

/** The outbox of the auditor's key. */
function makeOutbox(ports: VerdictPorts) {
  return { ...ports, relayers: ports.auditor };
}

/**
 * The estimated gas units, or `undefined` if the registry refuses the auditor. If the registry reverts the call for a reason other than its
 * refusal of the auditor, the node has not seen the mint yet.
 */
function parseGas(estimate: RpcOutcome | undefined): bigint | undefined {
  const answer = requireAnswer(estimate);
  if (answer.status === "ok") return getResult(estimate, Quantity);
  const reason = readRevertMessage(answer.data) ?? answer.message;
  if (reason.includes(selfFeedback)) return undefined;
  throw makeChainError(`the verdict would revert: ${reason}`);
}

/**
 * Finishes a verdict in progress. The function takes the outcome from the transaction's receipt or from the registry's logs. If there is no
 * receipt and no log, the transaction is sent again. A transaction is replaced if its price is too low, or if another transaction has used
 * its nonce. Throws `upstream` if the chain does not answer, or `verdict_pending` (`upstream`) if the transaction is not mined yet.
 */
async function resume(ports: VerdictPorts, sent: SentVerdict): Promise<VerdictEnd> {
  const agentId = BigInt((await requireLivePress(ports, sent.id)).pressId);
  const asked = makeVerdictCountCall(ports, agentId, sent.auditor);
  const { transaction, receipt, answers } = await findTx(ports, sent.transaction, [asked]);
  const [index] = answers;
  if (receipt !== undefined) return endByReceipt(ports, sent, transaction, receipt);
  const spoken = getResult(index, Quantity);
  const said = spoken > 0n ? await findReceipt(ports, sent, agentId, spoken) : undefined;
  if (said !== undefined) return endByReceipt(ports, sent, transaction, said);
  // `isOver` reads the number of the auditor's verdicts again, together with the key's nonce. Without this repeated read of the number of
  // verdicts, the verdict could be posted twice.
  const isOver = (outcome: RpcOutcome | undefined) => getResult(outcome, Quantity) > spoken;
  const landing = await resendTx(makeOutbox(ports), sent.transaction, { call: asked, isOver });
  if (landing === undefined) throw makeUnconfirmedError(transaction);
  return endByOutcome(ports, sent, landing);
}

/** Ends a verdict according to the outcome of its transaction. Throws `verdict_pending` (`upstream`) while the outcome is unknown. */
async function endByOutcome(
  ports: VerdictPorts,
  sent: SentVerdict,
  landing: IntentOutcome,
): Promise<VerdictEnd> {
  const { transaction } = landing;
  if (landing.kind === "pending") throw makeUnconfirmedError(transaction);
  if (landing.kind === "landed") return endByReceipt(ports, sent, transaction, landing.receipt);
  const reason = `The sequencer has rejected the transaction ${transaction.hashes[0]}`;
  return finishVerdict(ports, sent, { status: "refused", reason }, { transaction, landed: undefined });
}

/**
 * Ends a verdict according to the receipt of one of its transactions. After a revert, throws `verdict_reverted` (`upstream`), and the next
 * run asks the registry for the reason.
 */
async function endByReceipt(
  ports: VerdictPorts,
  sent: SentVerdict,
  transaction: TransactionItem,
  receipt: Receipt,
): Promise<VerdictEnd> {
  const { status, transactionHash: landed } = receipt;
  const press = await requireLivePress(ports, sent.id);
  const along = { transaction, landed, booked: selectGasAccount(ports, press, receipt) };
  if (status === "0x1") return finishVerdict(ports, sent, makeVerdict(receipt), along);
  const reason = `The transaction ${landed} was reverted`;
  await finishVerdict(ports, sent, { status: "refused", reason }, along);
  throw new AppError("upstream", "verdict_reverted", reason);
}

/** A verdict earns no fee, so its gas is charged to the publisher's gas account. */
function selectGasAccount(
  { settings, clock }: VerdictPorts,
  { publisher }: PressItem,
  { gasUsed, effectiveGasPrice = 0n }: Receipt,
) {
  const cost = Gas.convertWei(gasUsed * effectiveGasPrice, Gas.readGasLimits(settings).ethPrice);
  return { account: Gas.makeAccount(publisher, clock.now()), cost };
}

function makeVerdict({ transactionHash: txHash }: Receipt): PostedVerdict {
  return { status: "posted", txHash };
}

/**
 * Ends the verdict, or reads how another run has ended the verdict. Throws `auditor_busy` (`upstream`) if the other run's record is not
 * visible yet.
 */
async function finishVerdict(
  ports: VerdictPorts,
  verdictKey: Parameters<typeof endVerdict>[1],
  posting: VerdictEnd,
  endCause: Parameters<typeof endVerdict>[3],
): Promise<VerdictEnd> {
  const done = await endVerdict(ports, verdictKey, posting, endCause);
  if (done !== undefined) return done;
  const { auditTx } = await requireLivePress(ports, verdictKey.id);
  if (auditTx === undefined) throw makeBusyError(new Error("Another run is working on the verdict"));
  return toVerdict(auditTx);
}

/** Reads from the registry the number of verdicts that the auditor has posted on an agent. */
function makeVerdictCountCall(
  { settings }: Pick<VerdictPorts, "settings">,
  agentId: bigint,
  auditor: string,
) {
  const data = encodeLastIndex(agentId, toAddress(auditor));
  return makeContractCall(settings.contracts.reputationRegistry, data);
}

/** The maximum number of `eth_getLogs` calls in one batch. Providers refuse batches of more than 20 calls. */
const windowsAtOnce = 20;

/**
 * Finds the receipt of the transaction in which the auditor gave feedback with the hash of `file`. Returns `undefined` if the registry has
 * logged no such feedback since the mint. `spoken` is the number of feedbacks that the auditor has given on the agent. The registry logs
 * each feedback. Throws `upstream` if the node does not show the logs of all feedbacks.
 */
async function findReceipt(
  ports: VerdictPorts,
  { id, auditor, file }: { readonly id: number; readonly auditor: string; readonly file: string },
  agentId: bigint,
  spoken: bigint,
): Promise<Receipt | undefined> {
  const { chain, settings } = ports;
  const { mintTx = null } = await requireLivePress(ports, id);
  const [minted, height] = await chain.batch([
    { method: "eth_getTransactionReceipt", params: [mintTx] },
    { method: "eth_blockNumber", params: [] },
  ]);
  const head = getResult(height, Quantity);
  const topics = encodeTopics(agentId, toAddress(auditor));
  const about = { address: settings.contracts.reputationRegistry, topics };
  const feedbackHash = hashFile(file);
  let seen = 0n;
  let start = getResult(minted, Receipt).blockNumber;
  while (seen < spoken && start <= head) {
    const windows = splitBlocks(start, head, windowsAtOnce);
    const answers = await chain.batch(
      windows.map((window) => ({ method: "eth_getLogs", params: [{ ...about, ...window }] })),
    );
    const logs = windows.flatMap((_, index) => getResult(answers[index], z.array(ChainLog)));
    const found = logs.find((log) => decodeFeedbackHash(log) === feedbackHash);
    if (found !== undefined) {
      const [mined] = await chain.batch([
        { method: "eth_getTransactionReceipt", params: [found.transactionHash] },
      ]);
      return getResult(mined, Receipt);
    }
    seen += BigInt(logs.length);
    start += windowSize * BigInt(windowsAtOnce);
  }
  // The answer of a node that lags is not trusted, because otherwise the verdict could be posted twice.
  if (seen < spoken) throw makeChainError("a node that does not show the auditor's feedback yet");
  return undefined;
}

type LivePress = PressItem & { readonly pressId: number; readonly auditTx?: string | undefined };

async function requireLivePress({ table }: VerdictPorts, id: number): Promise<LivePress> {
  const { data: press } = await table.entities.press.get({ id }).go({ consistent: true });
  if (press?.status !== "live" || press.pressId === undefined) {
    throw new Error(`A verdict was requested for press ${id}, which is not live`);
  }
  return { ...press, pressId: press.pressId };
}

function toVerdict(auditTx: string): PostedVerdict {
  return { status: "posted", txHash: lower(`0x${auditTx.slice(2)}`) };
}

function makeUnconfirmedError({ hashes }: TransactionItem): AppError {
  return new AppError("upstream", "verdict_pending", "The verdict was sent and is not confirmed yet.", {
    details: { transaction: hashes[0] ?? "" },
  });
}

function makeGasError(address: Address): AppError {
  return new AppError("upstream", "auditor_without_gas", `The auditor's wallet ${address} has no gas left.`);
}
