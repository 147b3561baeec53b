import { answered, Quantity, result, unavailable } from "../chain/call.ts";
import { AppError } from "../error.ts";
import type { RpcOutcome } from "../port/chain.ts";
import type { PressItem } from "../press/entity.ts";
import { feeCap, gasLimitsOf } from "../relayer/index.ts";
import { feedbackCalldata, feedbackOn, revertText } from "./feedback.ts";
import { type Key, readKey, releaseKey, takeKey } from "./key.ts";
import type { VerdictPorts } from "./ports.ts";
import { end, hex, type Posting, readSent } from "./record.ts";
import { reportOf } from "./report.ts";
import { findPosted, lastIndexCall, resolve } from "./resolve.ts";
import type { VerdictOrder } from "./schema.ts";
import { signAndSend } from "./send.ts";

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
  const { auditTx } = await livePress(ports, id);
  if (auditTx !== undefined) return posted(auditTx);
  const key = await takeKey(ports);
  try {
    return await postWith(ports, await freeKey(ports, key), id);
  } finally {
    await releaseKey(ports, key);
  }
}

/** Ends what the key has in flight, of whatever press. */
async function freeKey(ports: VerdictPorts, key: Key): Promise<Key> {
  if (key.inFlight === undefined) return key;
  const sent = await readSent(ports, key.inFlight);
  if (sent === undefined) throw new Error(`The auditor has lost its verdict on press ${key.inFlight}`);
  const { pressId } = await livePress(ports, key.inFlight);
  await resolve(ports, key, sent, BigInt(pressId));
  return readKey(ports, key);
}

async function postWith(ports: VerdictPorts, key: Key, id: number): Promise<Posting> {
  const [press, foreign] = await Promise.all([livePress(ports, id), readSent(ports, id)]);
  if (press.auditTx !== undefined) return posted(press.auditTx);
  if (foreign !== undefined)
    throw new Error(`The verdict on press ${id} is under way from ${foreign.auditor}`);
  const feedback = feedbackOn(ports.settings, press, await reportOf(ports, id), key.address);
  const { agentId, file } = feedback;
  const data = feedbackCalldata(feedback);
  const to = ports.settings.contracts.reputationRegistry;
  const [count, price, balance, index, estimate] = await ports.chain.batch([
    { method: "eth_getTransactionCount", params: [key.address, "latest"] },
    { method: "eth_gasPrice", params: [] },
    { method: "eth_getBalance", params: [key.address, "latest"] },
    lastIndexCall(ports, agentId, key.address),
    { method: "eth_estimateGas", params: [{ from: key.address, to, data }] },
  ]);
  const about = { id, file };
  const spoken = result(index, Quantity);
  if (spoken > 0n) {
    const posting = await findPosted(ports, key.address, agentId, { ...about, spoken });
    if (posting !== undefined) return end(ports, key, { ...about, posting, used: undefined });
  }
  const gas = gasIn(estimate);
  if (gas === undefined) {
    return end(ports, key, {
      ...about,
      posting: { status: "refused", reason: selfFeedback },
      used: undefined,
    });
  }
  const gasPrice = result(price, Quantity);
  const { maxPrice } = gasLimitsOf(ports.settings);
  if (gasPrice > maxPrice) throw unavailable(`gas costs ${gasPrice} wei, more than ${maxPrice}`);
  if (result(balance, Quantity) < feeCap({ gas, gasPrice, maxPrice })) throw withoutGas(key);
  // A node may lag behind what we know, and we may not know of what was sent elsewhere: the higher one is right.
  const nonce = Math.max(key.nextNonce, Number(result(count, Quantity)));
  return signAndSend(ports, key, { ...about, replaced: [], data }, { nonce, gas, gasPrice });
}

/** Gas units, `undefined` for a refusal of the registry. Any other revert tells of a node that lags behind the mint. */
function gasIn(estimate: RpcOutcome | undefined): bigint | undefined {
  const answer = answered(estimate);
  if (answer.status === "ok") return result(estimate, Quantity);
  const reason = revertText(answer.data) ?? answer.message;
  if (reason.includes(selfFeedback)) return undefined;
  throw unavailable(`the verdict would revert: ${reason}`);
}

type LivePress = PressItem & { readonly pressId: number; readonly auditTx?: string | undefined };

async function livePress({ table }: VerdictPorts, id: number): Promise<LivePress> {
  const { data: press } = await table.entities.press.get({ id }).go({ consistent: true });
  if (press?.status !== "live" || press.pressId === undefined) {
    throw new Error(`A verdict was ordered on press ${id}, which is not live`);
  }
  return { ...press, pressId: press.pressId };
}

function posted(auditTx: string): Posting {
  return { status: "posted", txHash: hex(auditTx) };
}

function withoutGas({ address }: Key): AppError {
  return new AppError("upstream", "auditor_without_gas", `The auditor's wallet ${address} has no gas left.`);
}
