import { plain, splitSentences } from "../passage.ts";
import type { Severity } from "../schema.ts";
import { isOwnWording, makeFinding, type WordingRule } from "./rule.ts";

/** Words that a reporter would never use. */
const strong: readonly RegExp[] = [
  /\bto the moon\b(?! and back\b)/i,
  /🚀|💎\s?🙌/u,
  /\b\d*(?:10|20|50|100|1000)x (?:gains?|returns?|profits?|your money|from here|potential|opportunity|gem)\b/i,
  /\bget in (?:now|early|while you (?:still )?can|before (?:it|the|everyone|others))\b/i,
  /\b(?:buy|get in|load up|act)\b.{0,30}\bbefore (?:it's|it is) too late\b/i,
  /\bdon't miss (?:out\b|this (?:chance|opportunity|one|rocket|train)|the (?:rocket|train|boat|next leg))/i,
  /\blast chance to (?:buy|get in|own|load)\b/i,
  /\blife-changing (?:gains?|money|wealth|returns?|profits?)\b/i,
  /\bonce[- ]in[- ]a[- ](?:lifetime|generation) (?:buying )?(?:opportunity|chance|buy|trade)\b/i,
  /\b(?:about|ready|going|set|poised) to (?:explode|moon|skyrocket|go parabolic)\b/i,
  /\b(?:diamond hands|ape in|aping in|hodl|lambo)\b/i,
  /\bcan't[- ]miss (?:opportunity|chance|buy|stock|trade|deal)\b/i,
  /\b(?:make|makes|making) (?:you|us|everyone|holders) rich\b/i,
  /\bpump (?:it|this (?:stock|token|up))\b/i,
];

/** Words about spaceflight. Beside a word about spaceflight, "to the moon" means the real moon and not a rising price. */
const spaceflight =
  /\b(?:NASA|lunar|lander|astronauts?|Artemis|spacecraft|spaceflights?|payloads?|launch (?:window|pad)s?)\b/i;

/** Words that are acceptable alone; several of these words together are sales talk. */
const weak: readonly RegExp[] = [
  /\bskyrocket(?:s|ed|ing)?\b/i,
  /\b(?:massive|insane|huge|explosive|monster|crazy) (?:gains?|returns?|profits?|upside)\b/i,
  /\b(?:is|be|become|as) the next (?:amazon|nvidia|tesla|bitcoin|apple|gamestop|big thing)\b/i,
  /\bact (?:now|fast)\b|\bhurry\b/i,
  /\bdon't (?:wait|sleep on)\b/i,
  /\bno[- ]brainer\b/i,
  /\bunstoppable\b/i,
  /\bgenerational wealth\b/i,
  /\bmoonshot (?:gains?|returns?|stock|token)\b/i,
  /\bmake easy money\b/i,
  /!{2,}/,
  /\b[A-Z]{2,}(?: [A-Z]{2,}){4,}\b/,
];

/** Finds wording that promotes a stock instead of reporting on the stock. */
export const pump: WordingRule = {
  check: "pump",
  label: "Calls to buy in a hurry",
  by: "rules and model",
  cannotJudge: "whether an author means what a slogan says",
  holdsOurs: true,
  find: ({ headline, preview, body }) => {
    const passages = [headline, preview, body]
      .flatMap((text) => splitSentences(plain(text)))
      .filter((passage) => !spaceflight.test(passage));
    const loud = findFirstMatches(strong, passages);
    const hints = findFirstMatches(weak, passages);
    const passage = loud[0] ?? hints[0];
    if (passage === undefined) return [];
    return [
      makeFinding(
        findSeverity(loud.length, hints.length),
        "pump",
        "Wording that pushes the reader to buy",
        passage,
        "Keep to what happened and what it may mean; do not urge the reader to act.",
      ),
    ];
  },
};

/** A single promotional word may be a quotation or a joke, but several promotional words are sales talk. */
function findSeverity(strongCount: number, hints: number): Severity {
  return strongCount >= 2 || (strongCount === 1 && hints >= 2) ? "high" : "low";
}

/** For each pattern, the first passage in which the writer's own words match the pattern. A pattern without a match is left out. */
function findFirstMatches(patterns: readonly RegExp[], passages: readonly string[]): readonly string[] {
  return patterns.flatMap((pattern) => {
    const found = passages.find((passage) => isOwnWording(passage, pattern));
    return found === undefined ? [] : [found];
  });
}
