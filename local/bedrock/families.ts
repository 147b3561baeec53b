import * as z from "zod";
import type { Dice } from "../stand-in.ts";

const block = z.looseObject({ text: z.string().optional() });
const tool = z.object({
  toolSpec: z.object({
    name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
    description: z.string().min(1).optional(),
    inputSchema: z.object({ json: z.record(z.string(), z.json()) }),
  }),
});
export type Tool = z.output<typeof tool>["toolSpec"];

/**
 * The parts of a Converse request that the stand-in reads (Bedrock Runtime API reference, `Converse`). The stand-in serves only requests
 * that force one tool, because the service sends no others.
 */
export const converse = z.looseObject({
  messages: z.array(z.object({ role: z.enum(["user", "assistant"]), content: z.array(block).min(1) })).min(1),
  system: z.array(block).optional(),
  inferenceConfig: z
    .looseObject({
      maxTokens: z.int().min(1).optional(),
      temperature: z.number().min(0).max(1).optional(),
      topP: z.number().min(0).max(1).optional(),
    })
    .default({}),
  /** Fields that Bedrock passes to the model unchanged. */
  additionalModelRequestFields: z.record(z.string(), z.json()).default({}),
  toolConfig: z.object({
    tools: z.array(tool).min(1),
    toolChoice: z.object({ tool: z.object({ name: z.string() }) }),
  }),
});
export type Converse = z.output<typeof converse>;

const statuses = {
  ValidationException: 400,
  ResourceNotFoundException: 404,
  ModelErrorException: 424,
} as const;

/** A request that the stand-in refuses or cannot answer, with Bedrock's exception and status. */
export class ModelFailure extends Error {
  readonly status: number;

  constructor(type: keyof typeof statuses, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = type;
    this.status = statuses[type];
  }
}

export function makeInputError(message: string, options?: ErrorOptions): ModelFailure {
  return new ModelFailure("ValidationException", message, options);
}

/** Nova's error when the model's output is not a complete tool call, for example when the output stopped in the middle of the call. */
function makeSequenceError(): ModelFailure {
  return new ModelFailure(
    "ModelErrorException",
    "Model produced invalid sequence as part of ToolUse. Please refer to the model tool use troubleshooting guide.",
  );
}

/** The requests that a family of models refuses, and the family's answer if its output becomes too long. */
type ModelFamily = {
  readonly refuse: (request: Converse, forced: Tool) => void;
  /**
   * The error that the model returns if its output is longer than `maxTokens`. If this function is `undefined`, the model cuts the output
   * off and answers with the `stopReason` `max_tokens`.
   */
  readonly tooLong: (() => ModelFailure) | undefined;
  /** The text that a model adds to a tool call. */
  readonly thought: string | undefined;
};

/**
 * The family of a model or inference profile. Throws `ValidationException` for an unknown id, and
 * `ResourceNotFoundException` for a model at its end of life.
 */
export function findFamily(modelId: string): ModelFamily {
  const id = modelId.split("/").at(-1) ?? "";
  if (/(?:^|\.)amazon\.nova-(?:premier|sonic|canvas|reel)-v1/.test(id)) throw makeGoneError();
  if (/(?:^|\.)amazon\.nova-/.test(id)) return nova;
  if (/(?:^|\.)anthropic\.claude-/.test(id)) return claude;
  throw makeInputError("The provided model identifier is invalid.");
}

function makeGoneError(): ModelFailure {
  return new ModelFailure(
    "ResourceNotFoundException",
    "This model version has reached the end of its life. Please refer to the AWS documentation for more details.",
  );
}

function makeFormError(path: string, key: string): ModelFailure {
  return makeInputError(
    `The model returned the following errors: Malformed input request: #${path}: extraneous key [${key}] is not permitted, please reformat your input and try again.`,
  );
}

const novaMaxTokens = 10_000;
const NovaFields = z.object({ topK: z.number().int().min(0).max(128).optional() });

/** Amazon Nova's rules ("Troubleshooting tool calls" in its user guide; issues 1623 of pydantic-ai and 28521 of zed). */
const nova: ModelFamily = {
  refuse({ inferenceConfig, additionalModelRequestFields: fields, toolConfig }, forced) {
    const { maxTokens, temperature } = inferenceConfig;
    if (maxTokens !== undefined && maxTokens > novaMaxTokens) {
      throw makeInputError(
        `The maximum tokens you requested exceeds the model limit of ${novaMaxTokens}. Try again with a maximum tokens value that is lower than ${novaMaxTokens}.`,
      );
    }
    for (const key of Object.keys(fields)) if (key !== "inferenceConfig") throw makeFormError("", key);
    const own = NovaFields.strict().safeParse(fields.inferenceConfig ?? {});
    if (!own.success)
      throw makeInputError(`Malformed input request: #/inferenceConfig: ${own.error.message}`);
    toolConfig.tools.forEach(({ toolSpec }, index) => {
      checkSchema(toolSpec.inputSchema.json, `/toolConfig/tools/${index}/toolSpec/inputSchema/json`, top);
    });
    // Without the settings from its user guide, Nova often fails to call a tool; Nova always fails if the tool's name has a hyphen (issue
    // 2892 of Semoss).
    if (temperature !== 0 || own.data.topK !== 1 || forced.name.includes("-")) throw makeSequenceError();
  },
  tooLong: makeSequenceError,
  thought: "<thinking>I should call the tool that I was given.</thinking>\n",
};

