import * as z from "zod";
import { meanings, type Refusal } from "../../core/catalogue/schema.ts";
import * as Discovery from "../../core/discovery/index.ts";
import type { Settings } from "../../core/port/settings.ts";
import { sessionDays } from "../../core/session/schema.ts";
import { signedReadHeader } from "../browser.ts";
import { findCookieName } from "../lib/reply.ts";
import { type Access, type ApiRouteId, type Route, routes } from "../routes.ts";
import type { AnswerDescription, FormName, Json, Operation } from "./forms.ts";
import * as Forms from "./forms.ts";
import { listPayOperations } from "./paying.ts";
import { drafting, listPublishOperations } from "./publishing.ts";
import { listAgentOperations, listDiscoveryOperations, reading } from "./reading.ts";
import { listChainOperations, signingIn } from "./wallets.ts";

/** The OpenAPI document's entry for every route of the API. The compiler reports a route without an entry. */
export function listOperations(settings: Settings): Readonly<Record<ApiRouteId, Operation>> {
  return {
    ...reading,
    ...listPayOperations(settings),
    ...listAgentOperations(settings),
    ...signingIn,
    ...listChainOperations(settings),
    ...listPublishOperations(settings),
    ...drafting,
    ...listDiscoveryOperations(settings),
  };
}

/**
 * The version of the API, which differs from the version of the service. The version of the API rises with every change that a caller can
 * see.
 */
const apiVersion = "1.0.0";

/**
 * Every route of the API with its schemas, refusals and examples, in OpenAPI 3.1 (design §2). The OpenAPI document of a stage never changes
 * while the stage runs.
 */
export function makeOpenApi(settings: Settings): Readonly<Record<string, Json>> {
  const { llms, developers, terms } = Discovery.makeLinks(settings);
  const described = listOperations(settings);
  const paths: Record<string, Record<string, Json>> = {};
  const isDescribed = (id: string): id is ApiRouteId => id in described;
  for (const route of routes) {
    const { id, path, method } = route;
    if (!isDescribed(id)) continue;
    paths[path] = { ...paths[path], [method.toLowerCase()]: makeOperation(route, described[id], settings) };
  }
  return {
    openapi: "3.1.1",
    info: {
      title: Discovery.serviceName,
      version: apiVersion,
      description: Discovery.serviceDescription,
      termsOfService: terms,
      contact: { name: Discovery.serviceName, url: `${settings.origin}/contact` },
      "x-guidance": [...Discovery.listEndpointLines(settings), ...Discovery.listPurchaseSteps(settings)].join(
        "\n",
      ),
    },
    externalDocs: { url: developers, description: "For developers" },
    servers: [{ url: settings.origin }],
    tags: Object.entries(Forms.tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: Forms.findUsedSchemas(paths, settings),
      securitySchemes: {
        session: {
          type: "apiKey",
          in: "cookie",
          name: findCookieName(settings.origin),
          description: `Set by a sign-in or by a publisher payment; valid for ${sessionDays} days.`,
        },
        siwx: {
          type: "apiKey",
          in: "header",
          name: signedReadHeader,
          // This extension lets API directories distinguish a wallet's signature from an API key.
          "x-agentcash-auth-kind": "siwx",
          description: "x402's sign-in-with-x: a wallet's signature for one read.",
        },
      },
    },
    "x-discovery": { llmsTxtUrl: llms },
  };
}

function makeOperation(route: Route, operation: Operation, { origin }: Settings): Json {
  const { tag, body, extensions = {} } = operation;
  const [summary = "", description = ""] = operation.description.split(/(?<=^[^.]+)\. /);
  const parameters = listParameters(route, operation, origin);
  const sent = body !== undefined && makeContent(operation, body, (example) => example.body);
  return {
    operationId: route.id.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
    tags: [tag],
    summary,
    description,
    security: describeSecurity(route),
    ...(parameters.length > 0 && { parameters }),
    ...(sent !== false && { requestBody: { required: true, ...sent } }),
    responses: Forms.mapValues(
      listAnswers(route, operation),
      ({ description, form, headers = {} }, status) => ({
        description,
        ...(Object.keys(headers).length > 0 && { headers }),
        ...(form !== undefined &&
          makeContent(operation, form, (example) =>
            Number(status) === (example.status ?? 200) ? example.answer : undefined,
          )),
      }),
    ),
    ...extensions,
  };
}

/**
 * A payer needs no session, because the payment says who pays. On public routes, the answer can contain more for a caller with a session.
 */
function describeSecurity({ method, caller, cache }: Route): Json {
  if (caller === "session" || caller === "publisher") return [{ session: [] }];
  if (method !== "GET") return [];
  if (typeof cache === "object" && cache.bySession === true) return [{}, { session: [] }, { siwx: [] }];
  return cache === "personal" ? [{}, { session: [] }] : [];
}

