import { keccak256 } from "viem/utils";
import type { Hex } from "../chain/hex.ts";
import type { Receipt } from "../chain/receipt.ts";
import { AppError } from "../error.ts";
import { broadcast, feeLimits, gasLimitsOf } from "../relayer/index.ts";
import type { Key } from "./key.ts";
import type { VerdictPorts } from "./ports.ts";
import { end, type Posting, type SentVerdict, storeSent } from "./record.ts";

type Price = { readonly nonce: number; readonly gas: bigint; readonly gasPrice: bigint };

/**
 * Signs the verdict, stores it, sends it and waits for its receipt: in this order, so that nothing is ever on its way
 * that a later run cannot find. Gas units and wei.
 */
export async function signAndSend(
  ports: VerdictPorts,
  key: Key,
  verdict: Pick<SentVerdict, "id" | "file" | "replaced"> & { readonly data: Hex },
  { nonce, gas, gasPrice }: Price,
): Promise<Posting> {
  const { data, ...about } = verdict;
  const { chainId, contracts } = ports.settings;
  const { maxPrice } = gasLimitsOf(ports.settings);
  const rawTx = await ports.auditor.sign(key.address, {
    chainId,
    nonce,
    to: contracts.reputationRegistry,
    data,
    ...feeLimits({ gas, gasPrice, maxPrice }),
  });
  const sent = { ...about, rawTx, txHash: keccak256(rawTx), nonce };
  await storeSent(ports, key, sent);
  return send(ports, key, sent);
}

/** Sends a stored verdict, for the first time or again, and ends it by its receipt. Throws `upstream` `verdict_pending` without one. */
export async function send(ports: VerdictPorts, key: Key, sent: SentVerdict): Promise<Posting> {
  const receipt = await broadcast(ports, sent);
  if (receipt === "rejected") {
    const { id, file } = sent;
    const reason = `The sequencer has rejected the transaction ${sent.txHash}`;
    return end(ports, key, { id, file, posting: { status: "refused", reason }, used: undefined });
  }
  if (receipt !== undefined) return conclude(ports, key, sent, receipt);
  throw new AppError("upstream", "verdict_pending", "The verdict was sent and is not confirmed yet.", {
    details: { transaction: sent.txHash },
  });
}

/**
 * Ends a verdict by the receipt of one of its transactions. Throws `upstream` `verdict_reverted` for one that was
 * reverted: the next run asks the registry anew, and hears why.
 */
export async function conclude(
  ports: VerdictPorts,
  key: Key,
  { id, file, nonce: used }: SentVerdict,
  { status, transactionHash: txHash }: Receipt,
): Promise<Posting> {
  if (status === "0x1") return end(ports, key, { id, file, posting: { status: "posted", txHash }, used });
  const reason = `The transaction ${txHash} was reverted`;
  await end(ports, key, { id, file, posting: { status: "refused", reason }, used });
  throw new AppError("upstream", "verdict_reverted", reason);
}
