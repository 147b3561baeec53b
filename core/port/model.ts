import type { ReviewRequest } from "../audit/schema.ts";
import type { Draft, DraftTask } from "../draft/schema.ts";
import type { AppError } from "../error.ts";

/**
 * The numbers of tokens that one call of the model has used. `counted`: whether the provider has counted the tokens. If the provider gives
 * no count, for example for an unfinished reply, the numbers of tokens are estimated, rather too high than too low.
 */
export type ModelUsage = {
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly counted: boolean;
};

/**
 * The outcome of a question to the model. The outcome lists all calls of the model, because the provider also charges for unusable answers.
 * `engine` names the model and the prompt version. The failure is `model_busy` (`upstream`) if a retry may help, or `model_unavailable`
 * (`upstream`).
 */
export type ModelAnswer<Value> =
  | {
      readonly value: Value;
      readonly engine: string;
      readonly failure?: undefined;
      readonly usage: readonly ModelUsage[];
    }
  | { readonly value?: undefined; readonly failure: AppError; readonly usage: readonly ModelUsage[] };

/**
 * Asks the model to list an article's statements, quoted word for word. The model does not calculate the score and does not decide about
 * the article.
 */
export type Reviewer<Reading> = {
  review(request: ReviewRequest): Promise<ModelAnswer<Reading>>;
  /** The maximum number of calls in a review, and the maximum number of tokens of each call. */
  most(request: ReviewRequest): readonly ModelUsage[];
};

type WritingLimits = {
  /** The time limit, in milliseconds, for all calls of the model together. */
  readonly timeLimit: number;
  /**
   * Returns the fault of a draft that keeps the limits of specification §2.9 but is not acceptable, or `undefined`. If a fault is found,
   * the model is asked again, with the fault as the reason.
   */
  readonly fault: (draft: Draft) => string | undefined;
};

export type Writer = {
  write(task: DraftTask, limits: WritingLimits): Promise<ModelAnswer<Draft>>;
  /** The maximum number of calls for a draft, and the maximum number of tokens of each call. */
  most(task: DraftTask): readonly ModelUsage[];
  /** The model and the prompt version, as stored with each draft. */
  readonly engine: string;
};
