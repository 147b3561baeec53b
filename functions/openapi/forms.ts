import * as z from "zod";
import * as Audit from "../../core/audit/schema.ts";
import type { Refusal } from "../../core/catalogue/schema.ts";
import * as Correction from "../../core/correction/schema.ts";
import * as Discovery from "../../core/discovery/schema.ts";
import * as Draft from "../../core/draft/schema.ts";
import * as History from "../../core/history/schema.ts";
import * as Manuscript from "../../core/manuscript/schema.ts";
import * as Market from "../../core/market/schema.ts";
import * as Mcp from "../../core/mcp/schema.ts";
import * as Mint from "../../core/mint/schema.ts";
import * as Move from "../../core/move/schema.ts";
import * as Payment from "../../core/payment/schema.ts";
import * as PressInput from "../../core/press/input.ts";
import * as Press from "../../core/press/schema.ts";
import * as Receipt from "../../core/receipt/schema.ts";
import * as Rpc from "../../core/rpc/schema.ts";
import * as Search from "../../core/search/schema.ts";
import * as Session from "../../core/session/schema.ts";
import * as Verdict from "../../core/verdict/schema.ts";
import * as Vote from "../../core/vote/schema.ts";
import type { DescribedId } from "../routes.ts";

export const tags = {
  Reading: "Presses, audits and market data: free, except the text.",
  Agents: "The same operations for language models, over MCP.",
  Paying: "Two x402 payments unlock a press.",
  "Signing in": "A wallet's signature for a session cookie.",
  Chain: "RPC proxy and votes.",
  Publishing: "From draft to live press; own presses only.",
  Drafting: "Angles and drafts by a model.",
  Discovery: "What the service is.",
} as const;

/** A header of an answer; `always` means that every answer of this kind has the header. */
export type Header = { readonly description: string; readonly always?: boolean; readonly schema?: Json };

/** An answer that is no refusal. An answer without a form has no body. */
export type DescribedAnswer = {
  readonly description?: string;
  readonly form?: FormName | readonly FormName[];
  readonly headers?: Readonly<Record<string, Header>>;
};

/** An internal id in a path. */
export const idOf = (description: string) => z.int().min(1).describe(description);

/** JSON in base64, as it stands in headers. */
export const encodedJson = { contentEncoding: "base64", contentMediaType: "application/json" } as const;

type RequestValues = Readonly<Record<string, string | number>>;

/**
 * An example: a request and its answer. In the document, request and answer have the example's name. A test sends every example request to
 * a running service.
 */
export type Example = {
  readonly summary: string;
  readonly path?: RequestValues;
  readonly query?: RequestValues;
  readonly headers?: RequestValues;
  readonly body?: Json;
  readonly status: number;
  readonly answer?: Json;
};

/** The part of a route's entry in the document that the route's row does not contain. */
export type Operation = {
  readonly tag: keyof typeof tags;
  readonly summary: string;
  readonly description: string;
  readonly path?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly headers?: z.ZodObject;
  readonly body?: FormName | readonly FormName[];
  /** The answer with status 200: the form of the body, or a fuller description. */
  readonly answer: FormName | DescribedAnswer;
  readonly otherAnswers?: Readonly<Record<number, DescribedAnswer>>;
  /** The operation's own refusals, in addition to the refusals of every route of its kind. */
  readonly refusals?: readonly Refusal[];
  readonly examples: Readonly<Record<string, Example>>;
  /** OpenAPI extensions: fields whose names begin with `x-`. */
  readonly extensions?: Readonly<Record<`x-${string}`, Json>>;
};

export type Operations = Readonly<Record<DescribedId, Operation>>;

/** An operation as it is written by hand. An example without a status is answered 200, and `examples` may be missing. */
type WrittenOperation = Omit<Operation, "tag" | "examples"> & {
  readonly examples?: Readonly<Record<string, Omit<Example, "status"> & { readonly status?: number }>>;
};

/** The operations under one tag. */
export function tagged<Id extends DescribedId>(
  tag: keyof typeof tags,
  written: Readonly<Record<Id, WrittenOperation>>,
): Readonly<Record<Id, Operation>>;
export function tagged(tag: keyof typeof tags, written: Readonly<Record<string, WrittenOperation>>) {
  return Object.fromEntries(
    Object.entries(written).map(([id, { examples = { all: { summary: "As it is" } }, ...rest }]) => {
      const complete = Object.entries(examples).map(([name, example]) => [name, { status: 200, ...example }]);
      return [id, { tag, ...rest, examples: Object.fromEntries(complete) }];
    }),
  );
}

