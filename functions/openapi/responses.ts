import { bodyLimit, type Route } from "../routes.ts";
import type { Answer, Header, Operation, Refusals } from "./schemas.ts";
import { type Json, refTo } from "./schemas.ts";

const retryAfter: Header = {
  description: "Seconds after which the same request may succeed.",
  schema: { type: "integer" },
};

/** The statuses that tell when to come back (design §2). */
const retryable = new Set([429, 503]);

const etag: Header = { description: "Entity tag (RFC 9110): send it as If-None-Match." };

/** Every answer of an operation by its status, with the examples that end in it. */
export function answersOf(route: Route, operation: Operation): Json {
  const given = Object.entries({ ...operation.answers, ...notModified(route) }).map(([status, answer]) => [
    status,
    answered(operation, Number(status), Number(status) === 200 ? tagged(route, answer) : answer),
  ]);
  const refused = Object.entries(refusalsOf(route, operation)).map(([status, codes]) => [
    status,
    refusal(operation, Number(status), codes),
  ]);
  // What an operation says of a status itself goes before what its kind says.
  return Object.fromEntries([...refused, ...given]);
}

/** What may be kept has an entity tag; what a session makes personal has none. */
function tagged({ cache }: Route, answer: Answer): Answer {
  if (typeof cache !== "object") return answer;
  return {
    ...answer,
    headers: { ...answer.headers, etag: { ...etag, always: cache.bySession !== true } },
  };
}

function notModified({ cache }: Route): Operation["answers"] {
  return typeof cache === "object" ? { 304: { description: "It is as If-None-Match has it." } } : {};
}

function answered(operation: Operation, status: number, answer: Answer): Json {
  const { description, schema, type = "application/json", headers } = answer;
  return {
    description,
    ...(headers !== undefined && { headers: headersOf(headers) }),
    ...(schema !== undefined && {
      content: {
        [type]: {
          schema: typeof schema === "string" ? refTo(schema) : { oneOf: schema.map(refTo) },
          ...examplesOf(operation, status),
        },
      },
    }),
  };
}

function refusal(operation: Operation, status: number, codes: Readonly<Record<string, string>>): Json {
  const lines = Object.entries(codes).map(([code, when]) => (code === "" ? when : `\`${code}\`: ${when}`));
  return {
    description: lines.join("\n\n"),
    // The gateway's own 429 has none.
    ...(retryable.has(status) && {
      headers: headersOf({ "retry-after": { ...retryAfter, always: status === 503 } }),
    }),
    content: { "application/json": { schema: refTo("Problem"), ...examplesOf(operation, status) } },
  };
}

function headersOf(headers: Readonly<Record<string, Header>>): Json {
  return Object.fromEntries(
    Object.entries(headers).map(([name, { description, always = false, schema = { type: "string" } }]) => [
      name,
      { description, required: always, schema },
    ]),
  );
}

function examplesOf({ examples }: Operation, status: number): { readonly examples?: Json } {
  const named = Object.entries(examples).flatMap(([name, example]) =>
    example.status === status && example.answer !== undefined
      ? [[name, { summary: example.summary, value: example.answer }]]
      : [],
  );
  return named.length === 0 ? {} : { examples: Object.fromEntries(named) };
}

const signIn = { no_session: "No session, or expired." };
const signInToPublish = {
  sign_in_required: "A session from a payment may read but not publish.",
};
const origin = { wrong_origin: "Another site's page." };

const body: Refusals = {
  400: {
    malformed_json: "The body is not valid JSON.",
    invalid_input: "Invalid; see issues.",
  },
  413: { body_too_large: `The body is larger than ${bodyLimit / 1024} kB.` },
  415: { not_json: "Not application/json." },
};

const always: Refusals = {
  429: { "": "Too many requests; may lack this body." },
  431: {
    headers_too_large: "First line and headers above 10,240 bytes; may lack this body.",
  },
  500: { internal: "Our fault, logged under the request id." },
  503: { temporarily_unavailable: "Something we depend on failed." },
};

/** What every route of its kind may refuse, beside what the operation itself says. */
function refusalsOf(route: Route, operation: Operation): Refusals {
  return [
    operation.refusals ?? {},
    operation.body === undefined ? {} : body,
    callers[route.caller],
    route.access.some((access) => access.startsWith("table:")) ? { 503: tableBusy } : {},
    always,
  ].reduce(joined);
}

const tableBusy = { table_busy: "Other requests change the same thing; nothing was changed." };

const callers: Readonly<Record<Route["caller"], Refusals>> = {
  anyone: {},
  payer: {},
  site: { 403: origin },
  session: { 401: signIn, 403: origin },
  publisher: { 401: { ...signIn, ...signInToPublish }, 403: origin },
};

function joined(some: Refusals, others: Refusals): Refusals {
  const all = { ...some };
  for (const [status, codes] of Object.entries(others)) {
    all[Number(status)] = { ...all[Number(status)], ...codes };
  }
  return all;
}
