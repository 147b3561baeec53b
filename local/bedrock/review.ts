import * as z from "zod";
import { listWords, splitSentences } from "../../core/audit/passage.ts";
import type { Reading } from "../../core/audit/reading.ts";

/** The audited article, in the form that it has in the audit's prompt. */
export const press = z.looseObject({
  headline: z.string(),
  preview: z.string(),
  body: z.string(),
  stock: z.string(),
});
type ReviewedPress = z.output<typeof press>;

type Concern = Reading["findings"][number];

const most = { claims: 10, findings: 12, words: 40 } as const;

/**
 * Reviews an article by matching words. The review looks for a source near each number, and compares the words of the headline and of the
 * preview with the words of the body. The review also searches for the usual wordings of each concern. The review lists no calculations,
 * because the audit has its own rules for sums. The review does not understand the article and says so in its summary. The same article
 * always gets the same review.
 */
export function reviewText(article: ReviewedPress): Reading {
  const paragraphs = article.body
    .split(/\n{2,}/)
    .map((markdown) => ({ markdown, text: removeMarkup(markdown) }));
  const claims = paragraphs.flatMap(findClaims).slice(0, most.claims);
  const teasers = judgeTeasers(
    article,
    paragraphs.flatMap(({ text }) => splitSentences(text)),
  );
  const findings = [
    ...findConcerns({ markdown: article.headline, text: article.headline }),
    ...findConcerns({ markdown: article.preview, text: article.preview }),
    ...paragraphs.flatMap(findConcerns),
    ...findRepetition(paragraphs.flatMap(({ text }) => splitSentences(text))),
  ];
  const supported = claims.filter(({ support }) => support !== "none").length;
  return {
    claims,
    teasers,
    calculations: [],
    findings: findings.toSorted((one, other) => other.weight - one.weight).slice(0, most.findings),
    summary: `Read by a local stand-in, which matches words and does not understand them: ${listWords(article.body).length} words, ${supported} of ${claims.length} claims with a source near them.`,
  };
}

type Paragraph = { readonly markdown: string; readonly text: string };

const figure = /[$€£]\s?\d|\d(?:[\d.,]*\d)?\s?(?:%|percent\b|(?:million|billion|trillion)\b)/i;
const named =
  /\b(?:10-[KQ]|8-K|filings?|annual report|quarterly report|statement|transcript|prospectus|quote page)\b|\b[Aa]ccording to \p{L}|\b(?:said|says|reported|told|wrote|estimates?|expects?)\b/u;

function findClaims({ markdown, text }: Paragraph): Reading["claims"] {
  const link = /\]\((https?:\/\/[^\s)]+)/.exec(markdown)?.[1] ?? /https?:\/\/[^\s)>\]]+/.exec(markdown)?.[0];
  return splitSentences(text)
    .filter((sentence) => figure.test(sentence))
    .map((sentence) => {
      if (link !== undefined)
        return { sentence: shortenQuote(sentence), support: "link", source: link.slice(0, 300) };
      const document = named.exec(sentence)?.[0];
      return {
        sentence: shortenQuote(sentence),
        support: document === undefined ? "none" : "document",
        source: document ?? "",
      };
    });
}

/**
 * Word matching cannot tell whether the body fulfils a promise of the headline. A promise counts as broken only if the body repeats no word
 * of the promise.
 */
function judgeTeasers({ headline, preview }: ReviewedPress, body: readonly string[]): Reading["teasers"] {
  const told = new Set(body.flatMap(listWordRoots));
  const known = body.map((sentence) => ({ sentence, own: new Set(listWordRoots(sentence)) }));
  const breaksPromise = (text: string) => {
    const asked = listWordRoots(text);
    return asked.length >= 5 && !asked.some((root) => told.has(root));
  };
  const findClosest = (asked: readonly string[]) =>
    known
      .map(({ sentence, own }) => ({ sentence, shared: asked.filter((root) => own.has(root)).length }))
      .reduce((best, one) => (one.shared > best.shared ? one : best), { sentence: body[0] ?? "", shared: 0 })
      .sentence;
  const teasers = [
    { place: "headline" as const, promise: headline, kept: !breaksPromise(headline) },
    ...splitSentences(removeMarkup(preview)).map((promise) => ({
      place: "preview" as const,
      promise,
      kept: !breaksPromise(removeMarkup(preview)),
    })),
  ];
  return teasers.slice(0, 6).map(({ place, promise, kept }) => {
    const where = kept ? shortenQuote(findClosest(listWordRoots(promise))) : "";
    return { place, promise: shortenQuote(promise), kept: where !== "", where };
  });
}

