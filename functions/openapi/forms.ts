import * as z from "zod";
import type { Refusal } from "../../core/catalogue/schema.ts";
import type { Settings } from "../../core/port/settings.ts";
import { PriceUsdg } from "../../core/press/input.ts";
import { toUsdg } from "../../core/press/schema.ts";
import { Problem } from "../lib/reply.ts";
import type { ApiRouteId } from "../routes.ts";
import { article, id, publisher, publisherTx, slug } from "./sample.ts";
import * as schemas from "./schemas.ts";

export const tags = {
  Reading: "Presses, audits and market data; all are free except a press's text.",
  Agents: "Reading and buying for language models, over MCP.",
  Paying: "Two x402 payments unlock a press.",
  "Signing in": "A wallet signs a message and gets a session cookie.",
  Chain: "RPC relay and votes.",
  Publishing: "From a draft to a live press; only for the caller's own presses.",
  Drafting: "Angles and drafts by a model.",
  Discovery: "What the service is.",
} as const;

/** The parameters in paths, by the names that they have in routes. */
const PathParameters = z.object({
  slug: z.string().describe("The slug of a press, from the list of presses.").meta({ example: slug }),
  id: z
    .int()
    .min(1)
    .describe("The internal id of the press, or the AI draft's generationId.")
    .meta({ example: id }),
  symbol: z.string().describe("The ticker of a stock token.").meta({ example: article.stock }),
  address: z.string().describe("The wallet of a publisher.").meta({ example: publisher }),
  transaction: z
    .string()
    .describe("The hash of a settlement, in upper or lower case.")
    .meta({ example: publisherTx }),
});

/** JSON that is encoded in base64, as in x402's headers. */
export function describeBase64Json(name?: FormName) {
  const form = { contentEncoding: "base64", contentMediaType: "application/json" } as const;
  return name === undefined ? form : { ...form, contentSchema: makeSchemaReference(name) };
}

/** A request header whose value is JSON in base64. */
export function makeEncodedHeader(description: string, form?: FormName): z.ZodString {
  return z.string().describe(description).meta(describeBase64Json(form));
}

type RequestValues = Readonly<Record<string, string | number>>;

/**
 * An example consists of a request and the answer to the request. In the OpenAPI document, the request and the answer both have the
 * example's name. A test sends every example request to a running service.
 */
export type Example = {
  readonly summary?: string;
  /** The values of this example's path parameters, if they differ from the parameters' usual values. */
  readonly path?: RequestValues;
  readonly query?: RequestValues;
  readonly headers?: RequestValues;
  readonly body?: Json;
  /** The status of the answer; 200 by default. */
  readonly status?: number;
  readonly answer?: Json;
};

/** An answer without a schema has no body. The headers of an answer are written as in the OpenAPI document. */
export type AnswerDescription = {
  readonly description: string;
  readonly form?: FormName | readonly FormName[];
  readonly headers?: Readonly<Record<string, Json>>;
};

/** A text header of an answer; `required` means that every answer of this kind has the header. */
export function makeTextHeader(
  description: string,
  required = true,
  form: Readonly<Record<string, Json>> = {},
) {
  return { description, required, schema: { type: "string", ...form } };
}

/** The details of a route that the OpenAPI document needs, but that the route's row does not contain. */
type OperationDetails = {
  /** The first sentence of the description becomes the operation's summary. */
  readonly description: string;
  readonly query?: z.ZodObject;
  readonly headers?: z.ZodObject;
  readonly body?: FormName | readonly FormName[];
  /** The schema of the answer with status 200, and the answer's headers. */
  readonly answer: FormName | readonly FormName[];
  readonly answerHeaders?: AnswerDescription["headers"];
  readonly otherAnswers?: Readonly<Record<number, AnswerDescription>>;
  /** The operation's own refusals, in addition to the refusals of every route of its kind. */
  readonly refusals?: readonly Refusal[];
  /** The operation's only example. An operation without an example is shown with an empty request. */
  readonly example?: Example;
  readonly examples?: Readonly<Record<string, Example>>;
  /** OpenAPI extensions: fields whose names begin with `x-`. */
  readonly extensions?: Readonly<Record<`x-${string}`, Json>>;
};

export type Operation = OperationDetails & {
  readonly tag: keyof typeof tags;
  readonly examples: Readonly<Record<string, Example>>;
};

/** The operations under one tag. */
export function addTag<Id extends ApiRouteId>(
  tag: keyof typeof tags,
  written: Readonly<Record<Id, OperationDetails>>,
): Readonly<Record<Id, Operation>> {
  return mapValues(written, ({ example = {}, ...operation }) => ({
    tag,
    examples: { example },
    ...operation,
  }));
}

