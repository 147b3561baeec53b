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
import { History, PaidLeg, Purchase, Purchases } from "../../core/history/schema.ts";
import { Discarded, DiscardInput, KeepInput, Kept, Manuscript } from "../../core/manuscript/schema.ts";
import { MarketWeek, Quote, Stock, StockList, StockPrices, StockWeek } from "../../core/market/schema.ts";
import { McpAnswer, McpDescription, McpMessage } from "../../core/mcp/schema.ts";
import { Minted, MintedInput } from "../../core/mint/schema.ts";
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
  Author,
  Dashboard,
  DashboardPress,
  Findings,
  ListedPress,
  PressDetail,
  PressList,
  Registration,
  Saved,
  SaveInput,
} from "../../core/press/schema.ts";
import { ReceiptList, ReceiptPayload, ReceiptSigner, SignedReceipt } from "../../core/receipt/schema.ts";
import { batchLimit, RpcAnswer, RpcRequest } from "../../core/rpc/schema.ts";
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
import type { RouteId } from "../routes.ts";

export const tags = {
  Reading: "Presses, audits and market data: free, except the text.",
  Agents: "The same for language models, over MCP.",
  Paying: "Two x402 payments unlock a press.",
  "Signing in": "A wallet's signature for a session cookie.",
  Chain: "RPC proxy and votes.",
  Publishing: "From draft to live press; own presses only.",
  Drafting: "Angles and drafts by a model.",
  Documents: "The service described.",
} as const;

export type Parameter = { readonly description: string; readonly schema: Json };

/** What a header of an answer holds; `always` when no such answer is without it. */
export type Header = { readonly description: string; readonly always?: boolean; readonly schema?: Json };

/** An answer that is no refusal. Without a schema it has no body. */
export type Answer = {
  readonly description: string;
  readonly schema?: SchemaName | readonly SchemaName[];
  /** JSON unless told otherwise. */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, Header>>;
};

/** Refusals by status, then by stable code: when they are given. */
export type Refusals = Readonly<Record<number, Readonly<Record<string, string>>>>;

type Values = Readonly<Record<string, string | number>>;

/**
 * A request as it may be sent, and how it is answered: in the document both carry the example's name. A test sends
 * every one to a running service.
 */
export type Example = {
  readonly summary: string;
  readonly path?: Values;
  readonly query?: Values;
  readonly headers?: Values;
  readonly body?: Json;
  readonly status: number;
  readonly answer?: Json;
};

/** What the document says of a route beyond its row. */
export type Operation = {
  readonly tag: keyof typeof tags;
  readonly summary: string;
  readonly description: string;
  readonly path?: Readonly<Record<string, Parameter>>;
  readonly query?: Readonly<Record<string, Parameter>>;
  readonly headers?: Readonly<Record<string, Parameter>>;
  readonly body?: SchemaName | readonly SchemaName[];
  readonly answers: Readonly<Record<number, Answer>>;
  readonly refusals?: Refusals;
  readonly examples: Readonly<Record<string, Example>>;
  /** Fields whose names begin with `x-`. */
  readonly extensions?: Readonly<Record<`x-${string}`, Json>>;
};

export type Operations = Readonly<Record<RouteId, Operation>>;

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
  updatedAt: z
    .string()
    .optional()
    .describe("Of a stale_draft or stale_manuscript: the time of what is stored, if it is there."),
  read: z
    .object({ "sign-in-with-x": z.string(), "sign-in": z.string() })
    .optional()
    .describe(
      "Of an already_unlocked: where the wallet that paid reads the text. By a sign-in-with-x header on a GET of the first address (x402's extension, good once), or by the sign-in that begins at the second.",
    ),
  press: z.int().optional().describe("Of a stale_manuscript: the press that it has become."),
});

/** Whatever stands in the document. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** What callers send, by its name in the document. */
const sent = {
  AnglesInput,
  AuditInput,
  DiscardInput,
  DisputeInput,
  EndInput,
  GenerateInput,
  KeepInput,
  McpMessage,
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
  Author,
  Caller,
  Challenge,
  Dashboard,
  DashboardPress,
  Discarded,
  DiscoveryDocument,
  Disputed,
  Ended,
  Endpoint,
  FeePaid,
  Findings,
  Generated,
  History,
  Kept,
  Manuscript,
  McpAnswer,
  McpDescription,
  MarketWeek,
  Minted,
  OpenApiDocument: z
    .looseObject({ openapi: z.string(), info: z.looseObject({}), paths: z.looseObject({}) })
    .describe("OpenAPI 3.1."),
  OwnSession,
  PaidLeg,
  PaymentReceipt,
  PaymentRequired,
  PaymentRequirements,
  Picture: z.string().describe("PNG of 1200 × 630 pixels."),
  Press: ListedPress,
  PressDetail,
  PressList,
  Problem,
  Purchase,
  Purchases,
  Quote,
  ReceiptList,
  ReceiptPayload,
  ReceiptSigner,
  Registration,
  ReportFile,
  RpcAnswer,
  RpcAnswers: z.array(RpcAnswer),
  Saved,
  SessionList,
  SignedIn,
  SignedOut,
  SignedReceipt,
  Stock,
  StockList,
  StockPrices,
  StockWeek,
  Tally,
  Text: z.string(),
  TextPaid,
} as const;

type SchemaName = keyof typeof sent | keyof typeof answered;

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
