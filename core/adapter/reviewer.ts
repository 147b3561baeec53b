import {
  type BedrockRuntimeClient,
  ConverseCommand,
  type ConverseCommandOutput,
  InternalServerException,
  ModelNotReadyException,
  ServiceUnavailableException,
  ThrottlingException,
} from "@aws-sdk/client-bedrock-runtime";
import * as z from "zod";
import { promptVersion, systemPrompt, userMessage } from "../audit/prompt.ts";
import { Review, type ReviewRequest } from "../audit/schema.ts";
import { AppError } from "../error.ts";
import type { Reviewer } from "../port/model.ts";

const toolName = "review_press";
const maxTokens = 2_000;

/** Zod marks what is `readonly` for callers, which means nothing to a model. */
const toolSchema = z.json().parse(
  z.toJSONSchema(Review, {
    io: "input",
    override: ({ jsonSchema }) => {
      delete jsonSchema.readOnly;
    },
  }),
);

type Options = {
  readonly client: BedrockRuntimeClient;
  readonly modelId: string;
  /** Milliseconds for a whole review, a repetition included. */
  readonly timeLimit?: number;
};

/**
 * A model of Bedrock, asked through Converse with a forced tool (design §6). A reply of another form is asked for once
 * more. Throws `upstream` `model_busy` when it is throttled or out of order for a moment, otherwise `model_unavailable`.
 */
export function bedrockReviewer({ client, modelId, timeLimit = 15_000 }: Options): Reviewer {
  return {
    engine: `${modelId} ${promptVersion}`,
    async review(request) {
      const abortSignal = AbortSignal.timeout(timeLimit);
      const ask = () =>
        client.send(command(modelId, request), { abortSignal }).then(reviewIn, (cause: unknown) => {
          throw outage(cause);
        });
      const first = await ask();
      if (first.success) return first.data;
      const second = await ask();
      if (second.success) return second.data;
      throw outage(new Error("The model's reply has not the agreed form, twice", { cause: second.error }));
    },
  };
}

function command(modelId: string, request: ReviewRequest): ConverseCommand {
  return new ConverseCommand({
    modelId,
    system: [{ text: systemPrompt }],
    messages: [{ role: "user", content: [{ text: userMessage(request) }] }],
    inferenceConfig: { maxTokens, temperature: 0 },
    toolConfig: {
      tools: [
        {
          toolSpec: {
            name: toolName,
            description: "Hands in the review of the article.",
            inputSchema: { json: toolSchema },
          },
        },
      ],
      toolChoice: { tool: { name: toolName } },
    },
  });
}

function reviewIn({ output }: ConverseCommandOutput) {
  const call = output?.message?.content?.find((block) => block.toolUse?.name === toolName);
  return Review.safeParse(call?.toolUse?.input);
}

function outage(cause: unknown): AppError {
  const passing = [
    ThrottlingException,
    ServiceUnavailableException,
    ModelNotReadyException,
    InternalServerException,
  ].some((kind) => cause instanceof kind);
  return new AppError(
    "upstream",
    passing ? "model_busy" : "model_unavailable",
    "The reviewing model is unavailable right now. Try again shortly.",
    { cause, retryAfter: 30 },
  );
}