function listParameters(route: Route, operation: Operation, origin: string): readonly Json[] {
  const ofSite = z.object({ origin: z.literal(origin).describe("Must be the site's own origin.") });
  const placed = {
    path: Forms.pathParameters.filter(({ name }) => route.path.includes(`{${name}}`)),
    query: Forms.makeParameters(operation.query),
    // A request needs no header except the origin.
    headers: Forms.makeParameters(
      route.caller === "site" && route.method === "POST" ? ofSite : operation.headers?.partial(),
    ),
  };
  return (["path", "query", "headers"] as const).flatMap((part) =>
    placed[part].map(({ name, ...described }) => ({
      name,
      in: part === "headers" ? "header" : part,
      ...described,
      ...listExamples(operation, (example) => example[part]?.[name]),
    })),
  );
}

type PartPicker = (example: Forms.Example) => Json | undefined;

function makeContent(operation: Operation, form: FormName | readonly FormName[], part: PartPicker) {
  const schema: Json =
    typeof form === "string"
      ? Forms.makeSchemaReference(form)
      : { oneOf: form.map(Forms.makeSchemaReference) };
  return { content: { "application/json": { schema, ...listExamples(operation, part) } } };
}

/** Lists the operation's examples that contain a value for the given part of the operation, under the examples' names. */
function listExamples({ examples }: Operation, part: PartPicker): { readonly examples?: Json } {
  const named = Object.entries(examples).flatMap(([name, example]) => {
    const value = part(example);
    const { summary } = example;
    return value === undefined ? [] : [[name, { ...(summary !== undefined && { summary }), value }]];
  });
  return named.length === 0 ? {} : { examples: Object.fromEntries(named) };
}

const etag = "Entity tag (RFC 9110): send it as If-None-Match.";

/**
 * If caches are allowed to keep an answer, the answer has an entity tag, and a later request with this tag can get status 304. A personal
 * answer has no entity tag.
 */
function listAnswers(route: Route, operation: Operation): Readonly<Record<string, AnswerDescription>> {
  const { cache } = route;
  const { answer, answerHeaders, otherAnswers } = operation;
  const isKept = typeof cache === "object";
  return {
    ...listRefusals(route, operation),
    200: {
      description: "OK.",
      form: answer,
      headers: {
        ...answerHeaders,
        ...(isKept && { etag: Forms.makeTextHeader(etag, cache.bySession !== true) }),
      },
    },
    ...(isKept && {
      304: { description: "The answer is unchanged: it still has the ETag that If-None-Match contains." },
    }),
    ...otherAnswers,
  };
}

const ofBody = ["400 malformed_json", "400 invalid_input", "413 body_too_large", "415 not_json"] as const;

/** For each resource, the refusals that are possible on every route with access to this resource. */
const ofAccess: Readonly<Partial<Record<Access, readonly Refusal[]>>> = {
  "audit:run": ["429 model_limit", "503 model_budget_spent", "503 audit_unavailable"],
  model: ["429 model_limit", "503 model_budget_spent", "503 model_unavailable", "503 model_busy"],
  "mints:send": ["503 mint_pending", "503 confirmation_timed_out", "503 queue_unavailable"],
  "relayers:sign": [
    "503 payments_unavailable",
    "503 chain_unavailable",
    "503 signer_unavailable",
    "503 settlement_pending",
  ],
  "table:read": ["503 table_busy"],
  "table:write": ["503 table_busy"],
};

const listRefusalsIf = (holds: boolean, ...refusals: readonly Refusal[]) => (holds ? refusals : []);

/** The refusals of the operation itself, and the refusals of every route of its kind. */
function listRefusals({ caller, access, query = [] }: Route, operation: Operation) {
  const hasSession = caller === "session" || caller === "publisher";
  const all = new Set<Refusal>([
    ...(operation.refusals ?? []),
    ...listRefusalsIf(operation.body !== undefined, ...ofBody),
    ...listRefusalsIf(operation.query !== undefined, "400 invalid_input"),
    ...listRefusalsIf(query.includes("cursor"), "400 invalid_cursor"),
    ...listRefusalsIf(hasSession || caller === "site", "403 wrong_origin"),
    ...listRefusalsIf(hasSession, "401 no_session", "401 other_session"),
    ...listRefusalsIf(caller === "publisher", "401 sign_in_required"),
    ...access.flatMap((one) => ofAccess[one] ?? []),
    "429 too_many_requests",
    "431 headers_too_large",
    "500 internal",
    "503 temporarily_unavailable",
  ]);
  const byStatus = Object.groupBy(all, (refusal) => refusal.slice(0, 3));
  return Forms.mapValues(byStatus, (ones = [], status) => ({
    description: ones.map((one) => meanings.get(one)).join("\n\n"),
    form: "Problem" as const,
    headers: status === "429" || status === "503" ? { "retry-after": makeRetryHeader(status === "503") } : {},
  }));
}

/**
 * The header `retry-after` of an answer with status 429 or 503; it says when to try again (design §2). If the gateway itself sends status
 * 429, the header is missing.
 */
function makeRetryHeader(required: boolean) {
  return { description: "Seconds after which a retry may succeed.", required, schema: { type: "integer" } };
}
