import { formatQuote, isQuotedSpeech, splitSentences, toVisibleText } from "../passage.ts";
import type { AuditFacts } from "../schema.ts";
import { hasOtherTicker, makeNamePattern, type Rule } from "./rule.ts";

/**
 * Patterns for the writer's own holding: `own` matches the stock's names, `statement` matches a statement that the writer holds something,
 * and `mention` matches the words for a holding after the heading of a disclosure. In a statement, only filler words may stand between the
 * subject (such as "I") and the verb (such as "hold"). The words "long" and "I'm holding" need an object, because many idioms contain them.
 */
function makePatterns(facts: AuditFacts) {
  const names = makeNamePattern(facts);
  const object = String.raw`(?:(?:on|in|some|more|my|our|\d[\d.,]*) )*(?:\$?(?-i:${names})|(?:the|this) (?:stock|token)|tokens|shares|an? (?:long |small |large )?position in)(?![\p{L}\d])`;
  const holding = `(?:hold|holds|holding|held|own|owned|owns|owning|(?:am|is|are) long ${object}|(?:have|has)(?: [a-z]+){0,4} (?:position|shares?|tokens?|exposure|stake|holding)|long position)`;
  const filler =
    "(?:,? (?:the|this|author|writer|publisher|of|article|press|piece|text|also|currently|personally|still|do|does|did|not|don't|doesn't|never|neither|nor|itself|both))*,?";
  const subject =
    "(?:I(?:'ve| have)?|we(?:'ve| have)?|(?:the|this) (?:author|writer|publisher|editor)s?|(?:the (?:author|publisher)'s|this|my|our) (?:wallet|account))";
  return {
    own: new RegExp(String.raw`\b(?:${names})\b`),
    statement: new RegExp(
      String.raw`\b(?:${subject}${filler} ${holding}|(?:I'm|we're)${filler} (?:long|holding) ${object})(?!\p{L})`,
      "iu",
    ),
    mention: new RegExp(String.raw`\b${holding}(?!\p{L})|(?::| -) long ${object}`, "iu"),
  };
}

const heading =
  /^\W*(?:(?:full|my|our|(?:author|publisher|writer)(?:'?s)?) )?(?:disclosures?|disclaimer|conflicts? of interest)\b[^.:]{0,40}(?::| - )/i;
const deniedHolding = /\b(?:no|not|none|neither|never|nor|without)\b|n't\b/i;

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
    const patterns = makePatterns(facts);
    const statements = splitSentences(toVisibleText(`${preview}\n${body}`)).flatMap((sentence) =>
      findStatements(sentence, facts, patterns),
    );
    if (statements.some((clause) => !deniedHolding.test(clause) || /\bwarrants?\b/i.test(clause))) return [];
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

/** The clauses of a text that are about the writer's own holding of this stock, or about the writer's holdings in general. */
function findStatements(
  sentence: string,
  facts: AuditFacts,
  { own, statement, mention }: ReturnType<typeof makePatterns>,
): readonly string[] {
  const headed = heading.test(sentence);
  return sentence.split(/[;()]|, (?=but|though|and)|\bbut\b|\bthough\b|\balthough\b/).filter((clause) => {
    const at = clause.search(headed ? mention : statement);
    if (at < 0 || isQuotedSpeech(sentence, sentence.indexOf(clause) + at)) return false;
    return own.test(clause) || !hasOtherTicker(clause, facts);
  });
}
