import type { Review, ReviewRequest } from "../audit/schema.ts";

/** The model that reads a press as an editor would. */
export type Reviewer = {
  /** Throws `upstream` `model_unavailable` when the model cannot be reached or does not answer in the agreed form. */
  review(request: ReviewRequest): Promise<Review>;
  /** Model and prompt version, as reports name them. */
  readonly engine: string;
};
