import * as z from "zod";
import { Unsent } from "../chain/call.ts";
import { HashInput, type Hex, lower } from "../chain/hex.ts";
import { AppError } from "../error.ts";
import type { Chain, RpcCall, RpcOutcome } from "../port/chain.ts";
import { failure, type Outcome, toOutcome } from "./outcome.ts";

type Transaction = { readonly call: RpcCall; readonly hash: Hex };

/** What came of handing a transaction over once. `unsent`: no node has it. `unclear`: a node may have it. */
type Handed = RpcOutcome | { readonly status: "unsent" } | { readonly status: "unclear" };

/**
 * Hands a signed transaction to the chain, as it is. A node's refusal is the answer; where it stayed silent, the same
 * bytes go once more to whichever node is best then. What that one says is about a transaction that may be known
 * already ("already known", "nonce too low"), so it is no answer: the hash is, once a node took or shows the transaction.
 */
export async function send(chain: Chain, { call, hash }: Transaction, until: number): Promise<Outcome> {
  const first = await handOver(chain, call, hash, until);
  if (first.status === "unsent") {
    return failure(-32603, "The transaction was not sent: the chain cannot be reached right now.");
  }
  if (first.status !== "unclear") return toOutcome(first);
  const second = await handOver(chain, call, hash, until);
  if (second.status === "ok" || (await isKnown(chain, hash, until))) return { result: hash };
  return failure(
    -32603,
    "It is not known whether the transaction was sent. Look for its hash before you sign another.",
    { transactionHash: hash, ...("message" in second && { node: second.message }) },
  );
}

async function handOver(chain: Chain, call: RpcCall, hash: Hex, until: number): Promise<Handed> {
  try {
    const [outcome] = await chain.batch([call], { until });
    if (outcome === undefined) return { status: "unclear" };
    // A node that answers with another hash speaks of something else.
    return outcome.status !== "ok" || isHash(outcome.result, hash) ? outcome : { status: "unclear" };
  } catch (error) {
    if (error instanceof AppError && error.kind === "upstream") {
      return { status: error.cause instanceof Unsent ? "unsent" : "unclear" };
    }
    throw error;
  }
}

const Found = z.object({ hash: HashInput });

async function isKnown(chain: Chain, hash: Hex, until: number): Promise<boolean> {
  try {
    const [outcome] = await chain.batch([{ method: "eth_getTransactionByHash", params: [hash] }], { until });
    const found = Found.safeParse(outcome?.status === "ok" ? outcome.result : undefined);
    return found.success && isHash(found.data.hash, hash);
  } catch (error) {
    // A chain that cannot be asked has not shown it.
    if (error instanceof AppError && error.kind === "upstream") return false;
    throw error;
  }
}

function isHash(value: unknown, hash: Hex): boolean {
  const parsed = HashInput.safeParse(value);
  return parsed.success && lower(parsed.data) === hash;
}
