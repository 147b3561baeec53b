import type { AuditDraft, AuditFacts, Issue } from "../schema.ts";
import { advice } from "./advice.ts";
import { arithmetic } from "./arithmetic.ts";
import { copied } from "./copied.ts";
import { dates } from "./dates.ts";
import { disclosure } from "./disclosure.ts";
import { echo } from "./echo.ts";
import { figures } from "./figures.ts";
import { grounding } from "./grounding.ts";
import { headline } from "./headline.ts";
import { hidden } from "./hidden.ts";
import { manipulation } from "./manipulation.ts";
import { outlets } from "./outlets.ts";
import { preview } from "./preview.ts";
import { promises } from "./promises.ts";
import { pump } from "./pump.ts";
import { reversal } from "./reversal.ts";
import type { Rule } from "./rule.ts";
import { sources } from "./sources.ts";

/** Design §6: the checks that need no model. */
const checks: readonly Rule[] = [
  manipulation,
  hidden,
  promises,
  advice,
  disclosure,
  figures,
  arithmetic,
  dates,
  grounding,
  headline,
  reversal,
  preview,
  sources,
  outlets,
  pump,
  copied,
  echo,
];

/** Everything that the rules find in a draft: always the same for the same draft and facts. */
export function inspect(draft: AuditDraft, facts: AuditFacts): readonly Issue[] {
  return checks.flatMap((check) => check(draft, facts));
}
