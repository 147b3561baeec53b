import * as fc from "fast-check";
import * as z from "zod";
import { type Route, type RouteId, routes } from "../../../functions/routes.ts";
import {
  type CorruptionName,
  type JsonValue,
  type Mutations,
  mutate,
  mutations,
  spoilers,
} from "./mutate.ts";
import { makeValues } from "./schema.ts";
import type { FuzzWorld } from "./world.ts";

/** A payment that is signed only when its request is sent, because permits are valid for ten minutes. */
export type Payment = {
  readonly payer: number;
  readonly changes: Mutations;
  readonly spoiler: CorruptionName;
  readonly wrapped: keyof typeof wrappings;
  readonly header: "payment-signature" | "x-payment";
};

export type FuzzRequest = {
  readonly route: RouteId;
  readonly method: string;
  /** The path and query in the request line. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly payment: Payment | undefined;
};

/** Ways to encode the JSON in a header. */
export const wrappings = {
  base64: (text: string) => Buffer.from(text).toString("base64"),
  base64url: (text: string) => Buffer.from(text).toString("base64url"),
  "base64 of UTF-16": (text: string) => Buffer.from(text, "utf16le").toString("base64"),
  "base64 twice": (text: string) => btoa(Buffer.from(text).toString("base64")),
  "half of its base64": (text: string) =>
    Buffer.from(text)
      .toString("base64")
      .slice(0, text.length / 2),
  "JSON itself": (text: string) => text.replace(/[^\x20-\x7e]/g, "?"),
} as const;

const makeWeighted = <Kind>(usual: Kind, weight: number, ...others: readonly Kind[]) =>
  fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) });

const spoiler = fc.oneof(
  { weight: 6, arbitrary: fc.constant<CorruptionName>("as it is") },
  { weight: 1, arbitrary: fc.constantFrom(...listNames(spoilers)) },
);
const contentType = makeWeighted(
  "application/json",
  9,
  "",
  "text/plain",
  "application/json; charset=utf-16",
  "application/problem+json",
  "APPLICATION/JSON",
  "multipart/form-data; boundary=x",
  "application/x-www-form-urlencoded",
  "application/json, text/plain",
  "application/jsonp",
);
/**
 * The unusual parts of paths in these requests contain only characters that the HTTP parser of Node.js accepts. If a path contained a
 * character that Node.js refuses, the request would never reach the service.
 */
const pathNoise = makeWeighted(
  "",
  14,
  "/",
  "//",
  "/..",
  "/.",
  "%00",
  "%2e%2e%2f",
  "%zz",
  "%",
  ";a=b",
  "\\",
  "'",
  "/../../../../etc/passwd",
  "x".repeat(7_000),
);
const queryNoise = makeWeighted(
  "",
  6,
  "limit=%zz",
  "limit=1&limit=2",
  "limit=-1",
  "limit=1e9",
  "cursor=%00",
  `cursor=${btoa('{"pk":"x"}')}`,
  "cursor=e30=",
  "cursor=bnVsbA",
  "stock=%F0%9F%98%80",
  "stock[]=AAPL",
  "part=-1",
  "part=99999999999999999999",
  "part=%31",
  "__proto__=1&constructor=2",
  "&&==&=",
  "?",
  "%",
  `a=${"b".repeat(5_000)}`,
);
const headerNoise = makeWeighted<Readonly<Record<string, string>>>(
  {},
  6,
  { origin: "https://evil.example" },
  { origin: "null" },
  { origin: "" },
  { "sec-fetch-site": "cross-site" },
  { "if-none-match": "*" },
  { "if-none-match": `W/"${"x".repeat(2_000)}"` },
  { "x-forwarded-for": "::1, ' OR 1=1" },
  { "x-origin-secret": "guess" },
  { "x-http-method-override": "DELETE" },
  { host: "evil.example" },
  { accept: "\u00ff\u0080" },
  { "accept-encoding": "br;q=NaN" },
  { cookie: "session=" },
  { cookie: `session=${"a".repeat(4_000)}` },
  { cookie: "session=%00; session=\u00ff;;;=; a" },
  { cookie: "__proto__=x; constructor=y" },
  { "content-encoding": "gzip" },
  { "payment-signature": "" },
  { "payment-signature": "bm90IGEgcGF5bWVudA==" },
  { "payment-signature": "e30=", "x-payment": "W10=" },
  { "payment-signature": btoa("null") },
  { "x-amzn-trace-id": "Root=x", "user-agent": "" },
);
const method = makeWeighted("", 14, "GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "PROPFIND");

/** Routes that can end the session of the request's cookie. */
const ending: ReadonlySet<RouteId> = new Set(["auth-logout", "auth-verify", "sessions-end"]);

/**
 * Makes requests that depend only on the seed. The first requests go to each route once, and the later requests go mostly to routes that
 * take a body.
 */
export function makeRequests(world: FuzzWorld, seed: number, count: number): readonly FuzzRequest[] {
  const each = routes.map(({ id, method, access }) => ({
    weight: method === "POST" ? 6 : access.length > 0 ? 3 : 1,
    arbitrary: makeRequestsTo(world, id),
  }));
  const first = each.flatMap(({ arbitrary }) => fc.sample(arbitrary, { seed, numRuns: 1 }));
  return [...first, ...fc.sample(fc.oneof(...each), { seed, numRuns: count })].slice(0, count);
}

/**
 * Lists the query parameters of pages, feeds and files, because the OpenAPI document does not list them. All parameters of pages, feeds and
 * files are strings.
 */
function listParameters({ path, query = [] }: Route) {
  const text = { schema: { type: "string" } };
  return [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({ name, in: "path", ...text })),
    ...query.map((name) => ({ name, in: "query", ...text })),
  ];
}

