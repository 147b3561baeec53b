import { parseTransaction } from "viem/utils";
import * as z from "zod";
import { Quantity, result, unavailable } from "../chain/call.ts";
import type { Address } from "../chain/hex.ts";
import { Receipt, windowSize, windowsOf } from "../chain/receipt.ts";
import { gasLimitsOf, mayBeRaised } from "../relayer/index.ts";
import { FeedbackLog, feedbackHashIn, feedbackTopics, hashOf, lastIndexCalldata } from "./feedback.ts";
import type { Key } from "./key.ts";
import type { VerdictPorts } from "./ports.ts";
import { end, type Posting, type SentVerdict } from "./record.ts";
import { conclude, send, signAndSend } from "./send.ts";

/**
 * Brings a verdict that somebody left under way to its end: by a receipt, by the registry's own log, or by sending it
 * again. One that pays too little, or whose nonce something else has used, is replaced by one that can land. Throws
 * `upstream` when the chain cannot say, or `verdict_pending` when it has not got it yet.
 */
export async function resolve(
  ports: VerdictPorts,
  key: Key,
  sent: SentVerdict,
  agentId: bigint,
): Promise<Posting> {
  const hashes = [sent.txHash, ...sent.replaced];
  const [count, price, index, ...mined] = await ports.chain.batch([
    { method: "eth_getTransactionCount", params: [key.address, "latest"] },
    { method: "eth_gasPrice", params: [] },
    // After the count, so that whatever has used the nonce is seen here.
    lastIndexCall(ports, agentId, key.address),
    ...hashes.map((hash) => ({ method: "eth_getTransactionReceipt", params: [hash] })),
  ]);
  const receipt = mined
    .map((outcome) => result(outcome, z.nullable(Receipt)))
    .find((found) => found !== null);
  if (receipt != null) return conclude(ports, key, sent, receipt);
  const spoken = result(index, Quantity);
  if (spoken > 0n) {
    const posting = await findPosted(ports, key.address, agentId, { ...sent, spoken });
    if (posting !== undefined) return end(ports, key, { ...sent, posting, used: sent.nonce });
  }
  const next = landing(sent, {
    nonce: Number(result(count, Quantity)),
    gasPrice: result(price, Quantity),
    maxPrice: gasLimitsOf(ports.settings).maxPrice,
  });
  if (next === undefined) return send(ports, key, sent);
  const { data = "0x" } = parseTransaction(sent.rawTx);
  const { id, file } = sent;
  return signAndSend(ports, key, { id, file, replaced: hashes, data }, next);
}

/** What a replacement must be like to land, `undefined` where the stored transaction still can. */
function landing(
  sent: SentVerdict,
  now: { readonly nonce: number; readonly gasPrice: bigint; readonly maxPrice: bigint },
) {
  const { gas = 0n, maxFeePerGas = 0n } = parseTransaction(sent.rawTx);
  const used = now.nonce > sent.nonce;
  const best = maxFeePerGas >= now.gasPrice || !mayBeRaised(maxFeePerGas, now.maxPrice);
  if (!used && best) return undefined;
  // Nodes replace a transaction for a tenth more; half as much again leaves no doubt.
  const raised = (maxFeePerGas * 3n) / 4n + 1n;
  return {
    nonce: used ? now.nonce : sent.nonce,
    // The stored limit has its quarter of room already.
    gas: (gas * 4n) / 5n + 1n,
    gasPrice: used || now.gasPrice > raised ? now.gasPrice : raised,
  };
}

/** Asks how often the auditor has spoken of an agent: 0 for never. */
export function lastIndexCall(
  { settings }: Pick<VerdictPorts, "settings">,
  agentId: bigint,
  auditor: Address,
) {
  const to = settings.contracts.reputationRegistry;
  return { method: "eth_call", params: [{ to, data: lastIndexCalldata(agentId, auditor) }, "latest"] };
}

/** Windows of blocks that one batch asks for the logs of: providers refuse more than 20 calls. */
const windowsAtOnce = 20;

/**
 * The auditor's word on this very report, if the registry has logged it since the press was minted. `spoken` is how
 * often it has spoken of the agent: each time left a log. Throws `upstream` for a node that does not show all of them.
 */
export async function findPosted(
  { chain, settings, table }: Pick<VerdictPorts, "chain" | "settings" | "table">,
  auditor: Address,
  agentId: bigint,
  { id, file, spoken }: Pick<SentVerdict, "id" | "file"> & { readonly spoken: bigint },
): Promise<Posting | undefined> {
  const { data: press } = await table.entities.press.get({ id }).go({ consistent: true });
  const [minted, height] = await chain.batch([
    { method: "eth_getTransactionReceipt", params: [press?.mintTx ?? null] },
    { method: "eth_blockNumber", params: [] },
  ]);
  const head = result(height, Quantity);
  const about = {
    address: settings.contracts.reputationRegistry,
    topics: feedbackTopics(agentId, auditor),
  };
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
    if (found !== undefined) return { status: "posted", txHash: found.transactionHash };
    seen += BigInt(logs.length);
    start += windowSize * BigInt(windowsAtOnce);
  }
  // To take a late node's word would post the verdict a second time.
  if (seen < spoken) throw unavailable("a node that does not show the auditor's feedback yet");
  return undefined;
}
