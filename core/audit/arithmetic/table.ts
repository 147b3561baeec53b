import { quantitiesIn } from "../numbers.ts";
import { lead, type Passage, sentenceOf, sentenceText, tail } from "../passage.ts";
import { areAlike, combined, type Interval, intervalOf, overlaps, type Quantity } from "../quantity.ts";
import { stems } from "../similar.ts";
import { directionWord, isAmount, isSupposed, pairsIn, type Slip, shown, wordsBeside } from "./pairs.ts";

type Row = {
  readonly label: string;
  readonly cells: readonly (Quantity | undefined)[];
  readonly line: string;
};
/** What is wrong in one row of a table or list, which the finding quotes. */
type RowSlip = { readonly slip: Slip; readonly line: string };

const isRule = /^[\s|:-]+$/;
const total = /^\W*(?:total|sum|all(?! others?\b)|together|altogether|overall|group total|grand total)\b/i;
const change =
  /\b(?:change|growth|yoy|y\/y|year[- ]on[- ]year|year[- ]over[- ]year|difference|diff\.?|±|delta|%)|^\s*[%+±]/i;

/** Rows of Markdown tables whose change or total does not follow from the other cells, and totals of lists. */
export function tableSlips(markdown: string): readonly RowSlip[] {
  const lines = markdown.split("\n");
  const found: RowSlip[] = [];
  let block: string[] = [];
  for (const line of [...lines, ""]) {
    if (/^\s*\|.*\|/.test(line)) block.push(line);
    else {
      if (block.length >= 3) found.push(...slipsOf(block));
      block = [];
    }
  }
  return [...found, ...listSlips(lines)];
}

function slipsOf(block: readonly string[]): readonly RowSlip[] {
  const [heads = [], ...rest] = block.filter((line) => !isRule.test(line)).map(cellsOf);
  const lines = block.filter((line) => !isRule.test(line)).slice(1);
  const rows = rest.map(
    (cells, at): Row => ({
      label: cells[0] ?? "",
      cells: cells.map((cell, column) => (column === 0 ? undefined : cellValue(cell))),
      line: lines[at] ?? "",
    }),
  );
  const found = [...changesOf(heads, rows), ...totalsOf(rows)];
  return found.length > 0 ? found : relationSlips(rows);
}

function cellsOf(line: string): readonly string[] {
  return line
    .trim()
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => cell.trim());
}

type Relation = {
  readonly of: (one: Interval, other: Interval) => Interval;
  readonly name: string;
};
const relations: readonly Relation[] = [
  { name: "÷", of: (one, other) => combined(one, other, (x, y) => (100 * x) / y) },
  { name: "÷", of: (one, other) => combined(one, other, (x, y) => x / y) },
  { name: "×", of: (one, other) => combined(one, other, (x, y) => x * y) },
  { name: "less", of: (one, other) => combined(one, other, (x, y) => x - y) },
  { name: "+", of: (one, other) => combined(one, other, (x, y) => x + y) },
];

/** A column that follows from two others in every row but one: a margin, a product, a difference. */
function relationSlips(rows: readonly Row[]): readonly RowSlip[] {
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  const columns = Array.from({ length: width }, (_, at) => at).slice(1, 8);
  return columns
    .flatMap((claimed) =>
      columns.flatMap((first) =>
        columns.flatMap((second) =>
          first === second || first === claimed || second === claimed
            ? []
            : relations.flatMap((relation) => relationSlip(rows, [first, second, claimed], relation)),
        ),
      ),
    )
    .slice(0, 1);
}

