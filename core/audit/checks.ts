import type { CheckRun, Issue } from "./schema.ts";

type Check = Omit<CheckRun, "found">;

const rules = (check: string, cannotJudge: string): Check => ({ check, by: "rules", cannotJudge });
const model = (check: string, cannotJudge: string): Check => ({ check, by: "model", cannotJudge });
const both = (check: string, cannotJudge: string): Check => ({ check, by: "rules and model", cannotJudge });

/** Every check of an audit, with what it cannot judge. A report tells of each, whether or not it found anything. */
const checks: readonly Check[] = [
  rules("arithmetic", "figures whose parts the text does not give"),
  rules("figures", "prices of other days, and of other stocks"),
  rules("dates", "whether an event happened on the day that is given"),
  rules("subject", "how much of the text is about its stock"),
  rules("hidden", "what a picture shows"),
  rules("copied", "texts that are not on this marketplace, but for the sources of an AI draft"),
  both("manipulation", "disguises and languages that neither rules nor model know"),
  rules("outlets", "outlets that it does not know, and what stands on the linked pages"),
  both("sources", "whether a linked page says what the text says it does: links are not opened"),
  both("headline", "whether a figure of speech is a good one"),
  both("preview", "whether what the body gives is worth its price"),
  both("promises", "what a reader hears between the lines"),
  both("advice", "what a reader hears between the lines"),
  both("pump", "whether an author means what a slogan says"),
  both("disclosure", "holdings in other wallets and places, and payments outside of this chain"),
  model("allegations", "whether an allegation is true"),
  model("quotes", "whether a person said it"),
  model("contradiction", "which of two passages is the right one"),
  model("balance", "risks that neither the text nor the model knows of"),
  model("substance", "how new the text is to a reader"),
];

/** The checks that ran, each with how many findings it has. */
export function checksRun(issues: readonly Issue[]): readonly CheckRun[] {
  return checks.map((one) => ({ ...one, found: issues.filter(({ check }) => check === one.check).length }));
}
