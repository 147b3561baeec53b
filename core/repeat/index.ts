import { bytesToHex, sha256, stringToBytes } from "viem/utils";
import * as z from "zod";
import type { Address } from "../chain/hex.ts";
import { AppError } from "../error.ts";
import type { AllPorts } from "../ports.ts";
import type { Action, WriteEntities } from "../transact.ts";

/** Seconds for which the answer to a request is stored for repeated requests. */
const keptSeconds = 24 * 60 * 60;

/** A request that its client can send again under the same key, for example after a lost answer. */
export type KeyedRequest = {
  readonly operation: "save" | "generate" | "angles";
  readonly key: string;
  /** The hash of the request that the client can repeat. */
  readonly request: string;
};

export const RepeatKey = z
  .string()
  .describe(
    "An idempotency key that you choose: 8 to 128 characters of [A-Za-z0-9_-]. A request that repeats the key within 24 hours gets the first answer, and nothing else happens.",
  );

/**
 * A request with the key from its `Idempotency-Key` header (draft-ietf-httpapi-idempotency-key-header), or `undefined` if the request has
 * no such header. A client may leave out the quotes around the key in the `Idempotency-Key` header. Throws `invalid_idempotency_key`
 * (`input`).
 */
export function readIdempotencyKey(
  operation: KeyedRequest["operation"],
  header: string | undefined,
  request: object,
): KeyedRequest | undefined {
  if (header === undefined) return undefined;
  const [, key] = /^"?([A-Za-z0-9_-]{8,128})"?$/.exec(header.trim()) ?? [];
  if (key === undefined)
    throw new AppError(
      "input",
      "invalid_idempotency_key",
      "Idempotency-Key: must have 8 to 128 letters, digits, hyphens and underscores.",
    );
  const text = JSON.stringify(request, (_, value) => (typeof value === "bigint" ? String(value) : value));
  return { operation, key, request: bytesToHex(sha256(stringToBytes(text), "bytes")) };
}

/**
 * Reads the answer to an earlier request with the same key, in one table request. Returns `undefined` if no answer is stored. Throws
 * `idempotency_key_reused` (`conflict`) for a key that belongs to another request.
 */
export async function readEarlierAnswer(
  { table, clock }: Pick<AllPorts, "table" | "clock">,
  wallet: Address,
  { operation, key, request }: KeyedRequest,
): Promise<unknown> {
  const { data } = await table.entities.answer.get({ wallet, operation, key }).go({ consistent: true });
  if (data === null || data.expiresAt <= Math.floor(clock.now() / 1000)) return undefined;
  if (data.request === request) return JSON.parse(data.answer);
  throw new AppError(
    "conflict",
    "idempotency_key_reused",
    "This Idempotency-Key belongs to another request of yours. Send a new key with a new request.",
  );
}

/**
 * Makes the write that stores an answer. The write must be in the same table transaction as the writes whose result is stored as the
 * answer. If an answer is already stored for the key, the write is refused, unless `instead` is this stored answer.
 */
export function makeAnswerWrite(
  { answer }: WriteEntities,
  wallet: Address,
  { operation, key, request }: KeyedRequest,
  {
    now,
    given,
    instead,
  }: { readonly now: number; readonly given: object; readonly instead?: object | undefined },
): Action {
  const seconds = Math.floor(now / 1000);
  return answer
    .put({ wallet, operation, key, request, answer: JSON.stringify(given), expiresAt: seconds + keptSeconds })
    .where(({ expiresAt, answer: stored }, { notExists, lte, eq }) =>
      [
        notExists(expiresAt),
        lte(expiresAt, seconds),
        ...(instead === undefined ? [] : [eq(stored, JSON.stringify(instead))]),
      ].join(" OR "),
    )
    .commit();
}
