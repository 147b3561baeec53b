import * as z from "zod";
import { invalid, invalidSequence, ModelFailure } from "./failure.ts";
import type { Converse, Tool } from "./schema.ts";

/** What one family of models refuses, and how it ends when its output is longer than the request lets it be. */
export type Family = {
  readonly refuse: (request: Converse, forced: Tool | undefined) => void;
  /** Of output that is too long for `maxTokens`; without one the reply is cut off, with `stopReason` `max_tokens`. */
  readonly tooLong: (() => ModelFailure) | undefined;
  /** Text that stands beside the call of a tool. */
  readonly thought: string | undefined;
};

/**
 * The family of a model or inference profile. Throws `ValidationException` for an id that Bedrock would not know, and
 * `ResourceNotFoundException` for one at its end of life.
 */
export function familyOf(modelId: string): Family {
  const id = modelId.split("/").at(-1) ?? "";
  if (/(?:^|\.)amazon\.nova-(?:premier|sonic|canvas|reel)-v1/.test(id)) throw retired();
  if (/(?:^|\.)amazon\.nova-/.test(id)) return nova;
  if (/(?:^|\.)anthropic\.claude-/.test(id)) return claude;
  throw invalid("The provided model identifier is invalid.");
}

function retired(): ModelFailure {
  return new ModelFailure(
    "ResourceNotFoundException",
    "This model version has reached the end of its life. Please refer to the AWS documentation for more details.",
  );
}

function malformed(path: string, key: string): ModelFailure {
  return invalid(
    `The model returned the following errors: Malformed input request: #${path}: extraneous key [${key}] is not permitted, please reformat your input and try again.`,
  );
}

const novaMaxTokens = 10_000;
const NovaFields = z.object({ topK: z.number().int().min(0).max(128).optional() });

/** Amazon Nova's rules ("Troubleshooting tool calls" in its user guide; reports: pydantic-ai 1623, zed 28521). */
const nova: Family = {
  refuse({ inferenceConfig, additionalModelRequestFields: fields, toolConfig }, forced) {
    const { maxTokens, temperature } = inferenceConfig;
    if (maxTokens !== undefined && maxTokens > novaMaxTokens) {
      throw invalid(
        `The maximum tokens you requested exceeds the model limit of ${novaMaxTokens}. Try again with a maximum tokens value that is lower than ${novaMaxTokens}.`,
      );
    }
    for (const key of Object.keys(fields)) if (key !== "inferenceConfig") throw malformed("", key);
    const own = NovaFields.strict().safeParse(fields.inferenceConfig ?? {});
    if (!own.success) throw invalid(`Malformed input request: #/inferenceConfig: ${own.error.message}`);
    toolConfig?.tools.forEach(({ toolSpec }, index) => {
      refuseSchema(toolSpec.inputSchema.json, `/toolConfig/tools/${index}/toolSpec/inputSchema/json`, top);
    });
    if (forced === undefined) return;
    // Nova does this often where the guide's settings are missing, and always for a hyphen in the name (Semoss 2892).
    if (temperature !== 0 || own.data.topK !== 1 || forced.name.includes("-")) throw invalidSequence();
  },
  tooLong: invalidSequence,
  thought: "<thinking>I should call the tool that I was given.</thinking>\n",
};

/** What a schema may say at its top, and below it. Other words below vary by model, so none is taken. */
const top: ReadonlySet<string> = new Set(["type", "properties", "required"]);
const nested: ReadonlySet<string> = new Set([...top, "items", "enum", "description", "minimum", "maximum"]);

const Schema = z.looseObject({
  type: z.string(),
  properties: z.record(z.string(), z.json()).optional(),
  items: z.json().optional(),
});

function refuseSchema(json: unknown, path: string, allowed: ReadonlySet<string>): void {
  const schema = Schema.safeParse(json);
  if (!schema.success) throw invalid(`Malformed input request: #${path}: required key [type] not found`);
  if (allowed === top && schema.data.type !== "object") {
    throw invalid(`Malformed input request: #${path}/type: ${schema.data.type} is not object`);
  }
  for (const key of Object.keys(schema.data)) if (!allowed.has(key)) throw malformed(path, key);
  for (const [name, property] of Object.entries(schema.data.properties ?? {})) {
    refuseSchema(property, `${path}/properties/${name}`, nested);
  }
  if (schema.data.items !== undefined) refuseSchema(schema.data.items, `${path}/items`, nested);
}

const ClaudeFields = z.strictObject({
  thinking: z.looseObject({ type: z.enum(["adaptive", "disabled"]) }).optional(),
  output_config: z.json().optional(),
});

/** Claude's rules since Haiku 5.5 (migration guide): no sampling, and thinking is on unless it is turned off. */
const claude: Family = {
  refuse({ inferenceConfig, additionalModelRequestFields: fields }, forced) {
    for (const key of ["temperature", "topP"] as const) {
      if (inferenceConfig[key] !== undefined) {
        throw invalid(`The model returned the following errors: \`${key}\` is deprecated for this model.`);
      }
    }
    const own = ClaudeFields.safeParse(fields);
    if (!own.success) {
      const key = own.error.issues.flatMap((issue) =>
        issue.code === "unrecognized_keys" ? issue.keys : [],
      )[0];
      throw invalid(
        `The model returned the following errors: ${key ?? "thinking"}: ${key === undefined ? "Input should be 'adaptive' or 'disabled'" : "Extra inputs are not permitted"}`,
      );
    }
    if (forced !== undefined && own.data.thinking?.type !== "disabled") {
      throw invalid(
        "The model returned the following errors: Thinking may not be enabled when tool_choice forces tool use.",
      );
    }
  },
  tooLong: undefined,
  thought: undefined,
};