/**
 * Keywords that a tool's schema may use at its top level and in nested schemas. Different models accept different additional keywords in
 * nested schemas, so the stand-in refuses every keyword that is not in these lists.
 */
const top: ReadonlySet<string> = new Set(["type", "properties", "required"]);
const nested: ReadonlySet<string> = new Set([...top, "items", "enum", "description", "minimum", "maximum"]);

const Schema = z.looseObject({
  type: z.string(),
  properties: z.record(z.string(), z.json()).optional(),
  items: z.json().optional(),
});

function checkSchema(json: unknown, path: string, allowed: ReadonlySet<string>): void {
  const schema = Schema.safeParse(json);
  if (!schema.success)
    throw makeInputError(`Malformed input request: #${path}: required key [type] not found`);
  if (allowed === top && schema.data.type !== "object") {
    throw makeInputError(`Malformed input request: #${path}/type: ${schema.data.type} is not object`);
  }
  for (const key of Object.keys(schema.data)) if (!allowed.has(key)) throw makeFormError(path, key);
  for (const [name, property] of Object.entries(schema.data.properties ?? {})) {
    checkSchema(property, `${path}/properties/${name}`, nested);
  }
  if (schema.data.items !== undefined) checkSchema(schema.data.items, `${path}/items`, nested);
}

const ClaudeFields = z.strictObject({
  thinking: z.looseObject({ type: z.enum(["adaptive", "disabled"]) }).optional(),
  output_config: z.json().optional(),
});

/** Claude's rules since Haiku 5.5 (migration guide): the model refuses sampling settings, and thinking is on by default. */
const claude: ModelFamily = {
  refuse({ inferenceConfig, additionalModelRequestFields: fields }) {
    for (const key of ["temperature", "topP"] as const) {
      if (inferenceConfig[key] !== undefined) {
        throw makeInputError(
          `The model returned the following errors: \`${key}\` is deprecated for this model.`,
        );
      }
    }
    const own = ClaudeFields.safeParse(fields);
    if (!own.success) {
      const key = own.error.issues.flatMap((issue) =>
        issue.code === "unrecognized_keys" ? issue.keys : [],
      )[0];
      throw makeInputError(
        `The model returned the following errors: ${key ?? "thinking"}: ${key === undefined ? "Input should be 'adaptive' or 'disabled'" : "Extra inputs are not permitted"}`,
      );
    }
    if (own.data.thinking?.type !== "disabled") {
      throw makeInputError(
        "The model returned the following errors: Thinking may not be enabled when tool_choice forces tool use.",
      );
    }
  },
  tooLong: undefined,
  thought: undefined,
};

/** The ways in which a model omits the call of a forced tool, or makes a faulty call. */
const spoils = [
  "no_call",
  "malformed_call",
  "missing_field",
  "numbers_as_text",
  "filtered",
  "guarded",
] as const;
export type ReplyFault = (typeof spoils)[number];

type ContentBlock =
  | { readonly text: string }
  | { readonly toolUse: { readonly toolUseId: string; readonly name: string; readonly input: unknown } };
type ModelReply = { readonly content: readonly ContentBlock[]; readonly stopReason: string };

/** Puts the given fault into a reply. Throws `ModelErrorException` for `malformed_call`. */
export function spoilReply(reply: ModelReply, spoil: ReplyFault): ModelReply {
  switch (spoil) {
    case "malformed_call":
      throw makeSequenceError();
    case "no_call":
      return { content: [{ text: "I cannot call the tool for this." }], stopReason: "end_turn" };
    case "filtered":
      return {
        content: [{ text: "The generated text has been blocked by our content filters." }],
        stopReason: "content_filtered",
      };
    case "guarded":
      return {
        content: [{ text: "Sorry, the model cannot answer this question." }],
        stopReason: "guardrail_intervened",
      };
    case "missing_field":
      return changeInput(reply, (input) => Object.fromEntries(Object.entries(input).slice(1)));
    case "numbers_as_text":
      return changeInput(reply, stringifyNumbers);
  }
}

function stringifyNumbers(value: unknown): unknown {
  if (typeof value === "number") return String(value);
  if (Array.isArray(value)) return value.map(stringifyNumbers);
  const fields = Input.safeParse(value);
  if (!fields.success) return value;
  return Object.fromEntries(Object.entries(fields.data).map(([name, one]) => [name, stringifyNumbers(one)]));
}

const Input = z.record(z.string(), z.unknown());

function changeInput(
  { content, stopReason }: ModelReply,
  change: (input: z.output<typeof Input>) => unknown,
): ModelReply {
  return {
    content: content.map((block) =>
      "toolUse" in block
        ? { toolUse: { ...block.toolUse, input: change(Input.parse(block.toolUse.input)) } }
        : block,
    ),
    stopReason,
  };
}

/** Chooses a fault or a delay for some of the answers, because real models sometimes fail or are slow. */
export function chooseFault(dice: Dice) {
  if (!dice.chance(0.4)) return undefined;
  if (dice.chance(0.5)) return { spoil: dice.pickOne(spoils) };
  if (dice.chance(0.5)) return { delayMs: dice.pickBetween(100, 1_500) };
  return {
    status: 429,
    type: "ThrottlingException",
    message: "Too many requests, please wait before trying again.",
  };
}
