import * as z from "zod";
import { answered, Bytes, result, unavailable } from "../chain/call.ts";
import { type Address, type Hex, HexInput } from "../chain/hex.ts";
import { decodeTokenUri, registered, tokenUriCalldata } from "../chain/identity.ts";
import { Receipt } from "../chain/receipt.ts";
import type { Chain, RpcOutcome } from "../port/chain.ts";
import type { RefusalCode } from "./refusal.ts";

/**
 * What the chain says of a mint. `unmined` is for now, and `seen` whether the node knows the transaction at all; the other
 * two are for good, but for a URI that changes.
 */
export type Proof =
  | { readonly status: "minted"; readonly agentId: number }
  | { readonly status: "refused"; readonly code: RefusalCode }
  | { readonly status: "unmined"; readonly seen: boolean };

/** Identities of one transaction that are looked at; more are a contract's doing, not a publisher's. */
const identityLimit = 20;

/**
 * Checks the four conditions of specification §3: the transaction succeeded, was sent by the wallet, minted an
 * identity to that wallet, and the identity points to `metaUrl`. A wallet with code (a contract, EIP-7702) has others
 * send for it: there the registry's word is enough, for it registers whoever calls it.
 * Throws `upstream` `chain_unavailable`, also while the node lags behind the receipt that it gave.
 */
export async function prove(
  { chain, registry }: { readonly chain: Chain; readonly registry: Address },
  mint: { readonly txHash: Hex; readonly wallet: Address; readonly metaUrl: string },
): Promise<Proof> {
  const [receiptAnswer, codeAnswer, transactionAnswer] = await chain.batch([
    { method: "eth_getTransactionReceipt", params: [mint.txHash] },
    { method: "eth_getCode", params: [mint.wallet, "latest"] },
    { method: "eth_getTransactionByHash", params: [mint.txHash] },
  ]);
  const receipt = result(receiptAnswer, z.nullable(Receipt));
  if (receipt === null) return { status: "unmined", seen: result(transactionAnswer, z.unknown()) !== null };
  if (receipt.status !== "0x1") return { status: "refused", code: "transaction_failed" };
  if (receipt.from !== mint.wallet && result(codeAnswer, HexInput) === "0x") {
    return { status: "refused", code: "wrong_sender" };
  }
  const own = registered(receipt, registry).filter(({ owner }) => owner === mint.wallet);
  if (own.length === 0) return { status: "refused", code: "no_identity_minted" };

  const candidates = own.slice(0, identityLimit).map(({ agentId }) => agentId);
  const answers = await chain.batch(
    candidates.map((agentId) => ({
      method: "eth_call",
      params: [{ to: registry, data: tokenUriCalldata(agentId) }, "latest"],
    })),
  );
  const found = candidates.find((_, index) => uriIn(answers[index]) === mint.metaUrl);
  return found === undefined
    ? { status: "refused", code: "wrong_identity_uri" }
    : { status: "minted", agentId: Number(found) };
}

/** An identity that was just registered has a URI, so a revert tells of a node that has not seen it yet. */
function uriIn(outcome: RpcOutcome | undefined): string {
  if (answered(outcome).status === "reverted") throw unavailable("the identity is not there yet");
  return decodeTokenUri(result(outcome, Bytes));
}
