import type { ReviewRequest } from "../audit/schema.ts";
import type { Draft, DraftTask } from "../draft/schema.ts";
import type { AppError } from "../error.ts";

/**
 * The tokens of one model call. `counted`: the provider has counted the tokens. If the provider gives no count, as for an unfinished reply,
 * the numbers of tokens are a high estimate.
 */
export type ModelUsage = {
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly counted: boolean;
};

/**
 * The outcome of a question to the model, with all calls, because unusable answers are charged too. `engine` names the model and the prompt
 * version. The failure is `upstream` `model_busy` if a retry may help, or `upstream` `model_unavailable`.
 */
export type ModelAnswer<Value> =
  | {
      readonly value: Value;
      readonly engine: string;
      readonly failure?: undefined;
      readonly usage: readonly ModelUsage[];
    }
  | { readonly value?: undefined; readonly failure: AppError; readonly usage: readonly ModelUsage[] };

/** Lists an article's statements, quoted word for word. The model neither calculates nor decides. */
export type Reviewer<Reading> = {
  review(request: ReviewRequest): Promise<ModelAnswer<Reading>>;
  /** The maximum number of calls in a review, and the maximum number of tokens of each call. */
  most(request: ReviewRequest): readonly ModelUsage[];
};

type WritingLimits = {
  /** The maximum milliseconds for all calls to the model together. */
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
