import { teased } from "./headline.ts";
import type { Rule } from "./rule.ts";

/** What the preview announces must be in the text, as that of the headline. */
export const preview: Rule = {
  check: "preview",
  label: "Preview",
  by: "rules and model",
  cannotJudge: "whether what the body gives is worth its price",
  mayStop: true,
  holdsOurs: false,
  find: (draft, facts) => teased("preview", draft, facts),
};