/** Any part of the document. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** The body of every refusal but a 402 (design §2): what `problemReply` answers. */
export const Problem = z.object({
  error: z.string().describe("For people."),
  code: z.string().describe("Stable, for programs."),
  requestId: z.string().describe("Names the request in our log."),
  issues: z
    .array(z.object({ path: z.string(), message: z.string() }))
    .optional()
    .describe("Every refused field of the input, by its dotted path."),
  retryAfter: z.number().optional().describe("Seconds, as in the Retry-After header."),
  transaction: z.string().optional().describe("Only in a settlement_pending: the payment that was sent."),
  updatedAt: z
    .string()
    .optional()
    .describe("Only in a stale_draft or stale_manuscript: the time of the stored version, if there is one."),
  read: z
    .object({ "sign-in-with-x": z.string(), "sign-in": z.string() })
    .optional()
    .describe(
      "Only in an already_unlocked: where the wallet that paid reads the text. With a sign-in-with-x header on a GET of the first address (x402's extension, valid once), or with the sign-in that begins at the second.",
    ),
  press: z.int().optional().describe("Only in a stale_manuscript: the press that it has become."),
});

/** The inputs and answers of the nouns, by their names in `schema.ts`, and a few forms that belong to no noun. */
const forms = {
  ...Audit,
  ...Correction,
  ...Discovery,
  ...Draft,
  ...History,
  ...Manuscript,
  ...Market,
  ...Mcp,
  ...Mint,
  ...Move,
  ...Payment,
  ...Press,
  ...Receipt,
  ...Rpc,
  ...Search,
  ...Session,
  ...PressInput,
  ...Verdict,
  ...Vote,
  // For callers, the press as it stands in lists is simply called a press.
  Press: Press.ListedPress,
  ListedPress: undefined,
  Problem,
  RpcRequests: z.array(Rpc.RpcRequest).min(1).max(Rpc.batchLimit),
  RpcAnswers: z.array(Rpc.RpcAnswer),
} as const;

type Forms = typeof forms;

/** A form's name in the document. */
export type FormName = { [Name in keyof Forms]: Forms[Name] extends z.ZodType ? Name : never }[keyof Forms];

const prefix = "#/components/schemas/";

export function refTo(name: FormName): { readonly $ref: string } {
  return { $ref: `${prefix}${name}` };
}

/** The forms that `paths` refers to, and the forms that these contain. `bodies` names the forms that callers send. */
export function formsIn(paths: Json, bodies: readonly FormName[]): Readonly<Record<string, Json>> {
  const sent = new Set<string>([...bodies, "PaymentPayload", "RpcRequest", "TransferAuthorization"]);
  const all = {
    ...describeForms((name) => !sent.has(name), "output"),
    ...describeForms((name) => sent.has(name), "input"),
  };
  const used: Record<string, Json> = {};
  const waiting: Json[] = [paths];
  for (const one of waiting) {
    for (const [, name = ""] of JSON.stringify(one).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      const form = all[name];
      if (form === undefined) throw new TypeError(`The document refers to ${name}, which is no form.`);
      if (used[name] !== undefined) continue;
      used[name] = form;
      waiting.push(form);
    }
  }
  return Object.fromEntries(Object.entries(used).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** Whether a form gets its own entry. Forms of numbers and single words are written where they are used. */
function hasParts(form: z.ZodType): boolean {
  if (form instanceof z.ZodReadonly) return hasParts(z.instanceof(z.ZodType).parse(form.unwrap()));
  return form instanceof z.ZodObject || form instanceof z.ZodUnion || form instanceof z.ZodArray;
}

function describeForms(takes: (name: string) => boolean, io: "input" | "output") {
  const registry = z.registry<{ id: string }>();
  for (const [id, form] of Object.entries(forms)) {
    if (!(form instanceof z.ZodType) || !takes(id) || id.endsWith("Query")) continue;
    if (hasParts(form)) registry.add(form, { id });
  }
  const made = z.toJSONSchema(registry, { io, uri: (id) => `${prefix}${id}`, override: plain });
  return Object.fromEntries(
    Object.entries(made.schemas).map(([name, { $id, $schema, ...schema }]) => [name, z.json().parse(schema)]),
  );
}

/** Makes the parameters of a part of the request from the form of that part. */
export function parametersOf(form: z.ZodObject) {
  const { properties = {} } = z.toJSONSchema(form, { io: "input", override: plain });
  return Object.entries(properties).map(([name, property]) => {
    const { description = "", ...schema } = z.record(z.string(), z.json()).parse(property);
    return { name, description, schema };
  });
}

type Override = NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>["override"]>;

/**
 * Leaves out details of our code: `readOnly` has another meaning in OpenAPI, the bounds of integers are JavaScript's, and answers may get
 * new fields later.
 */
const plain: Override = ({ jsonSchema, zodSchema }) => {
  delete jsonSchema.readOnly;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.type !== "string" || jsonSchema.format === "date-time") delete jsonSchema.pattern;
  if (zodSchema instanceof z.ZodRecord && zodSchema.def.keyType instanceof z.ZodString)
    delete jsonSchema.propertyNames;
  const open = zodSchema instanceof z.ZodObject && zodSchema.def.catchall === undefined;
  if (open) delete jsonSchema.additionalProperties;
};