type ConcernPattern = Omit<Concern, "excerpt"> & {
  readonly sign: RegExp;
  /** Matches the name of a speaker, or a denial. */
  readonly unless?: RegExp;
};

/** Words that stand before a promise or a piece of advice in the same sentence, and deny it or attribute it to somebody else. */
const denial =
  /\b(?:not|nothing|no|none|never|nobody|cannot|neither|nor|hardly|whether|if|without|anything but|far from)\b|n't\b|\b(?:said|says|promised|claimed|warned|bans?|banned|forbids?|accus\w+)\b/i;
const sourced =
  /\b(?:according to|said|says|alleg\w+|accus\w+|court|complaint|lawsuit|filing|filed|indict\w+|regulator\w*|prosecutors?|reported|ruling|judge|settled|report)\b/i;

const patterns: readonly ConcernPattern[] = [
  {
    concern: "promise",
    weight: 2,
    reason: "This passage promises a return. Say also what could go wrong.",
    sign: /\b(?:guaranteed? (?:to|returns?|gains?|profits?)|risk[- ]free (?:gain|profit|return|money|trade)|(?:can(?:no|')t|cannot) (?:lose|fail|go down)|sure thing|will (?:certainly |definitely |surely )?(?:double|triple|soar|skyrocket)|easy money|no (?:way to|chance of) los\w+)\b/i,
    unless: denial,
  },
  {
    concern: "advice",
    weight: 2,
    reason:
      "This passage tells readers how to trade. Say what is known, and leave the decision to the readers.",
    sign: /\b(?:you|readers|investors|holders|everyone) (?:should|must|ought to|need to|had better) (?:buy|sell|hold|add|accumulate|load|get (?:in|out))\b|\b(?:buy|sell|accumulate) (?:it |the token |the dip |this |shares? )?(?:now|today|before)\b|\b(?:my|our) advice is\b|\b(?:I|we) recommend\b/i,
    unless: denial,
  },
  {
    concern: "pump",
    weight: 2,
    reason: "This passage urges readers to trade. Use plain words to say what happened.",
    sign: /\b(?:to the moon|moonshot|skyrocket\w*|unstoppable|once[- ]in[- ]a[- ]lifetime|don'?t miss|last chance|before (?:it is|it's) too late|hurry|100x|10x|diamond hands|massive gains?|about to explode)\b/i,
    unless: /\b(?:forum|slogans?|posts?|chants?|memes?|called|scam)\b/i,
  },
  {
    concern: "allegation",
    weight: 2,
    reason: "This passage accuses somebody without naming a source. Say who alleges it and where.",
    sign: /\b(?:fraud\w*|embezzl\w+|brib\w+|cook(?:ed|ing) the books|lied to|falsif\w+|insider trading|laundering|kickbacks?|covered up|cover-up)\b/i,
    unless: sourced,
  },
  {
    concern: "interest",
    weight: 2,
    reason:
      "The writer profits from the stock or from the article. Say this plainly, and name what the writer holds or is paid.",
    sign: /\b(?:paid for by|sponsored by|in partnership with|affiliate (?:link|code)|referral (?:link|code)|my (?:own )?(?:bags?|position|stake)|since I (?:bought|loaded up))\b/i,
    unless: /\b(?:disclos\w+|for the record)\b/i,
  },
  {
    concern: "checker",
    weight: 3,
    reason: "This passage speaks to the auditor of the article. Leave it out.",
    sign: /\b(?:ignore|disregard|forget) (?:all |any |the |your )*(?:previous|prior|above|earlier) (?:instructions|rules|guidance)|\b(?:dear|attention|note to(?: the)?|to the|message (?:to|for)(?: the)?) (?:auditor|reviewer|checker|model|assistant|moderator)s?\b|\b(?:give|assign|return|award) (?:this|it|me)? ?(?:article |press |text )?(?:a |the |full )?(?:score of|marks|top score)|\bapprove this (?:press|article|draft|text)|\b(?:verdict|score|issues)\b ?["']?[:=] ?["']?(?:approve|100|9\d|none|\[\])/i,
    unless: /\b(?:prompt injections?|researchers|for example)\b/i,
  },
];

function findConcerns({ markdown, text }: Paragraph): readonly Concern[] {
  const matched = splitSentences(text).flatMap((sentence) =>
    patterns.flatMap(({ concern, weight, reason, sign, unless }) => {
      // Text in quotation marks counts as somebody else's text and is not searched, except for words that are addressed to the audit's
      // model.
      const read = concern === "checker" ? sentence : dropQuotes(sentence);
      const found = sign.test(read) && !(unless?.test(read) ?? false);
      return found ? [{ concern, weight, reason, excerpt: shortenQuote(sentence) }] : [];
    }),
  );
  return [...matched, ...findQuotations(markdown, text)];
}

/**
 * Finds quotations of 20 to 300 characters that the article attributes to a person. Searches only paragraphs that have no link and do not
 * say on what occasion the person spoke.
 */
function findQuotations(markdown: string, text: string): readonly Concern[] {
  if (/https?:\/\//.test(markdown)) return [];
  return splitSentences(text).flatMap((sentence) => {
    const quoted = /["“]([^"“”]{20,300})["”]/.exec(sentence)?.[1];
    const isSaid =
      /\p{Lu}\p{L}+ \p{Lu}\p{L}+(?:, [^,"“]{3,60},)? (?:said|says|told|admitted|explained|wrote)\b|\b(?:said|says|admitted|explained|wrote) (?:\p{Lu}\p{L}+ ){2}/u.test(
        sentence,
      );
    const isPlaced = /\b(?:call|interview|conference|statement|letter|hearing|report|filing|to \p{Lu})/u.test(
      sentence,
    );
    if (quoted === undefined || !isSaid || isPlaced) return [];
    const reason = "Nobody can look up where this was said. Name this place, or link to it.";
    return [{ concern: "quotation", weight: 2, excerpt: shortenQuote(quoted), reason }];
  });
}

function findRepetition(sentences: readonly string[]): readonly Concern[] {
  const seen = new Set<string>();
  const again = sentences.filter((sentence) => {
    const key = listWords(sentence).join(" ");
    const isKnown = seen.has(key);
    seen.add(key);
    return isKnown && listWords(sentence).length >= 5;
  });
  const [first] = again;
  if (first === undefined) return [];
  const reason = `${again.length} sentences are repeated. Say each once.`;
  return [{ concern: "substance", weight: again.length > 3 ? 3 : 2, excerpt: shortenQuote(first), reason }];
}

/** Returns the text that a reader sees when the Markdown is shown. */
function removeMarkup(markdown: string): string {
  return markdown
    .replace(/!?\[([^[\]]*)\]\([^()\s]*\)/g, "$1")
    .replace(/\bhttps?:\/\/\S+/g, " ")
    .replace(/^[ \t]*(?:#{1,6}|>|[-*+]|\d{1,3}\.)[ \t]+/gm, "")
    .replace(/[*_`~]{1,3}/g, "");
}

const listWordRoots = (text: string) =>
  listWords(text)
    .filter((word) => word.length >= 4)
    .map((word) => word.slice(0, 5));
const shortenQuote = (sentence: string) => sentence.split(" ").slice(0, most.words).join(" ").slice(0, 600);
const dropQuotes = (text: string) => text.replace(/["“][^"“”\n]{1,300}["”]/g, " … ");
