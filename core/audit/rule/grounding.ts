import { agree, type Claim, claimsIn, contradiction, type Figure, figuresIn } from "../claim.ts";
import type { AuditFacts, Issue } from "../schema.ts";
import { plain, sentences } from "../text.ts";
import { finding, type Rule } from "./rule.ts";

/**
 * Figures of an AI draft against the sources that it was written from: a model that lacks a number makes one up.
 * A paragraph that links a source of its own is the writer's to answer for.
 */
export const grounding: Rule = ({ headline, preview, body }, facts) => {
  if (facts.sources.length === 0) return [];
  const told = facts.sources.flatMap(({ title, text }) => [title, ...sentences(plain(text))]);
  const known = [...told.flatMap(figuresIn), ...quoted(facts)];
  const own = body.split(/\n{2,}/).filter((paragraph) => !linksElsewhere(paragraph, facts));
  return claimsIn([headline, preview, ...own].flatMap((text) => sentences(plain(text))))
    .filter(({ figure }) => !known.some((other) => agree(figure, other)))
    .slice(0, 3)
    .map((claim) => unfounded(claim, told));
};

function unfounded(claim: Claim, told: readonly string[]): Issue {
  const { shown } = claim.figure;
  const otherwise = contradiction(claim, told);
  return otherwise === undefined
    ? finding(
        "medium",
        "figures",
        `None of the sources that the draft was written from gives ${shown}`,
        claim.sentence,
        "Link where it can be read, or take it out.",
      )
    : finding(
        "high",
        "figures",
        `The draft says ${shown}, its source says otherwise`,
        otherwise,
        "Correct it to what the source says.",
      );
}

function quoted({ quote }: AuditFacts): readonly Figure[] {
  const { mid, dayHigh, dayLow, volume } = quote;
  const prices = [mid, dayHigh, dayLow].map(
    (value) => ({ shown: `$${value}`, unit: "money", value }) as const,
  );
  return [...prices, { shown: String(volume), unit: "count", value: volume }];
}

function linksElsewhere(paragraph: string, { sources }: AuditFacts): boolean {
  const links = paragraph.match(/\bhttps?:\/\/[^\s)>\]"']+/gi) ?? [];
  return links.some((link) => !sources.some((source) => source.link === link));
}