function relationSlip(
  rows: readonly Row[],
  [first, second, claimed]: readonly [number, number, number],
  relation: Relation,
): readonly RowSlip[] {
  const judged = rows.flatMap(({ cells, line }) => {
    const [one, other, claim] = [cells[first], cells[second], cells[claimed]];
    if (one === undefined || other === undefined || claim === undefined || other.value === 0) return [];
    const result = relation.of(intervalOf(one), intervalOf(other));
    return [{ one, other, claim, line, result, fits: overlaps(intervalOf(claim), result) }];
  });
  const wrong = judged.filter(({ fits }) => !fits);
  const [only] = wrong;
  // Rows that any calculation fits, such as those with small numbers, prove nothing.
  const isSharp =
    judged.filter(({ result }) => result[1] - result[0] < 0.2 * Math.abs(result[0])).length >= 3;
  if (only === undefined || wrong.length > 1 || judged.length < 4 || !isSharp) return [];
  const middle = (only.result[0] + only.result[1]) / 2;
  return [
    {
      line: only.line,
      slip: {
        claim: only.claim,
        shown: `${only.one.shown} ${relation.name} ${only.other.shown} is ${shown(middle, only.claim)}, as in the other rows`,
      },
    },
  ];
}

/** A cell that is one number; a sign in brackets or a currency may stand beside it. */
function cellValue(cell: string): Quantity | undefined {
  const text = cell.replace(/[*_`]/g, "");
  const [one, ...others] = quantitiesIn(text);
  if (one === undefined || others.length > 0 || cell.length > one.shown.length + 12) return undefined;
  // Accountants write what is taken off in brackets.
  return /^\s*[$€£]?\s*\(/.test(text) && one.value > 0 ? { ...one, value: -one.value } : one;
}

/** The change column against the two columns before it, in either order of time. */
function changesOf(heads: readonly string[], rows: readonly Row[]): readonly RowSlip[] {
  const column = heads.findIndex((head, at) => at >= 3 && change.test(head));
  if (column < 0) return [];
  const judged = rows.flatMap(({ cells, line }) => {
    const [one, other, claim] = [cells[column - 2], cells[column - 1], cells[column]];
    if (
      one === undefined ||
      other === undefined ||
      claim === undefined ||
      one.value === 0 ||
      other.value === 0
    )
      return [];
    if (one.kind !== other.kind) return [];
    return [
      { line, claim, forward: fitOf(one, other, claim), backward: fitOf(other, one, claim), one, other },
    ];
  });
  const isForward =
    judged.filter(({ forward }) => forward).length >= judged.filter(({ backward }) => backward).length;
  // A column that fits nowhere means something else.
  if (judged.length > 1 && judged.every(({ forward, backward }) => !forward && !backward)) return [];
  return judged.flatMap(({ line, claim, forward, backward, one, other }) => {
    if (isForward ? forward : backward) return [];
    const [old, young] = isForward ? [one, other] : [other, one];
    const percent = (young.value / old.value - 1) * 100;
    return [
      {
        line,
        slip: {
          claim,
          shown: `${old.shown} to ${young.shown} is ${percent >= 0 ? "+" : ""}${percent.toFixed(1)}%`,
        },
      },
    ];
  });
}

function fitOf(old: Quantity, young: Quantity, claim: Quantity): boolean {
  const given = intervalOf(claim);
  const difference = combined(intervalOf(old), intervalOf(young), (from, to) => to - from);
  const relative = combined(intervalOf(old), intervalOf(young), (from, to) => (to / from - 1) * 100);
  const fits = (change: Interval) =>
    overlaps(given, change) ||
    (claim.value >= 0 && !claim.shown.startsWith("+") && overlaps(given, [-change[1], -change[0]]));
  return fits(relative) || ((claim.kind !== "percent" || old.kind === "percent") && fits(difference));
}

function totalsOf(rows: readonly Row[]): readonly RowSlip[] {
  const named = rows.findLastIndex(({ label }) => total.test(label.replace(/[*_]/g, "")));
  // The last row alone in bold type is a total, whatever it is called.
  const isBold = rows.findIndex(({ label }) => /^\*\*.*\*\*$/.test(label)) === rows.length - 1;
  const at = named < 0 && isBold ? rows.length - 1 : named;
  const sum = rows[at];
  const terms = rows.slice(0, Math.max(0, at));
  if (sum === undefined || terms.length < 2) return [];
  return sum.cells.flatMap((claim, column) => {
    const parts = terms.map(({ cells }) => cells[column]);
    const given = parts.filter((one) => one !== undefined);
    if (claim === undefined || given.length !== parts.length || given.some(({ kind }) => kind !== claim.kind))
      return [];
    const known = withoutSubtotals(given);
    if (claim.kind === "percent" && Math.abs(claim.value - 100) > 0.5) return [];
    const added = known.map(intervalOf).reduce((one, other) => [one[0] + other[0], one[1] + other[1]]);
    if (overlaps(intervalOf(claim), added)) return [];
    const value = known.reduce((result, one) => result + one.value, 0);
    if (named < 0 && (value < 0.7 * claim.value || value > 1.4 * claim.value)) return [];
    return [{ line: sum.line, slip: { claim, shown: `the column adds up to ${shown(value, claim)}` } }];
  });
}

/** The rows that a subtotal adds up are not added once more. */
function withoutSubtotals(rows: readonly Quantity[]): readonly Quantity[] {
  const kept: Quantity[] = [];
  for (const row of rows) {
    const from = kept.findIndex((_, at) => {
      const group = kept.slice(at).map(intervalOf);
      const sum = group.reduce((one, other) => [one[0] + other[0], one[1] + other[1]]);
      return group.length >= 2 && overlaps(intervalOf(row), sum);
    });
    if (from >= 0) kept.splice(from);
    kept.push(row);
  }
  return kept;
}

/** A list whose last item is a total: "- Hardware: $5 billion", "- Total: $9 billion". */
function listSlips(lines: readonly string[]): readonly RowSlip[] {
  const item = /^\s*(?:[-*+]|\d{1,2}\.)\s+/;
  const totals = lines.flatMap((line, at) =>
    item.test(line) && total.test(line.replace(item, "").replace(/[*_]/g, "")) ? [{ line, at }] : [],
  );
  return totals.slice(0, 50).flatMap(({ line, at }) => {
    const before = lines.slice(Math.max(0, at - 12), at);
    const begins = before.findLastIndex((other) => other.trim() !== "" && !item.test(other));
    const terms = before
      .slice(begins + 1)
      .filter((other) => item.test(other))
      .map((other) => quantitiesIn(other.replace(item, "")));
    const claim = quantitiesIn(line.replace(item, ""))[0];
    const firsts = terms.map((found) => found[0]).filter((one) => one !== undefined);
    if (claim === undefined || firsts.length < 2 || firsts.length !== terms.length) return [];
    if (firsts.some((one) => one.kind !== claim.kind || one.currency !== claim.currency)) return [];
    const added = firsts.map(intervalOf).reduce((one, other) => [one[0] + other[0], one[1] + other[1]]);
    if (overlaps(intervalOf(claim), added)) return [];
    const value = firsts.reduce((result, one) => result + one.value, 0);
    return [{ line, slip: { claim, shown: `the items add up to ${shown(value, claim)}` } }];
  });
}

/** What headline and preview give, and the text below them. */
type Announced = { readonly teasers: readonly Passage[]; readonly body: readonly Passage[] };
/** A slip of a body's figure, with its sentence. */
type BodySlip = { readonly slip: Slip; readonly sentence: string };

const yearly =
  /\b(?:year[- ]on[- ]year|year[- ]over[- ]year|from (?:a|the) year (?:earlier|ago|before)|than a year (?:earlier|ago|before)|the year before|a year (?:earlier|ago|before)|within (?:a year|twelve months|four quarters)|in (?:a year|twelve months|four quarters)|over the year|on the year|the previous year|last year)\b/i;

/** "$27.6 billion, against $24.0 billion a year earlier" in the preview, and "services advanced 13%" in the body. */
export function teaserChangeSlips({ teasers, body }: Announced): readonly BodySlip[] {
  const pairs = teasers.flatMap((teaser) =>
    pairsIn(teaser)
      .filter(({ old }) => old.kind !== "percent" && old.value > 0)
      .map((pair) => ({ pair, stems: stems(teaser.text), text: teaser.text })),
  );
  const [only] = pairs;
  if (only === undefined || pairs.length > 1) return [];
  const { old, young } = only.pair;
  const change = combined(intervalOf(old), intervalOf(young), (from, to) => (to / from - 1) * 100);
  const ratio = combined(intervalOf(old), intervalOf(young), (from, to) => to / from);
  return body.flatMap((passage) =>
    passage.quantities.flatMap((claim): readonly BodySlip[] => {
      const sentence = sentenceText(passage, sentenceOf(passage, claim));
      const beside = wordsBeside(passage, claim);
      if (
        passage.quantities.some((one) =>
          areAlike({ ...one, noun: undefined }, { ...young, noun: undefined }),
        ) ||
        isSupposed.test(beside)
      )
        return [];
      const isOfYear = yearly.test(only.text) && yearly.test(sentence);
      const shared = [...stems(beside)].some((stem) => only.stems.has(stem));
      const given = intervalOf(claim);
      const fits = (result: Interval) => overlaps(given, result) || overlaps([-given[1], -given[0]], result);
      if (claim.kind === "multiple") {
        if (
          !isOfYear ||
          claim.value < 1.5 ||
          overlaps(given, ratio) ||
          overlaps(given, [1 / ratio[1], 1 / ratio[0]])
        )
          return [];
        if (
          !/\b(?:ha[sd]|have|more than|nearly|almost|it|they|revenues?|sales|profits?|which) $/i.test(
            lead(passage, claim),
          )
        )
          return [];
      } else if (claim.kind === "percent") {
        if (!shared || !isOfYear || directionWord(beside) === undefined || fits(change)) return [];
        if (/^ (?:of|margin|share|stake)\b/.test(tail(passage, claim))) return [];
      } else return [];
      const value = (young.value / old.value - 1) * 100;
      const result =
        claim.kind === "multiple"
          ? `a factor of ${(young.value / old.value).toFixed(2)}`
          : shown(value, { kind: "percent", currency: "" });
      return [{ slip: { claim, shown: `${old.shown} to ${young.shown} is ${result}` }, sentence }];
    }),
  );
}

const numbers = ["two", "three", "four", "five", "six", "seven", "eight"];
const whole =
  /\b(?:total\w*|all|together|combined|altogether|splits?|divided|consists?|made up|breaks? down|as follows|of which|bring\w* in|add\w*)\b/i;

/** A list whose amounts miss the total that headline, preview or the words before it give. */
export function listTotalSlips(
  announced: readonly Passage[],
  blocks: readonly (readonly Passage[])[],
): readonly BodySlip[] {
  return blocks.flatMap((block): readonly BodySlip[] => {
    const firsts = block.flatMap(({ quantities }) => (quantities.length === 1 ? quantities : []));
    const [first] = firsts;
    if (first === undefined || firsts.length < 3 || firsts.length !== block.length || !isAmount(first))
      return [];
    const alike = (one: Quantity) =>
      areAlike({ ...one, noun: undefined, per: undefined }, { ...first, noun: undefined, per: undefined });
    if (!firsts.every(alike)) return [];
    const sum = firsts.map(intervalOf).reduce((one, other) => [one[0] + other[0], one[1] + other[1]]);
    const word = numbers[firsts.length - 2] ?? "";
    const candidates = announced.flatMap((passage) =>
      passage.quantities.flatMap((one) => {
        const sentence = sentenceText(passage, sentenceOf(passage, one));
        const isTotal = new RegExp(`\\b${word}\\b`, "i").test(sentence) || whole.test(sentence);
        return alike(one) && isTotal && one.value > Math.max(...firsts.map(({ value }) => value))
          ? [{ one, sentence }]
          : [];
      }),
    );
    if (candidates.some(({ one }) => overlaps(intervalOf(one), sum))) return [];
    const found = candidates.find(({ one }) => one.value > 0.85 * sum[0] && one.value < 1.18 * sum[1]);
    if (found === undefined) return [];
    const value = firsts.reduce((total, one) => total + one.value, 0);
    return [
      {
        slip: { claim: found.one, shown: `the items of the list add up to ${shown(value, found.one)}` },
        sentence: found.sentence,
      },
    ];
  });
}
