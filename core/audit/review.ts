import type { Reviewer } from "../port/model.ts";
import { askPaid, type SpendPorts } from "../quota/index.ts";
import { count, refundRun } from "./hold.ts";
import { reviewOf } from "./reading.ts";
import type { Evidence, Review } from "./schema.ts";

/**
 * Has the model read a press, which is what counts as an audit and what costs money: the run is counted before, and
 * refunded when there is no review in the agreed form. An audit without one never ends in a verdict.
 *
 * Throws what `count` and `askPaid` throw: of the model's failures `upstream` `model_busy` or `model_unavailable`.
 */
export async function review(
  ports: SpendPorts & { readonly reviewer: Reviewer },
  { order, draft, facts }: Evidence,
): Promise<{ readonly review: Review; readonly engine: string }> {
  const { publisher } = await count(ports, order);
  const { reviewer } = ports;
  const request = { draft, facts };
  try {
    const asked = await askPaid(ports, publisher, reviewer.most(request), () => reviewer.review(request));
    return { review: reviewOf(draft, asked.value), engine: asked.engine };
  } catch (error) {
    await refundRun(ports, order);
    throw error;
  }
}
