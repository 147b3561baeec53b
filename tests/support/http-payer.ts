import { setTimeout as sleep } from "node:timers/promises";
import type { LocalAccount } from "viem";
import type { HDAccount } from "viem/accounts";
import * as z from "zod";
import { encodePermitHeader, makePermit, signPermit } from "./payment.ts";

/** The number of times that terms are requested again while the service is busy. */
const busyTries = 10;

/** The two payments of a press, by the names in their paths. */
type PayPath = "treasury" | "publisher";

/** An entry of `accepts` with all its fields, because a client sends the entry back unchanged. */
const Entry = z.looseObject({
  amount: z.string(),
  asset: z.string(),
  payTo: z.string(),
  extra: z.looseObject({ spender: z.string() }),
});
export type OfferedEntry = z.infer<typeof Entry>;
const Terms = z.object({ accepts: z.tuple([Entry], z.unknown()) });
const Challenge = z.object({ nonce: z.string(), message: z.string() });

export type HttpReply = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
  /** The session cookie that the answer sets, in the form that a client sends. */
  readonly cookie: string | undefined;
};

type RequestParts = {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookie?: string | undefined;
};

/** A client of the service over HTTP, as programs use the service: without an origin header, and without a cookie unless one is given. */
export function makeHttpClient(origin: string) {
  async function ask(path: string, { body, headers = {}, cookie }: RequestParts = {}): Promise<HttpReply> {
    const response = await fetch(origin + path, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(cookie !== undefined && { cookie }),
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    const parsed: unknown = text === "" ? undefined : JSON.parse(text);
    const [set] = response.headers.getSetCookie();
    return { status: response.status, headers: response.headers, body: parsed, cookie: set?.split(";")[0] };
  }

  /** Sends a payment header. */
  function pay(leg: PayPath, pressId: number, header: string, cookie?: string): Promise<HttpReply> {
    return ask(`/api/pay/${leg}`, { body: { pressId }, headers: { "payment-signature": header }, cookie });
  }

  /** The entry of the terms that the service offers. Retries while the service is busy. */
  async function fetchEntry(leg: PayPath, pressId: number): Promise<OfferedEntry> {
    for (let tries = 0; ; tries += 1) {
      const { status, headers, body } = await ask(`/api/pay/${leg}`, { body: { pressId } });
      const terms = Terms.safeParse(body);
      if (terms.success) return terms.data.accepts[0];
      if (status !== 503 || tries === busyTries) throw new Error(`${status} ${JSON.stringify(body)}`);
      await sleep(Number(headers.get("retry-after") ?? 1) * 1000);
    }
  }

  /** Requests new terms and signs a payment of the terms. */
  async function sign(account: HDAccount, leg: PayPath, pressId: number, identifier?: string) {
    const entry = await fetchEntry(leg, pressId);
    const permit = makePermit(account, entry);
    const signature = await signPermit(account, permit);
    return { entry, permit, signature, header: encodePermitHeader(entry, permit, signature, identifier) };
  }

  return {
    ask,
    pay,
    entryOf: fetchEntry,
    signed: sign,
    async payLeg(account: HDAccount, leg: PayPath, pressId: number, cookie?: string): Promise<HttpReply> {
      return pay(leg, pressId, (await sign(account, leg, pressId)).header, cookie);
    },
    /** Signs the account in. Returns the session cookie. */
    async signIn(account: LocalAccount): Promise<string> {
      const { address } = account;
      const headers = { origin };
      const offered = await ask("/api/auth/nonce", { body: { address }, headers });
      const { nonce, message } = Challenge.parse(offered.body);
      const signature = await account.signMessage({ message });
      const { cookie } = await ask("/api/auth/verify", { body: { address, nonce, signature }, headers });
      if (cookie === undefined) throw new Error("The sign-in set no cookie.");
      return cookie;
    },
  };
}
export type HttpClient = ReturnType<typeof makeHttpClient>;

/** The entry of the terms without the fields that the specification does not name. */
export function removeExtraFields({ extra: { assetTransferMethod, spender, name }, ...entry }: OfferedEntry) {
  return { ...entry, extra: { assetTransferMethod, spender, name } };
}
