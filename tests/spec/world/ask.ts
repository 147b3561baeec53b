import type { HDAccount } from "viem/accounts";
import { expect } from "vitest";
import * as z from "zod";
import { type Address, type Hex, lower } from "../../../core/chain/hex.ts";
import { type HttpClient, type HttpReply, makeHttpClient } from "../../support/http-payer.ts";
import { makeOnce } from "./scene.ts";
import { service } from "./service.ts";

export type AskOptions = Parameters<HttpClient["ask"]>[1];
export type Answer = Pick<HttpReply, "status" | "headers" | "body" | "text">;

/** Sends one request as a program does: by default without Origin header, cookie or payment. */
export async function ask(path: string, options: AskOptions = {}): Promise<Answer> {
  return makeHttpClient((await service()).origin).ask(path, options);
}

/** Sends a request that must be answered with status 200, and parses the answer's body. */
export async function read<Value>(
  schema: z.ZodType<Value>,
  path: string,
  options?: AskOptions,
): Promise<Value> {
  const { status, text } = await ask(path, options);
  expect({ path, status, text }).toMatchObject({ status: 200 });
  return schema.parse(JSON.parse(text));
}

/** Sends a request as the site's own page does. */
export async function askAsSite(path: string, options: AskOptions = {}): Promise<Answer> {
  const { origin } = await service();
  return ask(path, { ...options, headers: { origin, ...options.headers } });
}

export const Challenge = z.strictObject({ nonce: z.string(), message: z.string() });

/** Requests a sign-in nonce and the message to sign. */
export async function requestChallenge(address: Address) {
  return Challenge.parse((await askAsSite("/api/auth/nonce", { body: { address } })).body);
}

/** Signs in with the signature that `sign` makes for the sign-in message. Returns the service's answer to the signature. */
export async function verify(address: Address, sign: (message: string) => Promise<Hex>): Promise<Answer> {
  const { nonce, message } = await requestChallenge(address);
  return askAsSite("/api/auth/verify", { body: { address, nonce, signature: await sign(message) } });
}

/** Returns the session cookie that an answer sets, in the form in which a client sends it back. */
export function parseSessionCookie({ headers }: Pick<Answer, "headers">): string {
  return headers.getSetCookie()[0]?.split(";")[0] ?? "";
}

type Signer = Pick<HDAccount, "address" | "signMessage">;
const sessions = new Map<Address, () => Promise<string>>();

/** Returns the session cookie of a wallet. The wallet signs in only at the first call. */
export function signInOnce(account: Signer): Promise<string> {
  const wallet = lower(account.address);
  const known = sessions.get(wallet) ?? makeOnce(() => signIn(account));
  sessions.set(wallet, known);
  return known();
}

async function signIn(account: Signer): Promise<string> {
  const answer = await verify(account.address, (message) => account.signMessage({ message }));
  expect(answer.status).toBe(200);
  return parseSessionCookie(answer);
}

/** The forms of values in answers (specification §1). */
export const wire = {
  address: /^0x[0-9a-fA-F]{40}$/,
  hash: /^0x[0-9a-f]{64}$/,
  time: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
} as const;
