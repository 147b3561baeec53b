import { formatQuote, plain, splitSentences } from "../passage.ts";
import type { AuditFacts } from "../schema.ts";
import { hasOtherTicker, makeNamePattern, type Rule } from "./rule.ts";

/** Matches "I'm long" as a statement about a position, and not phrases such as "I'm long past that". */
const long = "(?:I'm|we're)(?: (?:also|currently|still|personally|both))* long(?! (?:past|gone|overdue)\\b)";
/** Refuses the words after "hold" that give the verb another meaning, as in "I hold that" and "I hold the view". */
const opinion =
  "(?! that(?! (?:token|stock|share|position))\\b| (?:the|a|an|this|that)(?: [a-z]+)? (?:view|opinion|belief|conviction)s?\\b)";
const holding = `(?:(?:hold|holds|holding|held)${opinion}|own|owned|owns|owning|am long|is long|are long|(?:have|has)(?: [a-z]+){0,4} (?:position|shares?|tokens?|exposure|stake|holding)|long position)`;
/**
 * Matches a statement that the writer holds something. In a matching statement, only filler words may stand between the subject (such as
 * "I") and the verb (such as "hold").
 */
const statement = new RegExp(
  String.raw`\b(?:${long}|(?:I(?:['’]ve| have)?|we(?:['’]ve| have)?|(?:the|this) (?:author|writer|publisher|editor)s?|(?:the (?:author|publisher)'s|this|my|our) (?:wallet|account))(?:,? (?:the|this|author|writer|publisher|of|article|press|piece|text|also|currently|personally|still|do|does|did|not|don't|doesn't|never|neither|nor|itself|both))*,? ${holding})\b`,
  "i",
);
const mention = new RegExp(String.raw`\b(?:${long}|${holding})\b`, "i");
const heading = /\b(?:disclosures?|disclaimer|conflicts? of interest)\b/i;
const denial = /\b(?:no|not|none|neither|never|nor|without)\b|n't\b/i;
/** Matches a denial directly after the verb, as in "holds no AAPL", or as the whole answer, as in "holding in AAPL: none". */
const deniedObject = /^\W*(?:no|not|none|neither|nothing|zero)\b|(?:\bis|\bare|:) (?:no|none|nil|zero)\b/i;

/**
 * A publisher whose wallet holds the stock's token must disclose the holding in the text. Readers of a page cannot see the publisher's
 * balance of the stock's token. The finding says whether the text denies the holding or does not mention the holding.
 */
export const disclosure: Rule = {
  check: "disclosure",
  label: "Disclosure",
  by: "rules and model",
  cannotJudge: "holdings in other wallets and places, and payments outside of this chain",
  find: ({ preview, body }, facts) => {
    if (!facts.publisherHolds) return [];
    const statements = splitSentences(plain(`${preview}\n${body}`)).flatMap((sentence) =>
      findStatements(sentence, facts),
    );
    if (statements.some((clause) => !isDenial(clause, facts) || /\bwarrants?\b/i.test(clause))) return [];
    const { symbol } = facts.stock;
    const remedy = `Add a line such as "Disclosure: the author holds ${symbol} tokens."`;
    const denied = statements[0];
    const detail =
      denied === undefined
        ? `Your wallet holds ${symbol} tokens and the text does not say so. ${remedy}`
        : `Your wallet holds ${symbol} tokens, but the text denies a holding: ${formatQuote(denied)} ${remedy}`;
    return [{ severity: "high", check: "disclosure", detail }];
  },
};

/**
 * Whether a clause denies that its writer holds the stock: before the verb, directly after the verb, or shortly before the stock's name, as
 * in "I own MSFT, not AAPL". Other negative words, as in "was not paid for this article", do not belong to the holding, unless the clause
 * does not name the stock, as in "I own bitcoin and no shares".
 */
function isDenial(clause: string, facts: AuditFacts): boolean {
  const stock = String.raw`(?:${makeNamePattern(facts)}|th(?:is|e) (?:one|token|stock|company))\b`;
  if (!new RegExp(String.raw`\b${stock}`).test(clause)) return denial.test(clause);
  const verb = statement.exec(clause) ?? mention.exec(clause);
  const end = verb === null ? 0 : verb.index + verb[0].length;
  const after = clause.slice(end);
  const deniedStock = new RegExp(
    String.raw`(?:\b(?:no|not|none|never|nor|without)|n't)(?! (?:sell|sold|trad|recommend))(?: \w+){0,2} ${stock}`,
  );
  return denial.test(clause.slice(0, end)) || deniedObject.test(after) || deniedStock.test(after);
}

/** The clauses of a text that are about the writer's own holding of this stock, or about the writer's holdings in general. */
function findStatements(sentence: string, facts: AuditFacts): readonly string[] {
  const own = new RegExp(String.raw`\b(?:${makeNamePattern(facts)})\b`);
  const headed = heading.test(sentence);
  return sentence
    .split(/[;()]|, (?=but|though|and)|\bbut\b|\bthough\b|\balthough\b/)
    .filter(
      (clause) =>
        (headed ? mention : statement).test(clause) && (own.test(clause) || !hasOtherTicker(clause, facts)),
    );
}
