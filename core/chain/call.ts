import * as z from "zod";
import { AppError } from "../error.ts";
import type { RpcOutcome } from "../port/chain.ts";
import { HexInput } from "./hex.ts";

type Answered = Exclude<RpcOutcome, { readonly status: "failed" }>;

/**
 * The outcome of a call, if the chain itself gave one. A node's own trouble (or silence) throws `upstream`
 * `chain_unavailable`, so that it can never be taken for a statement about a wallet.
 */
export function answered(outcome: RpcOutcome | undefined): Answered {
  if (outcome !== undefined && outcome.status !== "failed") return outcome;
  throw unavailable(outcome === undefined ? "no answer" : `${outcome.code}: ${outcome.message}`);
}

/** A result of the expected form; a node that answers anything else is treated as a failing one. */
export function result<Output>(outcome: RpcOutcome | undefined, form: z.ZodType<Output>): Output {
  const answer = answered(outcome);
  if (answer.status === "reverted") throw unavailable(`unexpected revert: ${answer.message}`);
  const parsed = form.safeParse(answer.result);
  if (!parsed.success) throw unavailable("a result of unexpected form", parsed.error);
  return parsed.data;
}

/** A quantity as JSON-RPC writes it: `0x`-prefixed hex without leading zeros. */
export const Quantity = z
  .string()
  .regex(/^0x[0-9a-fA-F]+$/)
  .transform((text) => BigInt(text));

/** The return data of an `eth_call`. */
export const Bytes = HexInput;

/** The same where it is one word, as a number. */
export const Word = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/)
  .transform(BigInt);

/** A block, as far as it matters here. Seconds since the epoch. */
export const Block = z.object({ number: Quantity, timestamp: Quantity });

/** The call that asks for the newest block. */
export const latestBlock = { method: "eth_getBlockByNumber", params: ["latest", false] } as const;

/**
 * Gas with which a node is asked to run code of others. Without a limit it lets each call have fifty million units, whoever
 * asks.
 */
export const foreignGas = "0x4c4b40";

/** Seconds for which another node may still show a block from before a moment that one node has passed. */
export const lateness = 60n;

/** The cause of a `chain_unavailable` after which nothing was sent: no node can have got it. */
export class Unsent extends AggregateError {
  override readonly name = "Unsent";
}

export function unavailable(what: string, cause?: unknown): AppError {
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
