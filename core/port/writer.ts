import type { Draft, Task } from "../draft/schema.ts";

/** What a model made of a task: a draft within the limits of specification §2.9, or what is wrong with its answer. */
export type Written =
  | { readonly draft: Draft; readonly fault?: undefined }
  | { readonly draft?: undefined; readonly fault: string };

/** The model that drafts a press. */
export type Writer = {
  /** Asks once. Throws `upstream` `model_unavailable` when there is no answer within so many milliseconds. */
  write(task: Task, timeLimit: number): Promise<Written>;
  /** Model and prompt version, as they are kept with each draft. */
  readonly engine: string;
};
