import {
  type BedrockRuntimeClient,
  type ConverseCommandOutput,
  InternalServerException,
  ModelNotReadyException,
  ServiceUnavailableException,
  ThrottlingException,
} from "@aws-sdk/client-bedrock-runtime";
import { promptVersion, systemPrompt, userMessage } from "../audit/prompt.ts";
import { Review, type ReviewRequest } from "../audit/schema.ts";
import { AppError } from "../error.ts";
import type { Reviewer } from "../port/model.ts";
import { converse, type ForcedTool, inputOf } from "./forced-tool.ts";

const tool: ForcedTool = {
  name: "review_press",
  description: "Hands in the review of the article.",
  schema: Review,
  maxTokens: 2_000,
  temperature: 0,
};

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
  const asking = (request: ReviewRequest) => ({ modelId, system: systemPrompt, user: userMessage(request) });
  return {
    engine: `${modelId} ${promptVersion}`,
    async review(request) {
      const abortSignal = AbortSignal.timeout(timeLimit);
      const ask = () =>
        client.send(converse(tool, asking(request)), { abortSignal }).then(reviewIn, (cause: unknown) => {
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

function reviewIn(output: ConverseCommandOutput) {
  return Review.safeParse(inputOf(tool, output)?.input);
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
