import * as Discovery from "../../core/discovery/index.ts";
import { description } from "../../core/mcp/schema.ts";
import type { Settings } from "../../core/port/settings.ts";
import { signedReadHeader } from "../browser.ts";
import { cookieName } from "../lib/reply.ts";
import { bodyLimit, type Route, type RouteId, routes } from "../routes.ts";
import { paying } from "./paying.ts";
import { drafting, publishing } from "./publishing.ts";
import { documents, reading } from "./reading.ts";
import { refusal } from "./sample.ts";
import {
  type Answer,
  type Example,
  type Header,
  type Json,
  type Operation,
  type Operations,
  type Parameter,
  type Refusals,
  refTo,
  schemas,
  tags,
} from "./schemas.ts";
import { chain, signingIn } from "./wallets.ts";

/** MCP over streamable HTTP: stateless, one message a request, JSON answers. */
const agents = (settings: Pick<Settings, "origin">): Pick<Operations, "mcp" | "mcp-stream"> => ({
  mcp: {
    tag: "Agents",
    summary: "Call a tool over MCP",
    description:
      'Streamable HTTP without sessions and streams. Free tools: search_presses, preview_press, audit_report, stock_quote, author, receipt. buy_press sells a press for two payments in _meta["x402/payment"], one a call: leg fee, then leg publisher.',
    body: "McpMessage",
    answers: {
      200: { description: "The answer.", schema: "McpAnswer" },
      202: { description: "It was a notification." },
      400: {
        description:
          "Not JSON (-32700), no valid message or more than one (-32600), or an unknown version of MCP (-32000).",
        schema: "McpAnswer",
      },
    },
    examples: {
      ping: {
        summary: "Whether it is there",
        body: { jsonrpc: "2.0", id: 2, method: "ping" },
        status: 200,
        answer: { jsonrpc: "2.0", id: 2, result: {} },
      },
    },
  },
  "mcp-stream": {
    tag: "Agents",
    summary: "What the MCP endpoint is",
    description: "A client of MCP that asks for a stream here is answered 405 and goes on without it.",
    headers: { accept: { description: "text/event-stream is refused.", schema: { type: "string" } } },
    answers: { 200: { description: "Its tools, and how it is paid.", schema: "McpDescription" } },
    refusals: {
      405: { post_only: "A stream was asked for, or the end of a session: send messages by POST." },
    },
    examples: {
      description: { summary: "Its description", status: 200, answer: description(settings.origin) },
      stream: refusal(
        405,
        "post_only",
        "Send one JSON-RPC message by POST: there are no streams here.",
        "A client asks for a stream",
        { headers: { accept: "text/event-stream" } },
      ),
    },
  },
});

/** What the document says of every route; a route without it does not compile. */
export function operations(settings: Settings): Operations {
  return {
    ...reading(settings),
    ...paying(settings),
    ...agents(settings),
    ...signingIn(settings),
    ...chain(settings),
    ...publishing(settings),
    ...drafting,
    ...documents(settings),
  };
}

const texts = new WeakMap<Settings, string>();

/** The document as text, made once for a container's settings. */
export function openApiText(settings: Settings): string {
  const made = texts.get(settings) ?? JSON.stringify(openApi(settings));
  texts.set(settings, made);
  return made;
}

/** Of the API's form, not of the service: it grows with every change that a caller can see. */
const apiVersion = "1.0.0";

/** Every route with its forms, refusals and examples, in OpenAPI 3.1 (design §2). A constant for a stage. */
export function openApi(settings: Settings): Readonly<Record<string, Json>> {
  const { llms, developers } = Discovery.links(settings);
  const described = operations(settings);
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes) {
    paths[route.path] = {
      ...paths[route.path],
      [route.method.toLowerCase()]: operationOf(route, described[route.id]),
    };
  }
  return {
    openapi: "3.1.1",
    info: {
      title: Discovery.serviceName,
      version: apiVersion,
      description: Discovery.serviceDescription,
      "x-guidance": [...Discovery.endpointLines(settings), ...Discovery.flow(settings)].join("\n"),
    },
    externalDocs: { url: developers, description: "For developers" },
    servers: [{ url: settings.origin }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: schemas(),
      securitySchemes: {
        session: {
          type: "apiKey",
          in: "cookie",
          name: cookieName(settings.origin),
          description: "From a sign-in, or from a publisher payment; 30 days.",
        },
        siwx: {
          type: "apiKey",
          in: "header",
          name: signedReadHeader,
          // How directories tell a wallet's signature from an API key.
          "x-agentcash-auth-kind": "siwx",
          description: "x402's sign-in-with-x: a wallet's signature for one read.",
        },
      },
    },
    "x-discovery": { llmsTxtUrl: llms },
  };
}

