import { folded, longestShared, plain, words } from "../text.ts";
import { finding, type Rule } from "./rule.ts";

/** Words in a row that two writers do not find independently. */
const noticeable = 14;
const substantial = 30;
/** Words of a source that are compared: the time is proportional to them. */
const compared = 2000;

/** Text taken over from the sources of an AI draft. What stands in quotation marks beside a link is a citation. */
export const copied: Rule = ({ headline, preview, body }, { sources }) => {
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
        taken.length >= substantial ? "high" : "medium",
        "copied",
        `${taken.length} words in a row are those of ${source.source} (${source.link})`,
        taken.join(" "),
        "Say it in your own words, or quote a short passage with a link.",
      ),
    ];
  });
};

function withoutCitations(text: string): string {
  return folded(text).replace(/"[^"\n]{1,300}"/g, " … ");
}
