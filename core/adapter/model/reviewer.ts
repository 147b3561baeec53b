import { randomBytes } from "node:crypto";
import { findFault, makeSystemPrompt, makeUserMessage, Reading, reviewVersion } from "../../audit/reading.ts";
import type { Reviewer, ReviewRequest } from "../../audit/schema.ts";
import { AppError } from "../../error.ts";
import { askModels, type ForcedTool, listMaximumUsage, type Models } from "./ask.ts";

export const reviewTool: ForcedTool<Reading> = {
  name: "review_press",
  description: "Hands in what was read in the article.",
  form: Reading,
  maxTokens: 4_000,
};

/**
 * The maximum number of milliseconds for a whole review with all models. The maximum time of a review is less than the time-out of the
 * review's step (`audit.asl.ts`).
 */
export const reviewTime = 16_000;

/** Each request has a new random mark in the names of the tags around its data, so that no draft can imitate these tags. */
const makeRandomFence = () => randomBytes(12).toString("hex");

/** A reviewer that uses Bedrock's models, with a forced tool call (design §6). */
export function openReviewer(
  models: Models,
  timeLimit = reviewTime,
  newFence: () => string = makeRandomFence,
): Reviewer<Reading> {
  return {
    most: (request) => listMaximumUsage(models, reviewTool, makePrompt(request, newFence())),
    async review(request) {
      const asked = await askModels(models, reviewTool, {
        ...makePrompt(request, newFence()),
        timeLimit,
        fault: (reading) => findFault(request.draft, reading),
      });
      const { usage } = asked;
      return asked.modelId === undefined
        ? { failure: makeModelError(asked), usage }
        : { value: asked.value, engine: `${asked.modelId} ${reviewVersion}`, usage };
    },
  };
}

function makePrompt(request: ReviewRequest, fence: string) {
  return { system: makeSystemPrompt(fence), user: makeUserMessage(request, fence) };
}

function makeModelError({ cause, passing }: { readonly cause: Error; readonly passing: boolean }): AppError {
  return new AppError(
    "upstream",
    passing ? "model_busy" : "model_unavailable",
    "The reviewing model is unavailable right now. Try again shortly.",
    { cause, retryAfter: 30 },
  );
}
