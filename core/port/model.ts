import type { ReviewRequest } from "../audit/schema.ts";
import type { Draft, DraftTask } from "../draft/schema.ts";
import type { AppError } from "../error.ts";

/**
 * The numbers of tokens that one call of the model has used. `counted`: whether the numbers come from the provider. If the provider gives
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
   * Checks a draft that is within the limits of specification §2.9. Returns the fault of the draft, or `undefined` if the draft is
   * acceptable. If the draft has a fault, the model is asked for another draft, and the fault is given as the reason.
   */
  readonly fault: (draft: Draft) => string | undefined;
};

export type Writer = {
  write(task: DraftTask, limits: WritingLimits): Promise<ModelAnswer<Draft>>;
  /** The maximum number of calls for a draft, and the maximum number of tokens of each call. */
  most(task: DraftTask): readonly ModelUsage[];
  /** The model and the prompt version, which are stored with each draft. */
  readonly engine: string;
};
