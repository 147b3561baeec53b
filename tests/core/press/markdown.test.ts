import { describe, expect, test } from "vitest";
import { SaveInput } from "../../../core/press/input.ts";
import { findDisplayFault, markdownLimits } from "../../../core/press/markdown.ts";
import { publishers } from "../../../local/seed/articles.ts";
import { measureCpuTime } from "../../support/cpu-time.ts";

const words = "The fund bought shares on Monday. ".repeat(30);
const findFault = (text: string) => findDisplayFault(`${words}\n\n${text}`);

const refused: Readonly<Record<string, readonly [text: string, says: RegExp]>> = {
  "lists in one line": ["+ ".repeat(5000), /nest .* at most 20 deep.* line 3$/],
  "spaced dashes": ["- ".repeat(5000), /at most 20 deep.* line 3$/],
  "quotations in one line": [">".repeat(4000), /at most 20 deep.* line 3$/],
  "lists by indentation": [
    Array.from({ length: 40 }, (_, depth) => `${"  ".repeat(depth)}- a`).join("\n"),
    /at most 20 deep.* line 23$/,
  ],
  "lists by tabs": [
    Array.from({ length: 40 }, (_, depth) => `${"\t".repeat(depth)}1. a`).join("\n"),
    /at most 20 deep.* line 23$/,
  ],
  "lists that go on behind a lazy line": [
    `${"- ".repeat(15)}a\nb\n${" ".repeat(30)}${"- ".repeat(6)}`,
    /line 5$/,
  ],
  "footnotes in one another": [
    Array.from({ length: 30 }, (_, note) => `[^${note}]: `).join(""),
    /at most 20 deep.* line 3$/,
  ],
  "open brackets": ["[".repeat(20_000), /at most 20 brackets .* line 3$/],
  "open stars": ["*a ".repeat(2000), /at most 20 brackets and marks of emphasis .* line 3$/],
  "open and closed stars": [`${"**a ".repeat(30)}${"a** ".repeat(30)}`, /at most 20 .* line 3$/],
  "closing stars": ["a* ".repeat(2000), /at most 1000 marks .* line 3$/],
  "links without an empty line": ["[a](b)\n".repeat(3000), /at most 1000 marks .* line \d+$/],
  "open comments": ["a <!-- ".repeat(2000), /at most 20 comments .* line 3$/],
  "backticks of many lengths": [
    Array.from({ length: 30 }, (_, at) => "`".repeat(at + 1)).join(" "),
    /lengths of backticks .* line 3$/,
  ],
  "a wide table": [
    `${"|a".repeat(400)}\n${"|-".repeat(400)}\n${"|\n".repeat(90)}`,
    /at most 10000 cells .* line \d+$/,
  ],
  "an address of marks": [`www.a${"_.".repeat(400)}`, /at most 100 marks in a row in an address.* line 3$/],
  "a long address": [`https://a.example/${"b".repeat(2000)}`, /at most 2000 characters.* line 3$/],
  "a long title for many links": [
    `[a]: /b '${"b ".repeat(3000)}'\n\n${"[a] [a] [a]\n\n".repeat(200)}`,
    /links by reference .* line \d+$/,
  ],
  "a paragraph that does not end": [
    "Words and words. ".repeat(600),
    /at most 10000 characters without an empty line.* line 3$/,
  ],
  "a word that only a dictionary breaks": [
    "\u0e01".repeat(501),
    /at most 500 characters without a space.* line 3$/,
  ],
  "a word of scripts in turn": ["a\u064a".repeat(251), /at most 500 characters without a space.* line 3$/],
  "words of scripts in turn": ["a\u064aa\u064a ".repeat(600), /at most 1000 marks .* line 3$/],
  "soft hyphens": ["\u00ad".repeat(501), /at most 500 characters without a space.* line 3$/],
  "many lines": ["a\n\n".repeat(3000), /at most 3000 lines, .* line 3001$/],
  "fences that HTML swallows": [`<!--\n\`\`\`\n-->\n${"[".repeat(30)}`, /line 6$/],
  "fences that a list ends": [`- a\n  \`\`\`\nb\n${"[".repeat(30)}`, /line 6$/],
  "a fence that a space of another kind does not end": [
    `\`\`\`\n\`\`\`\u00a0\n\`\`\`\n${"[".repeat(30)}`,
    /line 6$/,
  ],
};

describe("a text is refused with an error that names the limit and the line", () => {
  test.each(Object.entries(refused))("%s", (_, [text, says]) => {
    expect(findFault(text)).toMatch(says);
  });
});

test("the scan accepts an ordinary article with twenty levels of nesting, code, tables, addresses, stars and reference links", () => {
  const { nesting } = markdownLimits;
  const rows = Array.from(
    { length: 60 },
    (_, at) => `| *Q${at}* | [filing](https://a.example/${at}) | 5.0** |`,
  );
  for (const text of [
    `${">".repeat(nesting)}a\n`.repeat(3),
    "> ".repeat(nesting),
    Array.from({ length: nesting }, (_, depth) => `${"  ".repeat(depth)}- a`).join("\n"),
    Array.from({ length: nesting }, (_, depth) => `${"    ".repeat(depth)}- a`).join("\n"),
    `\`\`\`\n${"[*a ".repeat(100)}\n${"> ".repeat(40)}\n\`\`\``,
    `| a | b | c |\n|---|---|---|\n${rows.join("\n")}`,
    `A figure* and another*, snake_case_words, 2 * 3 * 4.\n\n* * *\n\n${"-".repeat(80)}`,
    `See [one][1].\n\n${Array.from({ length: 100 }, (_, at) => `[${at}]: https://a.example/${at} "A title"`).join("\n")}`,
    `${words}\n\n`.repeat(95),
    "\u4e2d\u6587\u3002ETF".repeat(1000),
    "Vi\u1ec7t Nam: \u03b1\u03b2\u03b3 \u0414\u0430 iPhone-\u0430. ".repeat(300),
  ])
    expect(findFault(text)).toBeUndefined();
  for (const { articles } of publishers)
    for (const { body } of articles) expect(findDisplayFault(body)).toBeUndefined();
});

test("a save with a text beyond the limits is answered with 400, and the answer names the field", () => {
  const input = {
    headline: "A headline of a press",
    stock: "AAPL",
    priceUsdg: 1,
    publisherName: "The Desk",
    preview: words.slice(0, 300),
    body: `${words}\n\n${"- ".repeat(5000)}`,
  };
  const { error } = SaveInput.safeParse(input);
  expect(error?.issues.map(({ path, message }) => [path.join(), message])).toEqual([
    ["body", expect.stringMatching(/at most 20 deep, and nests deeper on line 3$/)],
  ]);
});

test("the time for the scan of a text grows linearly with the text's length", () => {
  const units = [
    "[",
    "> ",
    "- ",
    "*a ",
    "`a",
    "a\n",
    "|",
    "[^a",
    "[^a]: ",
    "www.",
    "<!",
    "\\",
    "a_.",
    "\t",
    "``` ",
    "]:",
  ];
  const most = 150;
  for (const unit of units) {
    // Only the fastest of three runs counts, because other load on the same core makes even the processor time longer.
    let fastest = Number.POSITIVE_INFINITY;
    for (let run = 0; run < 3 && fastest >= most; run += 1) {
      const time = measureCpuTime(() => void findDisplayFault(unit.repeat(102_400 / unit.length)));
      fastest = Math.min(fastest, time);
    }
    expect(fastest, unit).toBeLessThan(most);
  }
});