export function mapValues<Key extends string, Value, Made>(
  values: Readonly<Record<Key, Value>>,
  make: (value: Value, name: string) => Made,
): Record<Key, Made>;
export function mapValues(values: object, make: (value: unknown, name: string) => unknown) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, make(value, name)]));
}

/** Any part of the OpenAPI document. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** The schemas of inputs and answers by their names in `schemas.ts`, and a few other schemas. */
const forms = {
  ...schemas,
  // In the OpenAPI document, the schema of a press in lists is simply named "Press".
  Press: schemas.ListedPress,
  ListedPress: undefined,
  Problem,
  RpcRequests: z.array(schemas.RpcRequest).min(1).max(schemas.batchLimit),
  RpcAnswers: z.array(schemas.RpcAnswer),
} as const;

type Forms = typeof forms;

/** The name of a schema in the OpenAPI document. */
export type FormName = { [Name in keyof Forms]: Forms[Name] extends z.ZodType ? Name : never }[keyof Forms];

const prefix = "#/components/schemas/";

export function makeSchemaReference(name: FormName): { readonly $ref: string } {
  return { $ref: `${prefix}${name}` };
}

/** The schemas of values that callers send. Every schema outside this list belongs to an answer. */
const sentForms = /(Input|^(McpMessage|PaymentPayload|RpcRequests?|TransferAuthorization))$/;

/** The schemas to which `paths` refers, and all schemas that these schemas contain, with the minimum price of the stage. */
export function findUsedSchemas(
  paths: Json,
  settings: Pick<Settings, "minPriceUnits">,
): Readonly<Record<string, Json>> {
  const all = { ...describeSchemas("output", settings), ...describeSchemas("input", settings) };
  const used: Record<string, Json> = {};
  const waiting: Json[] = [paths];
  for (const one of waiting) {
    for (const [, name = ""] of JSON.stringify(one).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      const form = all[name];
      if (form === undefined || used[name] !== undefined) continue;
      used[name] = form;
      waiting.push(form);
    }
  }
  return Object.fromEntries(Object.entries(used).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * Whether a schema gets its own entry in the OpenAPI document. The schema of a number or of a single word is written directly at each place
 * that uses the schema.
 */
function hasSchemaEntry(form: z.ZodType): boolean {
  if (form instanceof z.ZodReadonly) return hasSchemaEntry(z.instanceof(z.ZodType).parse(form.unwrap()));
  return form instanceof z.ZodObject || form instanceof z.ZodUnion || form instanceof z.ZodArray;
}

function describeSchemas(io: "input" | "output", { minPriceUnits }: Pick<Settings, "minPriceUnits">) {
  const registry = z.registry<{ id: string }>();
  for (const [id, form] of Object.entries(forms)) {
    const isSent = sentForms.test(id);
    if (!(form instanceof z.ZodType) || isSent !== (io === "input") || id.endsWith("Query")) continue;
    if (hasSchemaEntry(form)) registry.add(form, { id });
  }
  const override: Override = (context) => {
    simplifySchema(context);
    if (context.zodSchema === PriceUsdg && minPriceUnits !== undefined)
      context.jsonSchema.minimum = toUsdg(minPriceUnits);
  };
  const made = z.toJSONSchema(registry, { io, uri: (id) => `${prefix}${id}`, override });
  return mapValues(made.schemas, ({ $id, $schema, ...schema }) => z.json().parse(schema));
}

/** Makes the OpenAPI parameters for one part of a request (such as its query) from the schema of this part. */
export function makeParameters(form: z.ZodObject = z.object({})) {
  const { properties = {}, required = [] } = z.toJSONSchema(form, { io: "input", override: simplifySchema });
  return Object.entries(properties).map(([name, property]) => {
    const { description = "", ...schema } = z.record(z.string(), z.json()).parse(property);
    return { name, required: required.includes(name), description, schema };
  });
}

type Override = NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>["override"]>;

/**
 * Leaves out the parts of a schema that come only from our code: `readOnly`, which has another meaning in OpenAPI, and JavaScript's bounds
 * of integers. The rule that forbids additional fields is also left out, because answers may get new fields later.
 */
const simplifySchema: Override = ({ jsonSchema, zodSchema }) => {
  delete jsonSchema.readOnly;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.type !== "string" || jsonSchema.format === "date-time") delete jsonSchema.pattern;
  if (zodSchema instanceof z.ZodRecord && zodSchema.def.keyType instanceof z.ZodString)
    delete jsonSchema.propertyNames;
  const open = zodSchema instanceof z.ZodObject && zodSchema.def.catchall === undefined;
  if (open) delete jsonSchema.additionalProperties;
};

export const pathParameters = makeParameters(PathParameters);
