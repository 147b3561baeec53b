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

/** What an article may calculate. The prompt says of each in which order its operands stand. */
export const operations = [
  "change_percent",
  "yearly_percent",
  "share_percent",
  "portion",
  "changed_by",
  "sum",
  "difference",
  "average",
  "product",
  "quotient",
  "multiple",
  "per_period",
] as const;

/** What a reviewer looks for beyond claims and teasers. */
export const concernNames = [
  "promise",
  "advice",
  "pump",
  "allegation",
  "interest",
  "quotation",
  "contradiction",
  "balance",
  "substance",
  "checker",
] as const;

/** What a reviewer lists of an article, quoted word for word. It neither calculates nor decides. */
export type Reading = {
  readonly claims: readonly {
    readonly sentence: string;
    readonly support: "link" | "document" | "facts" | "common" | "none";
    readonly source: string;
  }[];
  readonly teasers: readonly {
    readonly place: "headline" | "preview";
    readonly promise: string;
    readonly kept: boolean;
    readonly where: string;
  }[];
  readonly calculations: readonly {
    readonly excerpt: string;
    readonly result: string;
    readonly operation: (typeof operations)[number];
    readonly operands: readonly string[];
  }[];
  readonly findings: readonly {
    readonly concern: (typeof concernNames)[number];
    readonly excerpt: string;
    readonly weight: number;
    readonly reason: string;
  }[];
  readonly summary: string;
};

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
