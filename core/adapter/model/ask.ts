import {
  type BedrockRuntimeClient,
  ConverseCommand,
  type ConverseCommandInput,
  type ConverseCommandOutput,
  InternalServerException,
  ModelErrorException,
  ModelNotReadyException,
  ModelTimeoutException,
  ServiceUnavailableException,
  type StopReason,
  ThrottlingException,
} from "@aws-sdk/client-bedrock-runtime";
import * as z from "zod";
import type { ModelUsage } from "../../port/model.ts";

/** The models of a stage. The second model, which is of another family, is asked when the first model fails. */
export type Models = {
  /** A client of Bedrock that makes no retries itself, because this module decides about retries. */
  readonly client: BedrockRuntimeClient;
  readonly modelId: string;
  readonly fallbackModelId?: string | undefined;
};

type Question<Value> = Omit<Prompt, "refused"> & {
  /** The maximum number of milliseconds for all calls of the models together. */
  readonly timeLimit: number;
  /**
   * Checks the content of a model's answer after the answer's form has been checked. Returns the fault of the answer, or `undefined` if the
   * answer has no fault.
   */
  readonly fault?: (value: Value) => string | undefined;
};

type ModelOutcome<Value> =
  | { readonly modelId: string; readonly value: Value }
  /** `passing`: whether every model was only busy, so that a retry may soon succeed. */
  | { readonly modelId: undefined; readonly cause: Error; readonly passing: boolean };

/**
 * Both constants are shares of the time limit that all calls for one question have together. If there is a second model, the first model
 * may use only the share `firstShare` of the time limit. If less than `leastShare` of the time is left, no further call is made, because
 * such a short call is not worth its price.
 */
const firstShare = 0.6;
const leastShare = 0.1;

/** The number of bytes that a request needs besides its prompts: for the reason of a refusal, and for the description of the tool. */
const besides = 4_000;

/**
 * The maximum number of calls and tokens that one question can take. A model counts at most one input token for each byte of the sent text.
 */
export function listMaximumUsage<Value>(
  models: Models,
  tool: ForcedTool<Value>,
  texts: Pick<Prompt, "system" | "user">,
): readonly ModelUsage[] {
  const schema = JSON.stringify(makeToolSchema(tool.form));
  const inputTokens = Buffer.byteLength(texts.system + texts.user + schema) + besides;
  return listAttempts(models).map((model) => ({
    model,
    inputTokens,
    outputTokens: tool.maxTokens,
    counted: false,
  }));
}

function listAttempts({ modelId: first, fallbackModelId: second }: Models): readonly string[] {
  return second === undefined ? [first, first] : [first, first, second];
}

/**
 * Asks the first model. If the answer is unusable, asks the same model again and tells the model the reason. If no usable answer has come,
 * asks the second model once. A model that is down or too slow is not asked again. Failures of a model are returned, not thrown.
 */
export async function askModels<Value>(
  models: Models,
  tool: ForcedTool<Value>,
  { timeLimit, fault, ...texts }: Question<Value>,
): Promise<ModelOutcome<Value> & { readonly usage: readonly ModelUsage[] }> {
  const { client, fallbackModelId: second } = models;
  const begun = performance.now();
  const usage: ModelUsage[] = [];
  const failures: Error[] = [];
  const down = new Set<string>();
  let isBusy = true;
  let refused: string | undefined;

  async function askModel(modelId: string, timeLeft: number): Promise<{ readonly value: Value } | undefined> {
    const prompt = { ...texts, refused };
    try {
      const { answer, tokens } = await callTool(client, modelId, tool, { prompt, timeLimit: timeLeft });
      usage.push(tokens === undefined ? estimateUse(modelId) : { model: modelId, ...tokens, counted: true });
      if ("value" in answer) {
        refused = fault?.(answer.value);
        if (refused === undefined) return answer;
      } else {
        refused = answer.fault;
      }
      failures.push(new Error(`${modelId} gave an answer that cannot be used: ${refused}`));
      isBusy = false;
    } catch (cause) {
      if (mayBeCharged(cause)) usage.push(estimateUse(modelId));
      failures.push(new Error(`${modelId} failed`, { cause }));
      if (cause instanceof ModelErrorException) refused = "The call of the tool was malformed, or too long.";
      else down.add(modelId);
      isBusy &&= isTemporaryError(cause);
    }
    return undefined;
  }

  function estimateUse(modelId: string): ModelUsage {
    const characters = texts.system.length + texts.user.length;
    return {
      model: modelId,
      inputTokens: Math.ceil(characters / 3),
      outputTokens: tool.maxTokens,
      counted: false,
    };
  }

  for (const modelId of listAttempts(models)) {
    const until = modelId === second || second === undefined ? timeLimit : timeLimit * firstShare;
    const left = until - (performance.now() - begun);
    if (down.has(modelId) || left < timeLimit * leastShare) continue;
    const answer = await askModel(modelId, left);
    if (answer !== undefined) return { modelId, value: answer.value, usage };
  }
  const cause = new AggregateError(failures, failures.map(describeError).join("; "));
  return { modelId: undefined, cause, passing: isBusy, usage };
}

