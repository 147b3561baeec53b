import type { Reading } from "../audit/reading.ts";
import type { ReviewRequest } from "../audit/schema.ts";
import type { Draft, Task } from "../draft/schema.ts";
import type { AppError } from "../error.ts";

/**
 * Tokens of one call that a model worked on. `counted` ones are the provider's own; where its count never came, such as
 * for a reply that it could not finish, they are an estimate on the high side.
 */
export type ModelUsage = {
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly counted: boolean;
};

/**
 * How asking for something ended, and the calls that it took: what cannot be used is charged as well. `engine` names
 * model and prompt version. The failure is `upstream` `model_busy`, when waiting a moment may help, or `model_unavailable`.
 */
export type ModelAnswer<Value> =
  | {
      readonly value: Value;
      readonly engine: string;
      readonly failure?: undefined;
      readonly usage: readonly ModelUsage[];
    }
  | { readonly value?: undefined; readonly failure: AppError; readonly usage: readonly ModelUsage[] };

/** The model that reads a press as an editor would. */
export type Reviewer = {
  review(request: ReviewRequest): Promise<ModelAnswer<Reading>>;
  /** The calls that a review takes at most, each with the most tokens that it can have. */
  most(request: ReviewRequest): readonly ModelUsage[];
};

type Limits = {
  /** Milliseconds for all calls together. */
  readonly timeLimit: number;
  /** What is wrong with a draft that keeps the limits of specification §2.9; then it is asked for again, with the reason. */
  readonly fault: (draft: Draft) => string | undefined;
};

/** The model that drafts a press. */
export type Writer = {
  write(task: Task, limits: Limits): Promise<ModelAnswer<Draft>>;
  /** The calls that a draft takes at most, each with the most tokens that it can have. */
  most(task: Task): readonly ModelUsage[];
  /** Model and prompt version, as they are kept with each draft from the beginning. */
  readonly engine: string;
};
