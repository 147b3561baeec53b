import type { ReviewRequest } from "../audit/schema.ts";
import type { Draft, Task } from "../draft/schema.ts";
import type { AppError } from "../error.ts";

/**
 * The tokens of one model call. `counted` ones are the provider's. Without its count, as for an unfinished reply, they are a high estimate.
 */
export type ModelUsage = {
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly counted: boolean;
};

/**
 * The outcome of a question and its calls, since unusable answers are charged too. `engine` names model and prompt version. The failure is
 * `upstream` `model_busy`, when a retry may help, or `model_unavailable`.
 */
export type ModelAnswer<Value> =
  | {
      readonly value: Value;
      readonly engine: string;
      readonly failure?: undefined;
      readonly usage: readonly ModelUsage[];
    }
  | { readonly value?: undefined; readonly failure: AppError; readonly usage: readonly ModelUsage[] };

/** Lists an article's statements, quoted word for word. It neither calculates nor decides. */
export type Reviewer<Reading> = {
  review(request: ReviewRequest): Promise<ModelAnswer<Reading>>;
  /** The most calls of a review, each with its most tokens. */
  most(request: ReviewRequest): readonly ModelUsage[];
};

type WritingLimits = {
  /** Milliseconds for all calls together. */
  readonly timeLimit: number;
  /** Returns the fault of a draft that meets the limits of specification §2.9. The model is then asked again, with the reason. */
  readonly fault: (draft: Draft) => string | undefined;
};

export type Writer = {
  write(task: Task, limits: WritingLimits): Promise<ModelAnswer<Draft>>;
  /** The most calls of a draft, each with its most tokens. */
  most(task: Task): readonly ModelUsage[];
  /** Model and prompt version, as stored with each draft. */
  readonly engine: string;
};
