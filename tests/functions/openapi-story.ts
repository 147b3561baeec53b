import type { LocalAccount } from "viem";
import * as z from "zod";
import * as runtime from "../../functions/lib/runtime.ts";
import { type Example, pathParameters } from "../../functions/openapi/forms.ts";
import { listOperations } from "../../functions/openapi/index.ts";
import { type ApiRouteId, type Route, type RouteId, routes } from "../../functions/routes.ts";
import { approvePermit2, makePayingFetch, makeRelayClient } from "../../local/demo/index.ts";
import { getTestAccount } from "../../local/devnet/accounts.ts";
import { Challenge, type HttpReply, makeHttpClient, repeatWhilePending } from "../support/http-payer.ts";
import { encodeVote, register, reputationRegistry, send } from "../support/payment.ts";
import type { TestService } from "../support/service.ts";

/** The publisher in the examples, who holds no stock token, and the reader in the examples, who has USDG. */
const publisher = getTestAccount(4);
const reader = getTestAccount(5);

/** The documented values of the parameters in paths. */
const pathExamples = Object.fromEntries(
  pathParameters.map(({ name, schema }) => [name, z.union([z.string(), z.number()]).parse(schema.example)]),
);

/** The name of a route's example, such as `route/example`. */
export type ExampleName = { readonly route: ApiRouteId; readonly name: string };

/** An answer, with its parsed body if the body is JSON. */
export type StoryAnswer = Omit<HttpReply, "cookie">;

/** Values to send instead of the documented values. */
type StoryRequest = {
  readonly path?: Example["path"];
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly send?: typeof fetch;
};

/**
 * Sends the examples of the OpenAPI document to a running service. Values that work only once, such as a signature over a nonce or a
 * transaction's hash, are replaced by new values for the request. All other values are sent as documented.
 */
export async function makeExampleSender(service: TestService) {
  const { origin } = service;
  const told = listOperations(runtime.readSettings());
  const { ask, signIn } = makeHttpClient(origin);
  const cookies = { publisher: await signIn(publisher), reader: "" };
  let publisherTx = "";
  await approvePermit2(makeRelayClient(origin), reader);

  async function signNonce(wallet: LocalAccount) {
    const request = { body: { address: wallet.address }, headers: { origin } };
    const { nonce, message } = Challenge.parse((await ask("/api/auth/nonce", request)).body);
    return { address: wallet.address, nonce, signature: await wallet.signMessage({ message }) };
  }

  async function mintPress(example: Example): Promise<StoryRequest> {
    const { id } = z.object({ id: z.int() }).parse(example.body);
    const { txHash } = await register(service, publisher, `${origin}/api/meta/${id}`);
    return { body: { id, txHash } };
  }

  async function castVote(): Promise<StoryRequest> {
    const vote = encodeVote(0, { tag: "insightful", url: `${origin}/press` });
    const { transactionHash: txHash } = await send(service, reader, reputationRegistry, vote);
    return { body: { txHash } };
  }

  /** Prepares a request that the official client sends. This client asks for the terms, signs the terms, and repeats the request. */
  const preparePayment = async () => ({ send: makePayingFetch(reader), headers: {} });

  const anew: Readonly<Record<string, (example: Example) => Promise<StoryRequest>>> = {
    "auth-verify/example": async () => ({ body: await signNonce(reader) }),
    "press-minted/example": mintPress,
    "votes-record/example": castVote,
    "pay-treasury/paid": preparePayment,
    "pay-treasury/already": preparePayment,
    "pay-publisher/feeFirst": preparePayment,
    "pay-publisher/paid": preparePayment,
    "pay-publisher/alreadyUnlocked": preparePayment,
    "receipts/example": async () => ({ path: { transaction: publisherTx } }),
    "author/example": async () => ({ path: { address: publisher.address } }),
    "sessions-end/example": async () => {
      cookies.reader = await signIn(reader);
      return { body: { others: true } };
    },
  };

  return {
    /** Sends a body unchanged with the publisher's session, as the site's own pages do. */
    async probe(route: RouteId, sent: Readonly<Record<string, string>>, body: string | null) {
      const headers = { origin, cookie: cookies.publisher, ...sent };
      return fetch(origin + findRoute(route).path, { method: "POST", headers, body });
    },
    example: ({ route, name }: ExampleName) => findExample(told[route].examples, name),
    async sendExample({ route, name }: ExampleName): Promise<StoryAnswer> {
      const example = findExample(told[route].examples, name);
      const row = findRoute(route);
      const {
        path = { ...pathExamples, ...example.path },
        body,
        headers,
        send = fetch,
      }: StoryRequest = {
        body: example.body,
        headers: formatValues(example.headers),
        ...(await anew[`${route}/${name}`]?.(example)),
      };
      const cookie = cookies[row.caller === "publisher" ? "publisher" : "reader"];
      const answer = await repeatWhilePending(async (): Promise<StoryAnswer> => {
        const response = await send(origin + makeTarget(row, { ...example, path }), {
          method: row.method,
          headers: {
            ...headers,
            ...(row.caller === "site" && { origin }),
            ...(body !== undefined && { "content-type": "application/json" }),
            ...((row.caller === "publisher" || row.caller === "session") && { cookie }),
          },
          body: body === undefined ? null : JSON.stringify(body),
        });
        const text = await response.text();
        const json = response.headers.get("content-type")?.startsWith("application/json");
        const { status } = response;
        return { status, headers: response.headers, body: json ? JSON.parse(text) : text, text };
      });
      if (route === "pay-publisher" && answer.status === 200) cookies.reader = parseCookie(answer);
      if (`${route}/${name}` === "pay-publisher/paid") {
        publisherTx = z.object({ tx: z.string() }).parse(answer.body).tx;
      }
      return answer;
    },
  };
}

function findExample(examples: Readonly<Record<string, Example>>, name: string): Example {
  const found = examples[name];
  if (found === undefined) throw new TypeError(`No example ${name}`);
  return found;
}

export function findRoute(id: RouteId): Route {
  const found = routes.find((route) => route.id === id);
  if (found === undefined) throw new TypeError(`No route ${id}`);
  return found;
}

function makeTarget({ path }: Route, { path: values = {}, query = {} }: Example): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));
  const search = new URLSearchParams(formatValues(query));
  return search.size === 0 ? filled : `${filled}?${search}`;
}

function formatValues(values: Readonly<Record<string, string | number>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}

function parseCookie(answer: StoryAnswer): string {
  return answer.headers.getSetCookie()[0]?.split(";")[0] ?? "";
}
