import type { AuditFacts } from "../schema.ts";
import { findWording, makeNamePattern, type WordingRule } from "./rule.ts";

const anyStock: readonly RegExp[] = [
  /(?<!\b(?:whether|if|how|when|asks?) )\byou (?:should|ought to|had better|'d better)(?: (?:also|just|now|really|definitely|immediately|never|not|probably))? (?:buy|sell|short|hold|load up|invest|put your|go all[- ]in|accumulate|dump)\b(?! (?:through|via|in mind|your breath))(?![^.;]{0,40}\b(?:because of|based on|on the (?:basis|strength) of|merely|just because)\b)/i,
  /\b(?:readers?|investors?|holders?|everyone|anyone|one) (?:should|ought to|must|had better|would (?:be wise|do well) to|(?:is|are) (?:wise|well advised) to) (?:now |also |really )?(?:buy|sell|short|load up|accumulate|dump|add(?! (?:back|together|up(?! to\b))\b))\b(?! (?:through|via))/i,
  /\band so should (?:you|every|all|any|our|each|readers|subscribers)\b/i,
  /(?<!\b(?:whether|if|when) )\byou (?:must|need to|have to)(?: (?:also|just|now|really|definitely|immediately))? (?:buy|sell|short|dump|load up|go all[- ]in)\b(?=[^.;]{0,40}\b(?:now|today|immediately|right away|the dip|asap|before it)\b)/i,
  /\b(?:I|we)(?:'d| would)?(?: (?:strongly|highly|really|personally))? (?:recommend|advise|urge|suggest)(?: that)?(?: (?:you|readers|everyone|all|investors))?(?: (?:to|should))? (?:buy|sell|short|hold)(?:ing)?\b/i,
  /\b(?:my|our) (?:advice|recommendation|tip)(?: is|:) ?(?:to )?(?:buy|sell|short|hold|load)\b/i,
  /\bput (?:all |half )?(?:of )?your (?:savings|life savings|money|pension|retirement|paycheck|salary) (?:in|into|on)\b/i,
];

/** Finds personalised advice. A publisher may give reasons for or against a stock, but must not tell readers what to do with the stock. */
export const advice: WordingRule = {
  check: "advice",
  label: "Advice to buy or sell",
  by: "rules and model",
  cannotJudge: "what a reader hears between the lines",
  holdsOurs: true,
  find: (draft, facts) => findWording(draft, words, [...anyStock, makeTradePattern(facts)]),
};

const words = {
  check: "advice",
  wrong: "Advice to the reader to trade",
  remedy: "Describe the arguments for and against the stock, and leave the decision to the reader.",
};

/**
 * Matches an order such as "Buy AAPL now" at the start of a sentence that is not a question. "Buy now, pay later" does not match, because
 * these words name a way to pay and not a stock.
 */
function makeTradePattern(facts: Pick<AuditFacts, "stock">): RegExp {
  const thing = String.raw`(?:now\b(?!,? pay)|today\b|immediately\b|it\b(?! now (?:listings?|buttons?|options?|items?|sales|formats?|features?|purchases?)\b)|this (?:stock|token|dip)\b|the (?:stock|token|dip|shares?)\b|your (?:shares?|tokens?)\b|as (?:much|many)\b|everything\b|\$?(?:${makeNamePattern(facts)})\b(?! (?:the|one|into)\b))`;
  return new RegExp(
    String.raw`^(?:["'([]*)(?:so,? |just |now,? |go |please |don't wait[,:]? )?(?:buy|sell|short|dump|load up on|accumulate) (?:more )?${thing}(?!.*\?)`,
    "i",
  );
}
