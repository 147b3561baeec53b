import { isOutletHost, type Named, outletsIn } from "../outlet.ts";
import type { Issue } from "../schema.ts";
import { folded, literally } from "../text.ts";
import { finding, type Rule } from "./rule.ts";

type Link = { readonly text: string; readonly host: string; readonly before: string; readonly after: string };

/** Links of one text that are looked at. */
const looked = 200;
const inline =
  /!?\[([^[\]\n]{0,300})\]\(<?(https?:\/\/[^\s()<>]{1,500}(?:\([^\s()<>]{0,100}\))?)>?(?:[ \t]+["'(][^\n]{0,200}["')])?\)/gi;
const reference = /\[([^[\]\n]{1,300})\]\[([^[\]\n]{0,60})\]/g;
const definition = /^ {0,3}\[([^[\]\n]{1,60})\]:[ \t]*<?(https?:\/\/[^\s<>]{1,500})/gim;
const bare = /(?<!\]\(|\]: ?|\(<|")\bhttps?:\/\/[^\s()<>[\]]{1,500}/gi;

/** Words that a link's text may have beside the name of its outlet, and words that name none. */
const generic =
  /^(?:\W|\d|\b(?:the|a|an|of|on|by|in|at|to|for|from|and|with|its|this|that|see|via|per|as|here|link|source|sources|report|reports|reported|reporting|story|article|piece|interview|coverage|column|news|post|wrote|writes|said|says|told|according|first|read|more|analysis|data|survey|study|figures|page|website|site|exclusive|investigation|account|newsletter|blog|today|yesterday|january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|last|week|month)\b)*$/i;
const attribution =
  /\b(?:according to|reported by|as reported (?:by|in)|told|(?:first )?(?:reported|reports|wrote|writes|said|says|noted|notes|found|finds|published|estimates?|calculates?|quoted|put|puts|broke|revealed|citing|cited|in an interview with|interview (?:with|in)|report(?:ing)? (?:by|in|from)|story (?:by|in|from)|article (?:by|in|from)|survey (?:by|from)|data (?:by|from)))\b/i;

/** An outlet's name on a link to another host: readers would trust a source that was not theirs. */
export const outlets: Rule = ({ preview, body }) => {
  const text = folded(`${preview}\n\n${body}`);
  return linksIn(text)
    .flatMap((link) => faultOf(link))
    .slice(0, 3);
};

function faultOf(link: Link): readonly Issue[] {
  const claimed = claimedBy(link);
  if (claimed.length === 0 || claimed.some(({ owns }) => owns(link.host))) return [];
  const name = claimed.map((one) => one.name).join(" and ");
  return [
    finding(
      "high",
      "outlets",
      `The link that is given as ${name} leads to ${link.host}`,
      `${link.before.slice(-60)}${link.text}${link.after.slice(0, 30)}`.trim(),
      `Link the page of ${name}, or name the source that the link leads to.`,
    ),
  ];
}

/** The outlets whose work a link is said to be: named in its text, or by the sentence around a link that names nobody. */
function claimedBy({ text, host, before, after }: Link): readonly Named[] {
  const own = outletsIn(text);
  if (own.length > 0) return own.filter(({ name, index }) => isAttributed(text, name, index));
  const around = outletsIn(`${before} ${after}`);
  const [only] = around;
  if (only === undefined || around.length !== 1) return [];
  // Right before the address: "Reuters: https://…", "(Reuters, https://…)".
  const isBeside =
    new RegExp(`(?:${literally(only.name)})(?:,| -|:)? ?[(<[]?$`).test(before) ||
    new RegExp(String.raw`^\W{0,3}\(?(?:${literally(only.name)})\b`).test(after);
  if (isBeside && (generic.test(text) || isOutletHost(host))) return [only];
  const isSaid = isAttribution(`${before} ${text} ${after}`, only.name);
  return isSaid && (generic.test(text) || isOutletHost(host)) ? [only] : [];
}

/** "According to Reuters", "Reuters reported": what the sentence says is the outlet's. */
function isAttribution(sentence: string, name: string): boolean {
  const at = sentence.indexOf(name);
  const beside = `${sentence.slice(Math.max(0, at - 40), at)} ${sentence.slice(at + name.length, at + name.length + 40)}`;
  return attribution.test(beside);
}

/** The outlet speaks or published; it is not what the page is about. */
function isAttributed(text: string, name: string, index: number): boolean {
  const rest = `${text.slice(0, index)} ${text.slice(index + name.length)}`;
  if (generic.test(rest)) return true;
  if (
    /\b(?:filing|10-[KQ]|8-K|annual report|shares|stock|subscribers|lawsuit|owner|parent|company|v\.|vs\.?|against|deal with|complaint|case)\b/i.test(
      rest,
    )
  )
    return false;
  const isFirst = /^\W*(?:the )?$/i.test(text.slice(0, index));
  return (
    isFirst ||
    attribution.test(text) ||
    /(?:,|\(| by| in| via| from)\s*(?:the )?$/i.test(text.slice(0, index))
  );
}

function linksIn(text: string): readonly Link[] {
  const addresses = new Map(
    [...text.matchAll(definition)].map(([, label = "", url = ""]) => [label.toLowerCase(), url]),
  );
  const found = [
    ...[...text.matchAll(inline)].map((match) => ({ match, label: match[1] ?? "", url: match[2] ?? "" })),
    ...[...text.matchAll(reference)].map((match) => ({
      match,
      label: match[1] ?? "",
      url: addresses.get((match[2] || match[1] || "").toLowerCase()) ?? "",
    })),
    ...[...text.matchAll(bare)].map((match) => ({ match, label: "", url: match[0] })),
  ].slice(0, looked);
  return found.flatMap(({ match, label, url }) => {
    const host = hostOf(url);
    if (host === undefined) return [];
    const start = match.index;
    const before =
      text
        .slice(Math.max(0, start - 240), start)
        .split(/\n|[.!?]["')]? (?=["'(]?\p{Lu})/u)
        .at(-1) ?? "";
    const after =
      text.slice(start + match[0].length, start + match[0].length + 160).split(/\n|[.!?](?: |$)/)[0] ?? "";
    return [{ text: label.replace(/[*_`]/g, ""), host, before: shown(before), after: shown(after) }];
  });
}

/** Without the addresses of other links, whose hosts may look like names. */
function shown(text: string): string {
  return text.replace(/\]\([^()\s]{1,500}\)?/g, "]").replace(/https?:\/\/\S+/g, "");
}

function hostOf(url: string): string | undefined {
  try {
    return new URL(url).hostname.toLowerCase().replace(/^www\./, "");
  } catch {
    return undefined;
  }
}
