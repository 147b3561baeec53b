import ts from "typescript";
import { expect, test } from "vitest";
import { measureCpuTime } from "../support/cpu-time.ts";
import { formatPosition, listSources, visit } from "./source.ts";

/**
 * The project's regular expressions read strangers' texts. The available checkers of patterns do not fully support lookbehind and Unicode,
 * or take minutes (docs/decisions.md). Therefore these tests run each pattern on texts made of the pattern's own words, and on the usual
 * hostile texts.
 */
const hostile = [
  "a",
  "1",
  "a1",
  " ",
  "a ",
  "\n",
  "a\n",
  "[",
  "](",
  "<",
  "<a ",
  "*",
  "> ",
  "- ",
  "|",
  '"',
  '"a',
  "&#",
  ".",
  ",",
  "/",
  "\\",
  "$1.5 ",
  "5% ",
  "A b. ",
  "\u00ad",
  "\u0301",
];

/** The length of a test text, which is greater than the length of any paragraph that a save accepts. */
const size = 12_000;
/**
 * The maximum time in milliseconds to match one text. A pattern that takes longer than this maximum is not linear. Most patterns take
 * less than a millisecond.
 */
const most = 60;
const mostRuns = 8;

/** Files whose patterns are never applied to a stranger's text, or only to short texts. */
const excepted: Readonly<Record<string, string>> = {
  "core/page/make.ts": "reads the site's own template",
  "web/src/format.ts": "parts the digits of one number",
  "web/src/publish/editor/fields.tsx": "reads what its writer pastes into one line",
};

/**
 * Texts whose repetition makes a pattern as slow as possible: the usual hostile texts, each of the pattern's first four words, and these
 * words together in their order.
 */
function listHostileUnits(source: string): readonly string[] {
  const words = [...new Set(source.match(/(?<![\\\p{L}])[\p{L}\d]{2,}/gu) ?? [])].slice(0, 4);
  return [...hostile, ...words.flatMap((word) => [word, `${word} `]), words.join(" ")].filter(
    (unit) => unit !== "",
  );
}

test("every regular expression of the project takes linear time on texts that are made to slow the expression down", () => {
  const slow: string[] = [];
  for (const source of listSources("core", "functions", "client", "cli", "web/src")) {
    if (source.path in excepted) continue;
    visit(source.tree, (node) => {
      if (!ts.isRegularExpressionLiteral(node)) return;
      const [, text = "", flags = ""] = /^\/(.*)\/(\w*)$/s.exec(node.text) ?? [];
      if (!/[*+]|,\}|\d{2,}\}/.test(text)) return;
      const pattern = new RegExp(text, flags.replace(/[gy]/g, "").concat("g"));
      for (const unit of listHostileUnits(text)) {
        const whole = unit.repeat(size / unit.length);
        const runPattern = () => void whole.replace(pattern, "");
        // Other programs on the processor make even the measured CPU time longer, so the test uses the fastest of several runs.
        if (Array.from({ length: mostRuns }).every(() => measureCpuTime(runPattern) > most))
          slow.push(`${formatPosition(source, node)} on ${JSON.stringify(unit)}`);
      }
    });
  }
  expect(slow).toEqual([]);
});
