import type { Reviewer } from "../port/model.ts";
import type { Evidence, Review } from "./schema.ts";

/**
 * Has the model read a press. Throws `upstream` `model_busy` or `model_unavailable` when there is no review in the
 * agreed form: an audit without one never ends in a verdict.
 */
export async function review(
  { reviewer }: { readonly reviewer: Reviewer },
  { draft, facts }: Pick<Evidence, "draft" | "facts">,
): Promise<{ readonly review: Review; readonly engine: string }> {
  const asked = await reviewer.review({ draft, facts });
  if (asked.failure !== undefined) throw asked.failure;
  return { review: asked.value, engine: asked.engine };
}