/**
 * Whether the provider may charge for a request that failed. A request that the provider refused before the model began costs nothing; a
 * request on which the model began to work may be charged.
 */
function mayBeCharged(error: unknown): boolean {
  const isAbort = error instanceof Error && ["AbortError", "TimeoutError"].includes(error.name);
  return isAbort || error instanceof ModelErrorException || error instanceof ModelTimeoutException;
}

function isTemporaryError(error: unknown): boolean {
  return [
    ThrottlingException,
    ServiceUnavailableException,
    ModelNotReadyException,
    InternalServerException,
  ].some((kind) => error instanceof kind);
}

function describeError({ message, cause }: Error): string {
  return cause instanceof Error ? `${message}: ${cause.name}: ${cause.message}` : message;
}

/**
 * A tool that a model has to call. The input with which the model calls the tool is the model's answer, in the form that the tool's schema
 * demands.
 */
export type ForcedTool<Value> = {
  /** The tool's name, which may contain only letters and underscores, because Nova cannot call a tool with a hyphen in its name. */
  readonly name: string;
  readonly description: string;
  readonly form: z.ZodType<Value>;
  /**
   * The maximum number of tokens in the model's reply. The model Nova returns nothing at all if its reply needs more tokens than the
   * maximum.
   */
  readonly maxTokens: number;
};

/** The prompt of a model. `refused` gives the reason why the model's previous answer was not accepted. */
type Prompt = {
  readonly system: string;
  readonly user: string;
  readonly refused: string | undefined;
};

/** A model's answer or the fault of the answer, and the numbers of tokens that the provider counted. */
type ToolReply<Value> = {
  readonly answer: { readonly value: Value } | { readonly fault: string };
  readonly tokens: { readonly inputTokens: number; readonly outputTokens: number } | undefined;
};

/**
 * Sends one request to one model through Bedrock's Converse API and asks for one call of the tool. Throws the errors of Bedrock's client.
 */
async function callTool<Value>(
  client: BedrockRuntimeClient,
  modelId: string,
  tool: ForcedTool<Value>,
  { prompt, timeLimit }: { readonly prompt: Prompt; readonly timeLimit: number },
): Promise<ToolReply<Value>> {
  const command = new ConverseCommand(makeInput(modelId, tool, prompt));
  const output = await client.send(command, { abortSignal: AbortSignal.timeout(Math.floor(timeLimit)) });
  const { inputTokens, outputTokens } = output.usage ?? {};
  return {
    answer: parseAnswer(tool, output),
    tokens:
      inputTokens === undefined || outputTokens === undefined ? undefined : { inputTokens, outputTokens },
  };
}

function makeInput<Value>(
  modelId: string,
  { name, description, form, maxTokens }: ForcedTool<Value>,
  { system, user, refused }: Prompt,
): ConverseCommandInput {
  const { inferenceConfig, ...further } = makeFamilySettings(modelId);
  const content =
    refused === undefined ? [{ text: user }] : [{ text: user }, { text: makeRetryText(name, refused) }];
  return {
    modelId,
    system: [{ text: system }],
    messages: [{ role: "user", content }],
    inferenceConfig: { maxTokens, ...inferenceConfig },
    ...further,
    toolConfig: {
      tools: [
        { toolSpec: { name, description, inputSchema: { json: z.json().parse(makeToolSchema(form)) } } },
      ],
      toolChoice: { tool: { name } },
    },
  };
}

/**
 * The settings that one family of models needs and another family refuses. Nova calls tools best with greedy decoding, as Nova's guide on
 * tools says. Since Haiku 5.5, Claude models accept no sampling settings. A tool call can be forced only while Claude's thinking is off.
 */
function makeFamilySettings(modelId: string) {
  if (/(?:^|\.)amazon\.nova-/.test(modelId)) {
    return {
      inferenceConfig: { temperature: 0 },
      additionalModelRequestFields: { inferenceConfig: { topK: 1 } },
    };
  }
  if (/(?:^|\.)anthropic\.claude-/.test(modelId)) {
    return { additionalModelRequestFields: { thinking: { type: "disabled" } } };
  }
  return { inferenceConfig: { temperature: 0 } };
}

