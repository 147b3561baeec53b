import { createHash } from "node:crypto";
import type { Store, Write } from "dynalite/db/index.js";
import * as z from "zod";
import { expiryWrite } from "./expiry.ts";
import { ApiError } from "./failure.ts";

/** A ClientRequestToken counts for ten minutes after its transaction (API reference, TransactWriteItems). */
const validSeconds = 600;

const Used = z.object({ payload: z.string(), expires: z.number() });

/** Whether a transaction with this token and payload has been applied.
 * @param payload its digest
 * @param now Unix time in seconds
 * @throws IdempotentParameterMismatchException where the token came with another payload */
export async function alreadyApplied(
  store: Store,
  token: string,
  payload: string,
  now: number,
): Promise<boolean> {
  const used = await find(store, token);
  if (used === undefined || used.expires <= now) return false;
  if (used.payload === payload) return true;
  throw new ApiError("IdempotentParameterMismatchException", {
    Message: "The request uses the same client token as a previous, but non-identical request.",
  });
}

/** Remembers an applied transaction; the writes belong into its own batch. @param now Unix time in seconds */
export function tokenWrites(token: string, payload: string, now: number): Write[] {
  const expires = now + validSeconds;
  return [
    { type: "put", key: tokenKey(token), value: { payload, expires } },
    expiryWrite(expires, { kind: "token", token }),
  ];
}

/** Whether the token may be forgotten. @param now Unix time in seconds */
export async function tokenExpired(store: Store, token: string, now: number): Promise<boolean> {
  const used = await find(store, token);
  return used !== undefined && used.expires <= now;
}

export function tokenKey(token: string): string {
  return `token~${token}`;
}

async function find(store: Store, token: string): Promise<z.infer<typeof Used> | undefined> {
  return Used.optional().parse(await store.db.get(tokenKey(token)));
}

/** A digest of what a transaction asks for. The order of an object's members means nothing and differs between calls. */
export function payloadDigest(items: unknown): string {
  const canonical = JSON.stringify(items, (_key, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return createHash("sha256").update(canonical).digest("base64");
}
