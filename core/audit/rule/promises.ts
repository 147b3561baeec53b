import { escapePattern } from "../passage.ts";
import type { AuditFacts } from "../schema.ts";
import { findWording, listStockNames, makeNamePattern, type WordingRule } from "./rule.ts";

const rise =
  "(?:rise|double|triple|quadruple|soar|surge|rally|go up|climb|explode|skyrocket|moon|multiply|rebound|outperform|beat the market|recover)";

const anySubject: readonly RegExp[] = [
  /(?<!\bfixed annuit(?:y|ies) (?:pays?|offers?|provides?) (?:an? )?)\bguarantee[ds]?(?: \w+){0,2} (?:profits?|returns?(?! polic)|gains?|upside|wins?|winner)\b/i,
  /\b(?:profits?|returns?|gains?|upside) (?:is|are) guaranteed\b/i,
  /\brisk-free (?:profits?|gains?|money|income|trade|bet|investment(?!(?<!\b(?:is|are|was|be|remains?|becomes?|offers?|like|as) (?:an? |the )?risk-free investment) such as (?:an? |the |us )*treasur)|way|opportunity|upside)\b/i,
  /\b(?:completely|totally|virtually|practically|entirely|essentially|absolutely|100%) risk-free\b/i,
  /\b(?:zero|no) (?:risk|downside)(?= (?:at all|whatsoever|here|involved|for (?:you|buyers|holders|investors))|[.,!;]|$)/i,
  /\b(?:you|investors|holders|buyers) (?:simply |just |really )?(?:can't|cannot|can not|won't) lose(?= (?:money|here|on|with)|[.,!;:?"]|$)/i,
  /\bno way (?:you|to|anyone) (?:can )?lose\b/i,
  /\b(?:sure-fire|surefire) (?:bet|win|winner|profits?|gains?|trade|investment)\b/i,
  /\b(?:is|it's|as) a sure (?:thing|bet|win)\b/i,
  /\byou(?:'ll| will| are going to|'re going to) (?:definitely |surely |easily )?(?:make|earn|double|triple|pocket|get|become|be)(?: \w+){0,3} (?:money|profits?|fortune|rich|gains?|millionaires?|wealthy)\b/i,
  /\bwill (?:\w+ly )?(?:double|triple|multiply|10x) your (?:money|investment|savings|stake)\b/i,
  /\b100% (?:certain|sure|safe|guaranteed)\b/i,
  /\bno (?:scenario|way|case|world|outcome) (?:in which|where|that)\b[^.;]{0,40}\b(?:los(?:e|es|ing)|poorer|worse off)\b/i,
  /\bnever (?:had|seen|produced|suffered) a losing (?:year|trade|month|quarter|position)\b/i,
];

const deniedPromise =
  /\b(?:no|not|never|nothing|nobody|none|cannot|can't|isn't|aren't|wasn't|don't|doesn't|didn't|won't|without|neither|nor|hardly|few|far from|whether)\b[^.;]{0,50}$|\bif\b(?: [^\s,.;]+){0,4} (?:deal|merger|offer|bid|takeover|buyout|acquisition|transaction)\b[^.;]{0,50}$|\bif\b[^,.;]{0,50}$/i;

/** Finds promises of a price or a profit. A denial ("nothing is guaranteed") and reported words of another person are not promises. */
export const promises: WordingRule = {
  check: "promises",
  label: "Promises of returns",
  by: "rules and model",
  cannotJudge: "what a reader hears between the lines",
  holdsOurs: true,
  find: (draft, facts) =>
    findWording(draft, words, [...anySubject, ...makeStockPatterns(facts)], deniedPromise),
};

const words = {
  check: "promises",
  wrong: "A promise of a profit or a price",
  remedy: "Say what is known and how uncertain it is; nobody can promise a return.",
};

function makeStockPatterns(facts: Pick<AuditFacts, "stock">): readonly RegExp[] {
  const subject = String.raw`\b(?:${makeNamePattern(facts)}|stock|token|shares?|price|investment)`;
  const target = String.raw`will (?:\w+ )?(?:reach|hit|touch|cross|be (?:at|worth)|trade (?:at|above|near)) \$ ?\d`;
  const company = listStockNames(facts)
    .filter((name) => name.toLowerCase() !== facts.stock.symbol.toLowerCase())
    .map(escapePattern);
  // A company's sales or spending may be planned in billions.
  const plan = String.raw`(?!(?:${[...company, "(?<!\\byour (?:\\w+ )?)investment"].join("|")}) will (?:\w+ )?(?:reach|hit|cross) \$ ?[\d.,]+ ?(?:million|billion|trillion|bn|tn)\b(?! (?:a|per|each)\b))`;
  return [
    new RegExp(
      String.raw`${subject} (?:is|are) (?:absolutely |almost |virtually )?(?:guaranteed|certain|sure|bound|destined) to ${rise}\b`,
      "i",
    ),
    new RegExp(
      String.raw`${subject} (?:will|is going to|are going to) (?:definitely|certainly|surely|undoubtedly|inevitably|absolutely|without (?:a )?doubt) ${rise}\b`,
      "i",
    ),
    new RegExp(`${plan}${subject} ${target}`, "i"),
    new RegExp(
      `${subject} (?:can't|cannot|can not|will never|won't ever) (?:go down|fall|drop|crash|fail)(?=[.,!;:?"]| (?:from|again|now|any)|$)`,
      "i",
    ),
  ];
}
