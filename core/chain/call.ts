import * as z from "zod";
import { AppError } from "../error.ts";
import type { RpcCall, RpcOutcome } from "../port/chain.ts";
import { type Address, type Hex, HexInput } from "./hex.ts";

type AnsweredCall = Exclude<RpcOutcome, { readonly status: "failed" }>;

/**
 * Returns the outcome of a call if the outcome is the chain's own answer, which is a result or a revert. Throws `chain_unavailable`
 * (`upstream`) if the node failed or gave no answer, so that a node's failure is never treated as a fact about a wallet.
 */
export function requireAnswer(outcome: RpcOutcome | undefined): AnsweredCall {
  if (outcome !== undefined && outcome.status !== "failed") return outcome;
  throw makeChainError(outcome === undefined ? "no answer" : `${outcome.code}: ${outcome.message}`);
}

/** Returns the result of a call, parsed with the given `form`. A node counts as failed if its answer does not have the expected form. */
export function getResult<Output>(outcome: RpcOutcome | undefined, form: z.ZodType<Output>): Output {
  const answer = requireAnswer(outcome);
  if (answer.status === "reverted") throw makeChainError(`unexpected revert: ${answer.message}`);
  const parsed = form.safeParse(answer.result);
  if (!parsed.success) throw makeChainError("a result of unexpected form", parsed.error);
  return parsed.data;
}

/** A quantity as JSON-RPC writes it: `0x`-prefixed hex without leading zeros. */
export const Quantity = z
  .string()
  .regex(/^0x[0-9a-fA-F]+$/)
  .transform((text) => BigInt(text));

export const Bytes = HexInput;

/** The return data of an `eth_call` as one number. */
export const Word = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/)
  .transform(BigInt);

export const Block = z.object({ number: Quantity, timestamp: Quantity });

/** The `eth_call` to a contract, at the newest block or at the given block. */
export function makeContractCall(to: Address, data: Hex, block: Hex | "latest" = "latest"): RpcCall {
  return { method: "eth_call", params: [{ to, data }, block] };
}

/** The call that asks for the newest block. */
export const latestBlock = { method: "eth_getBlockByNumber", params: ["latest", false] } as const;

/** The gas limit for simulated calls to contracts of other people. Without a limit, a node lets each call use fifty million gas units. */
export const foreignGas = "0x4c4b40";

/** The maximum number of seconds by which a node may lag behind a node that was asked earlier. */
export const lateness = 60n;

/** The cause of a `chain_unavailable` error. The cause `Unsent` shows that no node has received the transaction. */
export class Unsent extends AggregateError {
  override readonly name = "Unsent";
}

export function makeChainError(what: string, cause?: unknown): AppError {
  return new AppError(
    "upstream",
    "chain_unavailable",
    "The chain cannot be reached right now. Try again shortly.",
    {
      cause: cause ?? new Error(what),
      retryAfter: 2,
    },
  );
}