function operationOf(route: Route, operation: Operation): Json {
  const { tag, summary, description, extensions = {} } = operation;
  const parameters = parametersOf(operation);
  return {
    operationId: camelCase(route.id),
    tags: [tag],
    summary,
    description,
    security: security(route),
    ...(parameters.length > 0 && { parameters }),
    ...requestBody(operation),
    responses: answersOf(route, operation),
    ...extensions,
  };
}

/** A payer needs no session: the payment says who pays. What anybody may read, a session may read more of. */
function security({ method, caller, cache }: Route): Json {
  if (caller === "session" || caller === "publisher") return [{ session: [] }];
  if (method !== "GET") return [];
  if (typeof cache === "object" && cache.bySession === true) return [{}, { session: [] }, { siwx: [] }];
  return cache === "personal" ? [{}, { session: [] }] : [];
}

const places = ["path", "query", "headers"] as const;

function parametersOf(operation: Operation): readonly Json[] {
  return places.flatMap((place) =>
    Object.entries<Parameter>(operation[place] ?? {}).map(([name, { description, schema }]) => {
      const examples = examplesOf(operation, (example) => example[place]?.[name]);
      return {
        name,
        in: place === "headers" ? "header" : place,
        required: place === "path",
        description,
        schema,
        ...examples,
      };
    }),
  );
}

function requestBody(operation: Operation): { readonly requestBody?: Json } {
  const { body } = operation;
  if (body === undefined) return {};
  const schema = typeof body === "string" ? refTo(body) : { oneOf: body.map(refTo) };
  const content = { schema, ...examplesOf(operation, (example) => example.body) };
  return { requestBody: { required: true, content: { "application/json": content } } };
}

/** The examples that have something there, under their names. */
function examplesOf(
  { examples }: Operation,
  part: (example: Example) => Json | undefined,
): { readonly examples?: Json } {
  const named = Object.entries(examples).flatMap(([name, example]) => {
    const value = part(example);
    return value === undefined ? [] : [[name, { summary: example.summary, value }]];
  });
  return named.length === 0 ? {} : { examples: Object.fromEntries(named) };
}

function camelCase(id: RouteId | string): string {
  return id.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

const retryAfter: Header = {
  description: "Seconds after which the same request may succeed.",
  schema: { type: "integer" },
};

/** The statuses that tell when to come back (design §2). */
const retryable = new Set([429, 503]);

const etag: Header = { description: "Entity tag (RFC 9110): send it as If-None-Match." };

/** Every answer of an operation by its status, with the examples that end in it. */
function answersOf(route: Route, operation: Operation): Json {
  const given = Object.entries({ ...operation.answers, ...notModified(route) }).map(([status, answer]) => [
    status,
    answered(operation, Number(status), Number(status) === 200 ? tagged(route, answer) : answer),
  ]);
  const refused = Object.entries(refusalsOf(route, operation)).map(([status, codes]) => [
    status,
    refusalOf(operation, Number(status), codes),
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
          ...answerExamples(operation, status),
        },
      },
    }),
  };
}

function refusalOf(operation: Operation, status: number, codes: Readonly<Record<string, string>>): Json {
  const lines = Object.entries(codes).map(([code, when]) => (code === "" ? when : `\`${code}\`: ${when}`));
  return {
    description: lines.join("\n\n"),
    // The gateway's own 429 has none.
    ...(retryable.has(status) && {
      headers: headersOf({ "retry-after": { ...retryAfter, always: status === 503 } }),
    }),
    content: { "application/json": { schema: refTo("Problem"), ...answerExamples(operation, status) } },
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

function answerExamples({ examples }: Operation, status: number): { readonly examples?: Json } {
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
