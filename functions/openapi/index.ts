import { type Refusal, refusals } from "../../core/catalogue/schema.ts";
import * as Discovery from "../../core/discovery/index.ts";
import type { Settings } from "../../core/port/settings.ts";
import { sessionDays } from "../../core/session/schema.ts";
import { signedReadHeader } from "../browser.ts";
import { cookieName } from "../lib/reply.ts";
import { type DescribedId, type Route, routes } from "../routes.ts";
import {
  type DescribedAnswer,
  type Example,
  type FormName,
  formsIn,
  type Header,
  type Json,
  type Operation,
  type Operations,
  parametersOf,
  refTo,
  tags,
} from "./forms.ts";
import { paying } from "./paying.ts";
import { drafting, publishing } from "./publishing.ts";
import { agents, discovering, reading } from "./reading.ts";
import { chain, signingIn } from "./wallets.ts";

/** The document's entry for every route of the API; a route without an entry does not compile. */
export function operations(settings: Settings): Operations {
  return {
    ...reading,
    ...paying(settings),
    ...agents(settings),
    ...signingIn(settings),
    ...chain(settings),
    ...publishing(settings),
    ...drafting,
    ...discovering(settings),
  };
}

const texts = new WeakMap<Settings, string>();

/** The document as text, which a container makes once from its settings. */
export function openApiText(settings: Settings): string {
  const made = texts.get(settings) ?? JSON.stringify(openApi(settings));
  texts.set(settings, made);
  return made;
}

/** The version of the API, not of the service. The version of the API rises with every change that a caller can see. */
const apiVersion = "1.0.0";

