import { promptVersion, systemPrompt, userMessage } from "../audit/prompt.ts";
import { Review, type ReviewRequest } from "../audit/schema.ts";
import { AppError } from "../error.ts";
import type { Reviewer } from "../port/model.ts";
import { askModels, type Models, mostCalls } from "./ask-models.ts";
import type { ForcedTool } from "./forced-tool.ts";

const tool: ForcedTool<Review> = {
  name: "review_press",
  description: "Hands in the review of the article.",
  form: Review,
  maxTokens: 4_000,
};

/** Milliseconds for a whole review, whoever is asked: below the time limit of its step (`audit.asl.ts`). */
export const reviewTime = 16_000;

/** The stage's models of Bedrock as reviewer, asked with a forced tool (design §6). */
export function bedrockReviewer(models: Models, timeLimit = reviewTime): Reviewer {
  return {
    most: (request) => mostCalls(models, tool, texts(request)),
    async review(request) {
      const asked = await askModels(models, tool, { ...texts(request), timeLimit });
      const { usage } = asked;
      return asked.modelId === undefined
        ? { failure: unavailable(asked), usage }
        : { value: asked.value, engine: `${asked.modelId} ${promptVersion}`, usage };
    },
  };
}

function texts(request: ReviewRequest) {
  return { system: systemPrompt, user: userMessage(request) };
}

function unavailable({ cause, passing }: { readonly cause: Error; readonly passing: boolean }): AppError {
  return new AppError(
    "upstream",
    passing ? "model_busy" : "model_unavailable",
    "The reviewing model is unavailable right now. Try again shortly.",
    { cause, retryAfter: 30 },
  );
}
