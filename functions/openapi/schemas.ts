import * as z from "zod";
import {
  Audited,
  AuditedPress,
  AuditInput,
  AuditReport,
  Disputed,
  DisputeInput,
} from "../../core/audit/schema.ts";
import { DiscoveryDocument, Endpoint } from "../../core/discovery/schema.ts";
import { Angles, AnglesInput, Generated, GenerateInput } from "../../core/draft/schema.ts";
import { History } from "../../core/history/schema.ts";
import { Quote, Stock, StockList } from "../../core/market/schema.ts";
import {
  FeePaid,
  PayInput,
  PaymentPayload,
  PaymentReceipt,
  PaymentRequired,
  PaymentRequirements,
  TextPaid,
} from "../../core/payment/schema.ts";
import {
  AuditSummary,
  Dashboard,
  DashboardPress,
  Minted,
  MintedInput,
  Press,
  PressDetail,
  PressList,
  Registration,
  Saved,
  SaveInput,
} from "../../core/press/schema.ts";
import { batchLimit, RpcAnswer, RpcRequest } from "../../core/relay/schema.ts";
import {
  Caller,
  Challenge,
  Ended,
  EndInput,
  NonceInput,
  OwnSession,
  SessionList,
  SignedIn,
  SignedOut,
  VerifyInput,
} from "../../core/session/schema.ts";
import { ReportFile } from "../../core/verdict/schema.ts";
import { RecordInput, Tally } from "../../core/vote/schema.ts";

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
  transaction: z.string().optional().describe("Of a settlement_pending: the payment that was sent."),
  updatedAt: z.string().optional().describe("Of a stale_draft: the time of the draft that is stored."),
});

/** Whatever stands in the document. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** What callers send, by its name in the document. */
const sent = {
  AnglesInput,
  AuditInput,
  DisputeInput,
  EndInput,
  GenerateInput,
  MintedInput,
  NonceInput,
  PayInput,
  PaymentPayload,
  RecordInput,
  RpcRequest,
  RpcRequests: z.array(RpcRequest).min(1).max(batchLimit),
  SaveInput,
  VerifyInput,
} as const;

/** What they are answered. */
const answered = {
  Angles,
  Audited,
  AuditedPress,
  AuditReport,
  AuditSummary,
  Caller,
  Challenge,
  Dashboard,
  DashboardPress,
  DiscoveryDocument,
  Disputed,
  Ended,
  Endpoint,
  FeePaid,
  Generated,
  History,
  Minted,
  OpenApiDocument: z
    .looseObject({ openapi: z.string(), info: z.looseObject({}), paths: z.looseObject({}) })
    .describe("OpenAPI 3.1 (spec.openapis.org/oas)."),
  OwnSession,
  PaymentReceipt,
  PaymentRequired,
  PaymentRequirements,
  Press,
  PressDetail,
  PressList,
  Problem,
  Quote,
  Registration,
  ReportFile,
  RpcAnswer,
  RpcAnswers: z.array(RpcAnswer),
  Saved,
  SessionList,
  SignedIn,
  SignedOut,
  Stock,
  StockList,
  Tally,
  Text: z.string(),
  TextPaid,
} as const;

export type SchemaName = keyof typeof sent | keyof typeof answered;

export function refTo(name: SchemaName): { readonly $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

/** Every schema of the document, made from the one that the code parses with. */
export function schemas(): Readonly<Record<string, Json>> {
  return { ...described(sent, "input"), ...described(answered, "output") };
}

/** A query's parameters, from the schema that it is read by. */
export function parametersOf(
  query: z.ZodObject,
): Readonly<Record<string, { description: string; schema: Json }>> {
  const { properties = {} } = z.toJSONSchema(query, { io: "input", override: plain });
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      const { description = "", ...schema } = z.record(z.string(), z.json()).parse(property);
      return [name, { description: String(description), schema }];
    }),
  );
}

function described(all: Readonly<Record<string, z.ZodType>>, io: "input" | "output") {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(all)) registry.add(schema, { id });
  const made = z.toJSONSchema(registry, { io, uri: (id) => `#/components/schemas/${id}`, override: plain });
  return Object.fromEntries(
    Object.entries(made.schemas).map(([name, { $id, $schema, ...schema }]) => [name, z.json().parse(schema)]),
  );
}

type Override = NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>["override"]>;

/**
 * Leaves out what is true of our code only: `readOnly` means another thing in OpenAPI, every integer has the bounds of
 * JavaScript's, and an answer may come to have fields that it has not today.
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
