import type { Route } from "../routes.ts";
import { refusalsOf } from "./common.ts";
import type { Answer, Header, Operation } from "./operation.ts";
import { type Json, refTo } from "./schemas.ts";

const retryAfter: Header = {
  description: "Seconds after which the same request may succeed.",
  schema: { type: "integer" },
};

/** The statuses that tell when to come back (design §2). */
const patient = new Set([429, 503]);

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
    headers: { ...answer.headers, etag: { ...etag, always: cache.withSession === undefined } },
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
    ...(patient.has(status) && {
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