/** Every route of the API with its forms, refusals and examples, in OpenAPI 3.1 (design §2). The document is constant for a stage. */
export function openApi(settings: Settings): Readonly<Record<string, Json>> {
  const { llms, developers, terms } = Discovery.links(settings);
  const described = operations(settings);
  const paths: Record<string, Record<string, Json>> = {};
  const isDescribed = (id: string): id is DescribedId => id in described;
  for (const { id, ...row } of routes) {
    if (!isDescribed(id)) continue;
    paths[row.path] = {
      ...paths[row.path],
      [row.method.toLowerCase()]: operationOf({ ...row, id }, described[id]),
    };
  }
  return {
    openapi: "3.1.1",
    info: {
      title: Discovery.serviceName,
      version: apiVersion,
      description: Discovery.serviceDescription,
      termsOfService: terms,
      contact: { name: Discovery.serviceName, url: `${settings.origin}/contact` },
      "x-guidance": [...Discovery.endpointLines(settings), ...Discovery.flow(settings)].join("\n"),
    },
    externalDocs: { url: developers, description: "For developers" },
    servers: [{ url: settings.origin }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: formsIn(
        paths,
        Object.values(described).flatMap(({ body = [] }) => body),
      ),
      securitySchemes: {
        session: {
          type: "apiKey",
          in: "cookie",
          name: cookieName(settings.origin),
          description: `From a sign-in, or from a publisher payment; ${sessionDays} days.`,
        },
        siwx: {
          type: "apiKey",
          in: "header",
          name: signedReadHeader,
          // This extension lets directories distinguish a wallet's signature from an API key.
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
  const parameters = parametersIn(operation);
  return {
    operationId: route.id.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
    tags: [tag],
    summary,
    description,
    security: security(route),
    ...(parameters.length > 0 && { parameters }),
    ...requestBody(operation),
    responses: { ...refusalsOf(route, operation), ...answersOf(route, operation) },
    ...extensions,
  };
}

/** A payer needs no session, because the payment says who pays. On public routes, a caller with a session may see more. */
function security({ method, caller, cache }: Route): Json {
  if (caller === "session" || caller === "publisher") return [{ session: [] }];
  if (method !== "GET") return [];
  if (typeof cache === "object" && cache.bySession === true) return [{}, { session: [] }, { siwx: [] }];
  return cache === "personal" ? [{}, { session: [] }] : [];
}

function parametersIn(operation: Operation): readonly Json[] {
  return (["path", "query", "headers"] as const).flatMap((part) => {
    const form = operation[part];
    if (form === undefined) return [];
    return parametersOf(form).map(({ name, ...described }) => ({
      name,
      in: part === "headers" ? "header" : part,
      required: part === "path",
      ...described,
      ...examplesOf(operation, (example) => example[part]?.[name]),
    }));
  });
}

function requestBody(operation: Operation): { readonly requestBody?: Json } {
  const { body } = operation;
  if (body === undefined) return {};
  const content = { schema: schemaOf(body), ...examplesOf(operation, (example) => example.body) };
  return { requestBody: { required: true, content: { "application/json": content } } };
}

function schemaOf(form: FormName | readonly FormName[]): Json {
  return typeof form === "string" ? refTo(form) : { oneOf: form.map(refTo) };
}

/** The examples that have a value for this part of the operation, by their names. */
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

function contentOf(operation: Operation, status: number, form: DescribedAnswer["form"]) {
  if (form === undefined) return {};
  const examples = examplesOf(operation, (example) =>
    example.status === status ? example.answer : undefined,
  );
  return { content: { "application/json": { schema: schemaOf(form), ...examples } } };
}

function headersOf(headers: Readonly<Record<string, Header>>): Json {
  return Object.fromEntries(
    Object.entries(headers).map(([name, { description, always = false, schema = { type: "string" } }]) => [
      name,
      { description, required: always, schema },
    ]),
  );
}

/** Answers that caches may keep have an entity tag and may be answered 304. Personal answers have no entity tag. */
function answersOf({ cache }: Route, operation: Operation): Readonly<Record<string, Json>> {
  const { answer, otherAnswers = {} } = operation;
  const success: DescribedAnswer = typeof answer === "string" ? { form: answer } : answer;
  const etag = { description: "Entity tag (RFC 9110): send it as If-None-Match." };
  const kept: Readonly<Record<number, DescribedAnswer>> =
    typeof cache === "object"
      ? {
          200: {
            ...success,
            headers: { ...success.headers, etag: { ...etag, always: cache.bySession !== true } },
          },
          304: { description: "Unchanged since the ETag in If-None-Match." },
        }
      : { 200: success };
  return Object.fromEntries(
    Object.entries({ ...kept, ...otherAnswers }).map(([status, { description = "OK.", form, headers }]) => [
      status,
      {
        description,
        ...(headers !== undefined && { headers: headersOf(headers) }),
        ...contentOf(operation, Number(status), form),
      },
    ]),
  );
}

const ofSession = ["401 no_session", "403 wrong_origin"] as const;

const ofCaller: Readonly<Record<Route["caller"], readonly Refusal[]>> = {
  anyone: [],
  payer: [],
  site: ["403 wrong_origin"],
  session: ofSession,
  publisher: [...ofSession, "401 sign_in_required"],
};

const ofBody = ["400 malformed_json", "400 invalid_input", "413 body_too_large", "415 not_json"] as const;
const always = [
  "429 too_many_requests",
  "431 headers_too_large",
  "500 internal",
  "503 temporarily_unavailable",
] as const;

/** The refusals of the operation itself, and the refusals of every route of its kind. */
function refusalsOf(route: Route, operation: Operation): Readonly<Record<string, Json>> {
  const all = new Set<Refusal>([
    ...(operation.refusals ?? []),
    ...(operation.body === undefined ? [] : ofBody),
    ...ofCaller[route.caller],
    ...(route.access.some((access) => access.startsWith("table:")) ? (["503 table_busy"] as const) : []),
    ...always,
  ]);
  const lines = new Map<string, readonly string[]>();
  for (const refusal of all) {
    const [status = "", code = ""] = refusal.split(" ");
    const meanings: Readonly<Record<string, string>> =
      Object.entries(refusals).find(([one]) => one === status)?.[1] ?? {};
    lines.set(status, [`\`${code}\`: ${meanings[code]}`, ...(lines.get(status) ?? [])]);
  }
  return Object.fromEntries(
    [...lines].map(([status, said]) => [
      status,
      {
        description: said.join("\n\n"),
        ...(status === "429" && { headers: headersOf({ "retry-after": retryAfter }) }),
        ...(status === "503" && { headers: headersOf({ "retry-after": { ...retryAfter, always: true } }) }),
        ...contentOf(operation, Number(status), "Problem"),
      },
    ]),
  );
}

/** The header of a 429 or 503 that says when to try again (design §2); the gateway's own 429 lacks this header. */
const retryAfter: Header = {
  description: "Seconds after which a retry may succeed.",
  schema: { type: "integer" },
};
