import type { Draft, Task } from "../draft/schema.ts";
import type { Asked, ModelUsage } from "./model.ts";

type Limits = {
  /** Milliseconds for all calls together. */
  readonly timeLimit: number;
  /** What is wrong with a draft that keeps the limits of specification §2.9; then it is asked for again, with the reason. */
  readonly fault: (draft: Draft) => string | undefined;
};

/** The model that drafts a press. */
export type Writer = {
  write(task: Task, limits: Limits): Promise<Asked<Draft>>;
  /** The calls that a draft takes at most, each with the most tokens that it can have. */
  most(task: Task): readonly ModelUsage[];
  /** Model and prompt version, as they are kept with each draft from the beginning. */
  readonly engine: string;
};
