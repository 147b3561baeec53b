import { folded, longestShared, plain, words } from "../passage.ts";
import type { AuditDraft, AuditFacts, Issue, SimilarPress } from "../schema.ts";
import { alikeHeadlines, alikeTexts, near } from "../similar.ts";
import { finding, type Rule } from "./rule.ts";

/** Words in a row that two writers do not find independently. */
const noticeable = 14;
const substantial = 30;
/** Words of a source that are compared: the time is proportional to them. */
const compared = 2000;

/** Text taken over from the sources of an AI draft. What stands in quotation marks beside a link is a citation. */
export const copied: Rule = {
  check: "copied",
  label: "Copied text",
  by: "rules",
  cannotJudge: "texts that are not on this marketplace, but for the sources of an AI draft",
  mayStop: true,
  holdsOurs: true,
  find: (draft, facts) => [
    ...takenOver(draft, facts),
    ...sourceHeadlines(draft, facts),
    ...facts.similar.flatMap((press) => otherPress(draft, press)).slice(0, 2),
  ],
};

function takenOver({ headline, preview, body }: AuditDraft, { sources }: AuditFacts): readonly Issue[] {
  const own = `${headline}\n${preview}\n${body}`;
  return sources.flatMap((source) => {
    const text = own.includes(source.link) ? withoutCitations(own) : own;
    const written = words(plain(text));
    const taken = [source.title, source.text]
      .map((original) => longestShared(words(plain(original)).slice(0, compared), written))
      .reduce((longest, run) => (run.length > longest.length ? run : longest), []);
    if (taken.length < noticeable) return [];
    return [
      finding(
        taken.length >= substantial ? "high" : "low",
        "copied",
        `${taken.length} words in a row are those of ${source.source} (${source.link})`,
        taken.join(" "),
        "Say it in your own words, or quote a short passage with a link.",
      ),
    ];
  });
}

function withoutCitations(text: string): string {
  return folded(text).replace(/"[^"\n]{1,300}"/g, " … ");
}

/** From this share of its runs of words on a text is a copy of another: two writers never share so many. */
const copy = 0.3;

function sourceHeadlines({ headline }: AuditDraft, { sources }: AuditFacts): readonly Issue[] {
  const source = sources.find(({ title }) => alikeHeadlines(headline, title) >= near.headline);
  if (source === undefined) return [];
  const wrong = `The headline is nearly that of ${source.source}`;
  return [finding("low", "copied", wrong, source.title, "Write one that says what your text adds.")];
}

/** A copy of a text that somebody else sells is none to publish; one's own, again, is worth a word. */
function otherPress(draft: AuditDraft, press: SimilarPress): readonly Issue[] {
  if (!press.own && press.shared >= copy) {
    const wrong = `About ${Math.round(press.shared * 100)}% of the text is that of another publisher's live press`;
    const remedy = "Write what you found yourself; quote short passages with a link to where they stand.";
    return [finding("high", "copied", wrong, press.headline, remedy)];
  }
  const headline = alikeHeadlines(draft.headline, press.headline) >= near.headline;
  const preview = alikeTexts(draft.preview, press.preview) >= near.text;
  if (!headline && !preview) return [];
  const what =
    headline && preview ? "Headline and preview are" : headline ? "The headline is" : "The preview is";
  const severity = headline && preview && !press.own ? "high" : "low";
  const wrong = `${what} nearly that of ${press.own ? "your own" : "another publisher's"} live press`;
  return [
    finding(severity, "copied", wrong, press.headline, "Say what is new in this one, in words of its own."),
  ];
}
