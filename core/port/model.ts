import type { AppError } from "../error.ts";

/**
 * The numbers of tokens that one call of the model has used. `counted`: whether the numbers come from the provider. If the provider gives
 * no count, for example for an unfinished reply, the numbers of tokens are estimated. An estimate is more likely too high than too low.
 */
export type ModelUsage = {
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly counted: boolean;
};

/**
 * The outcome of a question to the model. The outcome lists all calls of the model, because the provider also charges for unusable answers.
 * `engine` names the model and the prompt version. The failure is `model_busy` (`upstream`) if a retry may help, and otherwise
 * `model_unavailable` (`upstream`).
 */
export type ModelAnswer<Value> =
  | {
      readonly value: Value;
      readonly engine: string;
      readonly failure?: undefined;
      readonly usage: readonly ModelUsage[];
    }
  | { readonly value?: undefined; readonly failure: AppError; readonly usage: readonly ModelUsage[] };
