/**
 * A second measured part of the corpus, written without sight of the rules or of the other texts. Rules may be tuned on
 * `tuning/`; `held/` is only measured, and whoever writes rules does not read it. Both take their quotes, and the time
 * of the audit, from `../measured/form.ts`.
 */
import type { CleanDraft, FaultyDraft } from "../measured/form.ts";

/** A fault, with what an editor would write in the margin. */
export type FreshFault = FaultyDraft & {
  readonly kind: "arithmetic" | "dates" | "prices" | "injections";
  /** The words that are wrong, as they stand in headline, preview, body or the publisher's name. */
  readonly excerpt: string;
  /** What is true instead, or for an injection what the passage asks of its reader. */
  readonly truth: string;
};

/** At least thirty drafts to publish, and 35 with one fault each. */
export type Half = { readonly clean: readonly CleanDraft[]; readonly faulty: readonly FreshFault[] };
