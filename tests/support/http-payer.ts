import { setTimeout as sleep } from "node:timers/promises";
import type { LocalAccount } from "viem";
import type { HDAccount } from "viem/accounts";
import * as z from "zod";
import type { Permit } from "../../core/chain/permit2.ts";
import { authorize, encodePermitHeader, makePermit, signPermit } from "./payment.ts";

/** The maximum number of times that a request for terms is repeated while the service is busy. */
const busyTries = 10;

/** The two payments of a press, named as in the paths of their URLs. */
export type PayPath = "treasury" | "publisher";

/** An entry of `accepts` with all its fields, because a client sends the entry back unchanged. */
const Entry = z.looseObject({
  amount: z.string(),
  asset: z.string(),
  payTo: z.string(),
  extra: z.looseObject({ spender: z.string() }),
});
export type OfferedEntry = z.infer<typeof Entry>;
const Terms = z.object({ accepts: z.tuple([Entry], z.unknown()) });
/** The terms of a payment by EIP-3009. */
export const Offer = z.object({
  accepts: z.tuple([z.looseObject({ amount: z.string(), payTo: z.string() })], z.unknown()),
});
const Priced = z.object({ press: z.object({ priceUnits: z.string() }) });
const Tool = z.object({ result: z.object({ structuredContent: z.unknown() }) });
export const Challenge = z.object({ nonce: z.string(), message: z.string() });

export type HttpReply = {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON, or `undefined` if the answer is not JSON. */
  readonly body: unknown;
  readonly text: string;
  /** The session cookie that the answer sets, in the form that a client sends. */
  readonly cookie: string | undefined;
};

type RequestParts = {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookie?: string | undefined;
};

/** The fields of a permit that replace the usual fields, and the payment-identifier of a payment. */
export type SignOptions = Partial<Permit> & { readonly identifier?: string; readonly tries?: number };

/** The refusal of a request, with the given status and code. */
export const makeRefusal = (status: number, code: string) => ({ status, body: { code } });

/** The service waits five seconds for the result of a mint, so all tries together take at least a minute and a half. */
const mintTries = 20;
const Pending = z.object({ code: z.literal("mint_pending") });

/**
 * Sends the confirmation of a mint again while the mint is pending, because the service's worker may be slow on a busy machine. Returns the
 * final answer.
 */
export async function repeatWhilePending<Reply extends { readonly body: unknown }>(
  confirm: () => Promise<Reply>,
): Promise<Reply> {
  for (let tries = 1; ; tries += 1) {
    const reply = await confirm();
    if (tries === mintTries || !Pending.safeParse(reply.body).success) return reply;
  }
}

/**
 * An HTTP client that sends requests to the service as programs do: without an origin header except for a sign-in, and without a cookie
 * unless the caller gives one.
 */
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
    const isJson = response.headers.get("content-type")?.includes("json") === true;
    const parsed: unknown = isJson && text !== "" ? JSON.parse(text) : undefined;
    const [set] = response.headers.getSetCookie();
    const { status } = response;
    return { status, headers: response.headers, body: parsed, text, cookie: set?.split(";")[0] };
  }

  /** Sends a payment header, or requests the terms if there is no header. */
  function pay(leg: PayPath, pressId: number, header?: string, cookie?: string, query = "") {
    const headers = header === undefined ? {} : { "payment-signature": header };
    return ask(`/api/pay/${leg}${query}`, { body: { pressId }, headers, cookie });
  }

  /** The entry of the terms that the service offers. Repeats the request at most `most` times while the service is busy. */
  async function fetchEntry(leg: PayPath, pressId: number, most = busyTries): Promise<OfferedEntry> {
    for (let tries = 0; ; tries += 1) {
      const { status, headers, body } = await pay(leg, pressId);
      const terms = Terms.safeParse(body);
      if (terms.success) return terms.data.accepts[0];
      if (status !== 503 || tries === most) throw new Error(`${status} ${JSON.stringify(body)}`);
      await sleep(Number(headers.get("retry-after") ?? 1) * 1000);
    }
  }

  /** Requests new terms and signs a payment according to these terms. */
  async function sign(account: HDAccount, leg: PayPath, pressId: number, wish: SignOptions = {}) {
    const { identifier, tries, ...changes } = wish;
    const entry = await fetchEntry(leg, pressId, tries);
    const permit = makePermit(account, entry, changes);
    const signature = await signPermit(account, permit);
    return { entry, permit, signature, header: encodePermitHeader(entry, permit, signature, identifier) };
  }

  /** Requests the terms of a payment by EIP-3009, or sends a payment according to these terms. `query` may name the payer. */
  function askByTransfer(leg: PayPath, pressId: number, header?: string, query = ""): Promise<HttpReply> {
    return pay(leg, pressId, header, undefined, `?method=eip3009${query}`);
  }

  /** Signs new terms as a payment by EIP-3009 that is valid for five minutes by the service's clock. */
  async function signTransfer(account: HDAccount, leg: PayPath, pressId: number, query = "") {
    const [entry] = Offer.parse((await askByTransfer(leg, pressId, undefined, query)).body).accepts;
    return authorize(account, entry);
  }

  return {
    ask,
    pay,
    askByTransfer,
    signTransfer,
    /** Reads the text at a path, and throws an Error if the answer's status is not 200. */
    async read(path: string): Promise<string> {
      const { status, text } = await ask(path);
      if (status !== 200) throw new Error(`${path} was answered with ${status}: ${text}`);
      return text;
    },
    /** The price of a press in base units. */
    async readPrice(slug: string): Promise<bigint> {
      return BigInt(Priced.parse((await ask(`/api/presses/${slug}`)).body).press.priceUnits);
    },
    /** Calls a tool of the service's MCP server. */
    async callTool(name: string, args: object): Promise<unknown> {
      const params = { name, arguments: args };
      const { body } = await ask("/mcp", { body: { jsonrpc: "2.0", id: 1, method: "tools/call", params } });
      return Tool.parse(body).result.structuredContent;
    },
    /** Pays by EIP-3009. */
    async payByTransfer(account: HDAccount, leg: PayPath, pressId: number, query = ""): Promise<HttpReply> {
      return askByTransfer(leg, pressId, (await signTransfer(account, leg, pressId, query)).header);
    },
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
