import { isReported, plain, quotation, sentences } from "../passage.ts";
import type { AuditFacts, Severity } from "../schema.ts";
import { finding, namePattern, namesOthers, type Rule } from "./rule.ts";

const rise =
  "(?:rise|double|triple|quadruple|soar|surge|rally|go up|climb|explode|skyrocket|moon|multiply|rebound|outperform|beat the market|recover)";

const anySubject: readonly RegExp[] = [
  /\bguarantee[ds]?(?: \w+){0,2} (?:profits?|returns?(?! polic)|gains?|upside|wins?|winner)\b/i,
  /\b(?:profits?|returns?|gains?|upside) (?:is|are) guaranteed\b/i,
  /\brisk-free (?:profits?|gains?|money|income|trade|bet|investment|way|opportunity|upside)\b/i,
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
  /\b(?:no|not|never|nothing|nobody|none|cannot|can't|isn't|aren't|wasn't|don't|doesn't|didn't|won't|without|neither|nor|hardly|few|far from|whether|if)\b[^.;]{0,50}$/i;

/** Promises of a price or a profit. Denials ("nothing is guaranteed") and others' reported words are not promises. */
export const promises: Rule = {
  check: "promises",
  label: "Promises of returns",
  by: "rules and model",
  cannotJudge: "what a reader hears between the lines",
  mayStop: true,
  holdsOurs: true,
  find: ({ headline, preview, body }, facts) => {
    const patterns = [...anySubject, ...aboutTheStock(facts)];
    return [headline, preview, body]
      .flatMap((text) => sentences(plain(text)))
      .filter((sentence) => patterns.some((pattern) => promisesBy(pattern, sentence)))
      .slice(0, 3)
      .map((sentence) =>
        finding(
          "high",
          "promises",
          "A promise of a profit or a price",
          sentence,
          "Say what is known and how uncertain it is; nobody can promise a return.",
        ),
      );
  },
};

function promisesBy(pattern: RegExp, sentence: string): boolean {
  const match = pattern.exec(sentence);
  return (
    match !== null &&
    !deniedPromise.test(sentence.slice(0, match.index)) &&
    !isReported(sentence, match.index)
  );
}

function aboutTheStock(facts: AuditFacts): readonly RegExp[] {
  const subject = String.raw`\b(?:${namePattern(facts)}|stock|token|shares?|price|investment)`;
  return [
    new RegExp(
      String.raw`${subject} (?:is|are) (?:absolutely |almost |virtually )?(?:guaranteed|certain|sure|bound|destined) to ${rise}\b`,
      "i",
    ),
    new RegExp(
      String.raw`${subject} (?:will|is going to|are going to) (?:definitely|certainly|surely|undoubtedly|inevitably|absolutely|without (?:a )?doubt) ${rise}\b`,
      "i",
    ),
    new RegExp(
      String.raw`${subject} will (?:\w+ )?(?:reach|hit|touch|cross|be (?:at|worth)|trade (?:at|above|near)) \$ ?\d`,
      "i",
    ),
    new RegExp(
      `${subject} (?:can't|cannot|can not|will never|won't ever) (?:go down|fall|drop|crash|fail)(?=[.,!;:?"]| (?:from|again|now|any)|$)`,
      "i",
    ),
  ];
}

const anyStock: readonly RegExp[] = [
  /(?<!\b(?:whether|if|how|when|asks?) )\byou (?:should|ought to|had better|'d better)(?: (?:also|just|now|really|definitely|immediately|never|not|probably))? (?:buy|sell|short|hold|load up|invest|put your|go all[- ]in|accumulate|dump)\b(?! (?:through|via|in mind|your breath))(?![^.;]{0,40}\b(?:because of|based on|on the (?:basis|strength) of|merely|just because)\b)/i,
  /\b(?:readers?|investors?|holders?|everyone|anyone|one) (?:should|ought to|must|had better|would (?:be wise|do well) to|(?:is|are) (?:wise|well advised) to) (?:now |also |really )?(?:buy|sell|short|load up|accumulate|dump|add)\b(?! (?:through|via))/i,
  /\band so should (?:you|every|all|any|our|each|readers|subscribers)\b/i,
  /(?<!\b(?:whether|if|when) )\byou (?:must|need to|have to)(?: (?:also|just|now|really|definitely|immediately))? (?:buy|sell|short|dump|load up|go all[- ]in)\b(?=[^.;]{0,40}\b(?:now|today|immediately|right away|the dip|asap|before it)\b)/i,
  /\b(?:I|we)(?:'d| would)?(?: (?:strongly|highly|really|personally))? (?:recommend|advise|urge|suggest)(?: that)?(?: (?:you|readers|everyone|all|investors))?(?: (?:to|should))? (?:buy|sell|short|hold)(?:ing)?\b/i,
  /\b(?:my|our) (?:advice|recommendation|tip)(?: is|:) ?(?:to )?(?:buy|sell|short|hold|load)\b/i,
  /\bput (?:all |half )?(?:of )?your (?:savings|life savings|money|pension|retirement|paycheck|salary) (?:in|into|on)\b/i,
];

/** Personalised advice. A publisher may argue about a stock; what a reader should do with it is not theirs to say. */
export const advice: Rule = {
  check: "advice",
  label: "Advice to buy or sell",
  by: "rules and model",
  cannotJudge: "what a reader hears between the lines",
  mayStop: true,
  holdsOurs: true,
  find: ({ headline, preview, body }, facts) => {
    const patterns = [...anyStock, order(facts)];
    return [headline, preview, body]
      .flatMap((text) => sentences(plain(text)))
      .filter((sentence) => patterns.some((pattern) => advises(pattern, sentence)))
      .slice(0, 3)
      .map((sentence) =>
        finding(
          "high",
          "advice",
          "Advice to the reader to trade",
          sentence,
          "Describe what speaks for and against it, and leave the decision to the reader.",
        ),
      );
  },
};

function advises(pattern: RegExp, sentence: string): boolean {
  const match = pattern.exec(sentence);
  return match !== null && !isReported(sentence, match.index);
}

/** "Buy AAPL now": an order at the start of a sentence that is no question. "Buy now, pay later" is a product. */
function order(facts: AuditFacts): RegExp {
  const thing = String.raw`(?:now\b(?!,? pay)|today\b|immediately\b|it\b|this (?:stock|token|dip)\b|the (?:stock|token|dip|shares?)\b|your (?:shares?|tokens?)\b|as (?:much|many)\b|everything\b|\$?(?:${namePattern(facts)})\b(?! (?:the|one|into)\b))`;
  return new RegExp(
    String.raw`^(?:["'([]*)(?:so,? |just |now,? |go |please |don't wait[,:]? )?(?:buy|sell|short|dump|load up on|accumulate) (?:more )?${thing}(?!.*\?)`,
    "i",
  );
}

/** Said by nobody who reports. */
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

/** Where "to the moon" is a place. */
const spaceflight =
  /\b(?:NASA|lunar|lander|astronauts?|Artemis|spacecraft|spaceflights?|payloads?|launch (?:window|pad)s?)\b/i;

/** Fair now and then; together they are a sales talk. */
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

/** Wording that sells a stock instead of reporting on it. */
export const pump: Rule = {
  check: "pump",
  label: "Calls to buy in a hurry",
  by: "rules and model",
  cannotJudge: "whether an author means what a slogan says",
  mayStop: true,
  holdsOurs: true,
  find: ({ headline, preview, body }) => {
    const passages = [headline, preview, body]
      .flatMap((text) => sentences(plain(text)))
      .filter((passage) => !spaceflight.test(passage));
    const loud = matches(strong, passages);
    const hints = matches(weak, passages);
    const passage = loud[0] ?? hints[0];
    if (passage === undefined) return [];
    return [
      finding(
        severityOf(loud.length, hints.length),
        "pump",
        "Wording that pushes the reader to buy",
        passage,
        "Keep to what happened and what it may mean; leave the urging out.",
      ),
    ];
  },
};

function severityOf(loud: number, hints: number): Severity {
  if (loud >= 2 || (loud === 1 && hints >= 2)) return "high";
  return loud === 1 || hints >= 2 ? "medium" : "low";
}

/** For each pattern that occurs in the writer's own words, the first such passage. */
function matches(patterns: readonly RegExp[], passages: readonly string[]): readonly string[] {
  return patterns.flatMap((pattern) => {
    const found = passages.find((passage) => {
      const match = pattern.exec(passage);
      return match !== null && !isReported(passage, match.index);
    });
    return found === undefined ? [] : [found];
  });
}

const holding =
  "(?:hold|holds|holding|own|owns|owning|am long|is long|are long|(?:have|has)(?: [a-z]+){0,4} (?:position|shares?|tokens?|exposure|stake|holding)|long position)";
/** The writer as the one who holds; only words that say nothing else may stand between. */
const statement = new RegExp(
  String.raw`\b(?:I|we|(?:the|this) (?:author|writer|publisher|editor)s?|(?:the (?:author|publisher)'s|this|my|our) (?:wallet|account))(?:,? (?:the|this|author|writer|publisher|of|article|press|piece|text|also|currently|personally|still|do|does|did|not|don't|doesn't|never|neither|nor|itself|both))*,? ${holding}\b`,
  "i",
);
const mention = new RegExp(String.raw`\b${holding}\b`, "i");
const heading = /\b(?:disclosures?|disclaimer|conflicts? of interest)\b/i;
const deniedHolding = /\b(?:no|not|none|neither|never|nor|without)\b|n't\b/i;

/**
 * A publisher whose wallet holds the stock's token says so in the text. A balance cannot be seen by readers of a page,
 * and a text that denies it is worse than one that is silent.
 */
export const disclosure: Rule = {
  check: "disclosure",
  label: "Disclosure",
  by: "rules and model",
  cannotJudge: "holdings in other wallets and places, and payments outside of this chain",
  mayStop: true,
  holdsOurs: false,
  find: ({ preview, body }, facts) => {
    if (!facts.publisherHolds) return [];
    const statements = sentences(plain(`${preview}\n${body}`)).flatMap((sentence) =>
      statementsIn(sentence, facts),
    );
    if (statements.some((clause) => !deniedHolding.test(clause))) return [];
    const { symbol } = facts.stock;
    const remedy = `Add a line such as "Disclosure: the publisher holds ${symbol} tokens."`;
    const denied = statements[0];
    const detail =
      denied === undefined
        ? `Your wallet holds ${symbol} tokens and the text does not say so. ${remedy}`
        : `Your wallet holds ${symbol} tokens, but the text denies a holding: ${quotation(denied)} ${remedy}`;
    return [{ severity: "high", check: "disclosure", detail }];
  },
};

/** The clauses that speak of the writer's own holding of this stock, or of holdings in general. */
function statementsIn(sentence: string, facts: AuditFacts): readonly string[] {
  const own = new RegExp(String.raw`\b(?:${namePattern(facts)})\b`);
  const headed = heading.test(sentence);
  return sentence
    .split(/[;()]|, (?=but|though|and)|\bbut\b|\bthough\b|\balthough\b/)
    .filter(
      (clause) =>
        (headed ? mention : statement).test(clause) && (own.test(clause) || !namesOthers(clause, facts)),
    );
}
