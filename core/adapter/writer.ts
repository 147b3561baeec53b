import { modelUnavailable } from "../draft/error.ts";
import { promptVersion, systemPrompt, userMessage } from "../draft/prompt.ts";
import { Draft, type Task } from "../draft/schema.ts";
import type { Writer } from "../port/writer.ts";
import { askModels, type Models, mostCalls } from "./ask-models.ts";
import type { ForcedTool } from "./forced-tool.ts";

const tool: ForcedTool<Draft> = {
  name: "write_press",
  description: "Hands in the draft.",
  form: Draft,
  maxTokens: 4_000,
};

/** The stage's models of Bedrock as writer, asked with a forced tool (design §6). */
export function bedrockWriter(models: Models): Writer {
  return {
    engine: `${models.modelId} ${promptVersion}`,
    most: (task) => mostCalls(models, tool, texts(task)),
    async write(task, limits) {
      const asked = await askModels(models, tool, { ...texts(task), ...limits });
      const { usage } = asked;
      return asked.modelId === undefined
        ? { failure: modelUnavailable(asked.cause), usage }
        : { value: asked.value, engine: `${asked.modelId} ${promptVersion}`, usage };
    },
  };
}

function texts(task: Task) {
  return { system: systemPrompt, user: userMessage(task) };
}