/** The reason of a refusal may quote text from outside, so the reason is sent as data: one line of JSON without angle brackets. */
function makeRetryText(name: string, refusalReason: string): string {
  const reason = JSON.stringify(refusalReason).replaceAll("<", "\\u003c").replaceAll(">", "\\u003e");
  return `Your previous answer was not accepted. Why, as data:\n<refused>\n${reason}\n</refused>\nAvoid exactly that. Call the tool ${name} once, with every required field, and keep every text short.`;
}

/** The stop reasons of a complete reply. If a reply's stop reason is not in this set, the reply was cut off or replaced. */
const whole: ReadonlySet<StopReason | undefined> = new Set([
  "tool_use",
  "end_turn",
  "stop_sequence",
] as const);

/** Text beside the tool call contains the model's thoughts, and is ignored. */
function parseAnswer<Value>(
  { name, form }: ForcedTool<Value>,
  { output, stopReason }: ConverseCommandOutput,
): ToolReply<Value>["answer"] {
  const calls = (output?.message?.content ?? []).filter(({ toolUse }) => toolUse?.name === name);
  if (calls.length !== 1 || !whole.has(stopReason)) {
    return {
      fault: `The tool ${name} was called ${calls.length} times, and the reply ended with ${stopReason}.`,
    };
  }
  const parsed = form.safeParse(convertNumbers(calls[0]?.toolUse?.input, makeToolSchema(form)));
  return parsed.success ? { value: parsed.data } : { fault: z.prettifyError(parsed.error) };
}

type SchemaPart = { readonly description?: string | undefined };
type NumericPart = SchemaPart & {
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
};
type SchemaNode =
  | (SchemaPart & {
      readonly type: "object";
      readonly properties: Readonly<Record<string, SchemaNode>>;
      readonly required: readonly string[];
    })
  | (SchemaPart & { readonly type: "array"; readonly items: SchemaNode })
  | (SchemaPart & { readonly type: "string"; readonly enum?: readonly string[] | undefined })
  | (NumericPart & { readonly type: "integer" | "number" })
  | (SchemaPart & { readonly type: "boolean" });

const description = { description: z.string().optional() };
const SchemaNode: z.ZodType<SchemaNode> = z.lazy(() =>
  z.discriminatedUnion("type", [
    z.object({ ...Fields.shape, ...description }),
    z.object({ type: z.literal("array"), items: SchemaNode, ...description }),
    z.object({ type: z.literal("string"), enum: z.array(z.string()).optional(), ...description }),
    z.object({
      type: z.enum(["integer", "number"]),
      minimum: z.number().optional(),
      maximum: z.number().optional(),
      ...description,
    }),
    z.object({ type: z.literal("boolean"), ...description }),
  ]),
);
const Fields = z.object({
  type: z.literal("object"),
  properties: z.record(z.string(), SchemaNode),
  required: z.array(z.string()),
});

/**
 * Converts the zod schema `form` to a tool's `inputSchema`, which contains only keywords that every model of Bedrock accepts. The top level
 * of the `inputSchema` has `type`, `properties` and `required`; lower levels may also have `items`, `enum`, `description`, `minimum` and
 * `maximum`. Amazon Nova refuses schemas with unsupported keywords, such as `$schema` or `minLength`. The zod schema `form` still checks
 * the limits that the `inputSchema` leaves out. Throws a ZodError if the allowed keywords cannot express the zod schema `form`.
 */
export function makeToolSchema(form: z.ZodType): z.infer<typeof Fields> {
  return Fields.parse(z.toJSONSchema(form, { io: "input" }));
}

const numberText = /^\s*-?\d+(?:\.\d+)?\s*$/;

/** If a model wrote text where the schema requires numbers, converts this text to numbers. */
export function convertNumbers(value: unknown, schema: SchemaNode): unknown {
  switch (schema.type) {
    case "integer":
    case "number":
      return typeof value === "string" && numberText.test(value) ? Number(value) : value;
    case "array":
      return Array.isArray(value) ? value.map((item) => convertNumbers(item, schema.items)) : value;
    case "object": {
      const fields = z.record(z.string(), z.unknown()).safeParse(value);
      if (!fields.success) return value;
      return Object.fromEntries(
        Object.entries(fields.data).map(([name, field]) => {
          const known = schema.properties[name];
          return [name, known === undefined ? field : convertNumbers(field, known)];
        }),
      );
    }
    default:
      return value;
  }
}