/**
 * Parameters and the bodies of payment requests are rarely changed, because a request with only one kind of change passes more of a route's
 * checks.
 */
const seldomChanged = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Mutations>([]) },
  { weight: 1, arbitrary: mutations },
);

function makeRequestsTo(
  { document, named, cookies, endable, payers, service }: FuzzWorld,
  id: RouteId,
): fc.Arbitrary<FuzzRequest> {
  const row = routes.find((route) => route.id === id);
  const operation = document.paths[row?.path ?? ""]?.[row?.method.toLowerCase() ?? ""];
  if (row === undefined) throw new TypeError(`No route ${id}`);
  const { schemas } = document.components;
  const makeArbitrary = (schema: unknown) => makeValues(schema, schemas, named);
  const parameters = operation === undefined ? listParameters(row) : (operation.parameters ?? []);
  const values = parameters
    .filter((one) => one.in !== "header")
    .map(({ name, in: place, schema }) => {
      const known = named[name];
      const good =
        known === undefined
          ? makeArbitrary(schema)
          : fc.oneof(
              { weight: 4, arbitrary: fc.constantFrom(...known) },
              { weight: 1, arbitrary: makeArbitrary(schema) },
            );
      const texts = fc
        .tuple(good, seldomChanged)
        .map(([value, changes]) => formatValue(mutate(value, changes)));
      const given = place === "path" ? texts : fc.option(texts, { freq: 1, nil: undefined });
      return given.map((text) => ({ name, place, text }));
    });
  const body = operation?.requestBody?.content["application/json"]?.schema;
  const paid = id === "pay-treasury" || id === "pay-publisher";
  const json =
    body === undefined
      ? fc.constant(undefined)
      : fc.tuple(
          makeArbitrary(body),
          paid ? seldomChanged : mutations,
          paid ? fc.constant<CorruptionName>("as it is") : spoiler,
        );
  const payment: fc.Arbitrary<Payment> = fc.record({
    payer: fc.nat(payers - 1),
    changes: mutations,
    spoiler,
    wrapped: makeWeighted("base64", 8, ...listNames(wrappings)),
    header: makeWeighted("payment-signature", 4, "x-payment"),
  });
  return fc
    .record({
      values: fc.tuple(...values),
      cookie: fc.constantFrom(...(ending.has(id) ? endable : cookies)),
      json,
      contentType,
      pathNoise,
      queryNoise,
      headerNoise,
      method,
      payment: paid ? fc.option(payment, { freq: 5, nil: undefined }) : fc.constant(undefined),
    })
    .map((made) => {
      const path = row.path.replace(/\{(\w+)\}/g, (_, name) =>
        encodePath(made.values.find((value) => value.place === "path" && value.name === name)?.text ?? ""),
      );
      const query = new URLSearchParams(
        made.values.flatMap(({ name, place, text }) =>
          place === "query" && text !== undefined ? [[name, text]] : [],
        ),
      );
      const asked = [query.toString(), made.queryNoise].filter((part) => part !== "").join("&");
      const text =
        made.json === undefined
          ? undefined
          : spoilers[made.json[2]](JSON.stringify(mutate(made.json[0], made.json[1])));
      return {
        route: id,
        method: made.method === "" ? row.method : made.method,
        target: `${path}${made.pathNoise}${asked === "" ? "" : `?${asked}`}`,
        headers: {
          ...(row.caller === "site" && { origin: service.origin }),
          ...(text !== undefined && made.contentType !== "" && { "content-type": made.contentType }),
          ...(made.cookie !== undefined && { cookie: made.cookie }),
          ...made.headerNoise,
        },
        body: text,
        payment: made.payment,
      };
    });
}

function listNames<Name extends string>(record: Readonly<Record<Name, unknown>>): readonly Name[] {
  const entries: readonly [Name, unknown][] = Object.entries<unknown>(record).map(([name, value]) => [
    z.custom<Name>((given) => typeof given === "string" && given in record).parse(name),
    value,
  ]);
  return entries.map(([name]) => name);
}

function formatValue(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Percent-encodes the characters that a request line must not contain. */
function encodePath(text: string): string {
  return text
    .slice(0, 4_000)
    .toWellFormed()
    .replace(/[^\w.~!$&'()*+,;=:@-]/gu, (sign) => encodeURIComponent(sign));
}
