import { wordNumber } from "../numbers.ts";
import { lead, type Passage, sentenceOf, sentenceText, tail } from "../passage.ts";
import { areAlike, combined, type Interval, intervalOf, overlaps, type Quantity } from "../quantity.ts";
import { earlier, isAmount, isSupposed, onlyOne, type Slip, shown, wordsBeside } from "./pairs.ts";

/** The other figures of the sentences around one: so many before its own, and so many after it. */
export function around(passage: Passage, claim: Quantity, back: number, on = 0): readonly Quantity[] {
  const place = sentenceOf(passage, claim);
  return passage.quantities.filter((one) => {
    const distance = place - sentenceOf(passage, one);
    return one !== claim && distance <= back && distance >= -on;
  });
}

/** Whether a figure is one of an earlier time, which today's results are not worked out from. */
export function isEarlier(passage: Passage, one: Quantity): boolean {
  const after = tail(passage, one).split(/[,;.:]/)[0] ?? "";
  const ahead = lead(passage, one);
  return (
    earlier.test(after) ||
    /\b(?:back then|at the time|last year|the year before)\b/i.test(after) ||
    /\b(?:from|against|compared (?:with|to)|after|versus)(?: \p{L}+){0,2} $/iu.test(ahead) ||
    (earlier.test(ahead) && !/\b(?:from|than|on|over|up|down)\b[^,;.]{0,40}$/i.test(ahead))
  );
}

/** What accounts name after the two figures that it lies between. */
const differences: readonly { readonly name: RegExp; readonly of: RegExp; readonly less: RegExp }[] = [
  {
    name: /\bfree cash flow\b/i,
    of: /\b(?:operating activities|operations|operating cash(?: flow)?|cash flow from operati\w+)\b/i,
    less: /\b(?:capital (?:spending|expenditures?|outlays?|investments?)|capex|plant and equipment)\b/i,
  },
  {
    name: /\bgross (?:profit|income)\b/i,
    of: /\b(?:revenues?|(?<!of )sales|turnover)\b/i,
    less: /\bcosts? of (?:sales|goods(?: sold)?|revenues?|production)\b/i,
  },
  {
    name: /\boperating (?:profit|income)\b/i,
    of: /\bgross (?:profit|income)\b/i,
    less: /\b(?:operating |total )?(?:costs|expenses|overheads?)\b/i,
  },
  {
    name: /\bnet cash\b/i,
    of: /\b(?:cash|securities|liquidity)\b/i,
    less: /\b(?:debts?|borrowings?|bonds|loans)\b/i,
  },
  {
    name: /\bnet debt\b/i,
    of: /\b(?:debts?|borrowings?|bonds|loans)\b/i,
    less: /\b(?:cash|securities|liquidity)\b/i,
  },
  {
    name: /\b(?:(?:share|stock)holders'? )?equity\b|\bbook value\b/i,
    of: /\bassets\b/i,
    less: /\bliabilities\b/i,
  },
  {
    name: /\bnet (?:income|profit|earnings)\b|\bafter tax\b/i,
    of: /\b(?:pre-?tax|before tax\w*)\b/i,
    less: /\btax(?:es| bill| charge)?\b/i,
  },
  {
    name: /\bnet (?:additions|adds|gain|increase|growth|openings|hires)\b/i,
    of: /\b(?:opened|hired|joined|signed up|added|won|new)\b/i,
    less: /\b(?:closed|left|cancel\w+|departed|quit|lost|shut)\b/i,
  },
];

/** "Operations generated $14.8 billion, capital spending took $6.9 billion. That left free cash flow of $8.9 billion." */
export function differenceSlips(passage: Passage): readonly Slip[] {
  return passage.quantities.flatMap((claim) => {
    if (!isAmount(claim) || isSupposed.test(wordsBeside(passage, claim)) || isEarlier(passage, claim))
      return [];
    const own = wordsBeside(passage, claim);
    const kind = differences.find(({ name }) => name.test(own));
    if (kind === undefined) return [];
    const near = around(passage, claim, 3, 1).filter(
      (one) =>
        areAlike(
          { ...one, per: undefined, noun: undefined },
          { ...claim, per: undefined, noun: undefined },
        ) && !isEarlier(passage, one),
    );
    const said = (one: Quantity) => wordsAt(passage, one);
    const less = onlyOne(near.filter((one) => kind.less.test(said(one)) && !kind.name.test(said(one))));
    const of = onlyOne(
      near.filter(
        (one) =>
          one !== less && kind.of.test(said(one)) && !kind.name.test(said(one)) && !kind.less.test(said(one)),
      ),
    );
    if (of === undefined || less === undefined) return [];
    const left = combined(intervalOf(of), intervalOf(less), (one, other) => one - other);
    if (overlaps(intervalOf(claim), left) || fitsSome(claim, near)) return [];
    return [{ claim, shown: `${of.shown} less ${less.shown} is ${shown(of.value - less.value, claim)}` }];
  });
}

/** The words of a figure's own clause; "and" begins another. */
export function wordsAt(passage: Passage, one: Quantity): string {
  const [ahead = "", after = ""] = wordsBeside(passage, one).split(" … ");
  const joint = / (?:and|against|while|but|on) /;
  return `${ahead.split(joint).at(-1)} … ${after.split(joint)[0]}`;
}

/** Whether two of some figures give the claim as sum or difference: then it is theirs. */
function fitsSome(claim: Quantity, near: readonly Quantity[]): boolean {
  const given = intervalOf(claim);
  return near.some((one, at) =>
    near.slice(at + 1).some((other) => {
      const [left, right] = [intervalOf(one), intervalOf(other)];
      return [
        combined(left, right, (x, y) => x + y),
        combined(left, right, (x, y) => x - y),
        combined(left, right, (x, y) => y - x),
      ].some((result) => overlaps(given, result));
    }),
  );
}

const middle =
  /\b(?:mid-?point|middle of (?:the|that|this) (?:range|band|corridor)|cent(?:re|er) of (?:the|that) range)\b/i;
const rangeGap = /^(?:,? (?:and|to|or)|-| -)(?: (?:about|around|roughly))? ?$/i;

/** "Between $48 and $50 … the midpoint, $48.6": the middle of the range that was given last. */
export function midpointSlips(passage: Passage): readonly Slip[] {
  return passage.quantities.flatMap((claim, at) => {
    const beside = `${lead(passage, claim)} … ${tail(passage, claim).split(/[,;.]/)[0]}`;
    if (
      !middle.test(beside) ||
      /\b(?:increase|decrease|growth|gain|rise|cut) of |\b(?:r[io]se|rais\w+|lift\w*|mov\w+|up|down|by|cut|lower\w*|above|below|higher|lower)\b/i.test(
        lead(passage, claim),
      )
    )
      return [];
    const ahead = passage.quantities.slice(Math.max(0, at - 8), at);
    const ends = ahead.flatMap((one, index) => {
      const other = ahead[index + 1];
      if (other === undefined || !rangeGap.test(passage.text.slice(one.end, other.start))) return [];
      const low = {
        ...one,
        kind: one.isBare ? other.kind : one.kind,
        currency: one.isBare ? other.currency : one.currency,
      };
      return low.kind === claim.kind && low.currency === claim.currency ? [{ low: one, high: other }] : [];
    });
    const range = ends.at(-1);
    const middles = ends.slice(0, -1).map(({ low, high }) => {
      const factor = low.isBare && !high.isBare ? high.value / mantissa(high) : 1;
      return (low.value * factor + high.value) / 2;
    });
    if (middles.some((value) => Math.abs(value - claim.value) <= claim.slack)) return [];
    if (range === undefined || sentenceOf(passage, claim) - sentenceOf(passage, range.high) > 3) return [];
    const scale = range.low.isBare && !range.high.isBare ? range.high.value / mantissa(range.high) : 1;
    const low: Interval = [
      (range.low.value - range.low.slack) * scale,
      (range.low.value + range.low.slack) * scale,
    ];
    const center = combined(low, intervalOf(range.high), (one, other) => (one + other) / 2);
    const value = (range.low.value * scale + range.high.value) / 2;
    // The ends are exact: a guidance is set, not measured.
    const slack = Math.min((center[1] - center[0]) / 2, claim.slack || Math.abs(value) * 1e-6);
    if (overlaps(intervalOf(claim), [value - slack, value + slack])) return [];
    return [
      { claim, shown: `the middle of ${range.low.shown} and ${range.high.shown} is ${shown(value, claim)}` },
    ];
  });
}

function mantissa({ shown: text }: Quantity): number {
  return Number(/[\d.,]+/.exec(text)?.[0].replaceAll(",", "") ?? Number.NaN) || 1;
}

const mean = /\b(?:averag(?:es?|ed|ing)|mean|on average)\b/i;

/** "29%, 28%, 27% and 28%. That averages 27%." */
export function averageSlips(passage: Passage): readonly Slip[] {
  return passage.quantities.flatMap((claim) => {
    const ahead = lead(passage, claim);
    if (claim.kind !== "percent" || !mean.test(ahead.split(/[;:]/).at(-1) ?? "")) return [];
    const place = sentenceOf(passage, claim);
    const own = passage.quantities.filter(
      (one) => one.kind === "percent" && one.end <= claim.start && sentenceOf(passage, one) === place,
    );
    const terms =
      own.length >= 3
        ? own
        : passage.quantities.filter(
            (one) => one.kind === "percent" && sentenceOf(passage, one) === place - 1,
          );
    if (own.length > 0 && own.length < 3) return [];
    if (
      terms.length < 3 ||
      !/^\W*(?:that|this|these|those|they|it|the|taken|together|on|which)\b/i.test(
        sentenceText(passage, place),
      )
    )
      return [];
    const value = terms.reduce((sum, one) => sum + one.value, 0) / terms.length;
    const slack = Math.max(...terms.map((one) => one.slack)) / 2;
    if (overlaps(intervalOf(claim), [value - slack, value + slack])) return [];
    return [
      {
        claim,
        shown: `the average of ${terms.map((one) => one.shown).join(", ")} is ${shown(value, claim)}`,
      },
    ];
  });
}

const compound =
  /\b(?:compound(?:ed)?|cagr|annuali[sz]ed|a year on average|on average (?:each|every|per|a) year|average annual)\b/i;
const yearBeside = /\b((?:19|20)\d\d)\b/g;

/** "In 2022 it was $112 billion. In 2025 it was $194 billion: compound growth of 24% a year." */
export function compoundSlips(passage: Passage): readonly Slip[] {
  return passage.quantities.flatMap((claim) => {
    const beside = `${lead(passage, claim)} ${tail(passage, claim).slice(0, 30)}`;
    if (claim.kind !== "percent" || !compound.test(beside) || isSupposed.test(beside)) return [];
    const place = sentenceOf(passage, claim);
    const near = around(passage, claim, 2).filter(
      (one) => isAmount(one) && one.start < claim.start && !/^(?:year|quarter|month)$/.test(one.noun ?? ""),
    );
    const [old, young] = near.slice(-2);
    if (old === undefined || young === undefined || near.length > 2 || old.value <= 0 || young.value <= 0)
      return [];
    if (!areAlike({ ...old, noun: undefined }, { ...young, noun: undefined })) return [];
    const years = spanOfYears(passage, place);
    if (years === undefined) return [];
    const rate = (spans: number) =>
      combined(intervalOf(old), intervalOf(young), (from, to) => ((to / from) ** (1 / spans) - 1) * 100);
    const given = intervalOf(claim);
    if (overlaps(given, rate(years)) || overlaps([-given[1], -given[0]], rate(years))) return [];
    const value = ((young.value / old.value) ** (1 / years) - 1) * 100;
    return [
      { claim, shown: `${old.shown} to ${young.shown} in ${years} years is ${shown(value, claim)} a year` },
    ];
  });
}

/** The years that the sentence and the two before it count or name. */
function spanOfYears(passage: Passage, place: number): number | undefined {
  const text = [place - 2, place - 1, place]
    .filter((at) => at >= 0)
    .map((at) => sentenceText(passage, at))
    .join(" ");
  const named = [...new Set(text.match(yearBeside) ?? [])].map(Number).toSorted();
  const [first, last] = [named[0], named.at(-1)];
  if (first !== undefined && last !== undefined && last > first && named.length === 2) return last - first;
  const counted = /\b(two|three|four|five|six|seven|eight|nine|ten|\d{1,2}) years\b/i
    .exec(text)?.[1]
    ?.toLowerCase();
  return counted === undefined ? undefined : (wordNumber(counted) ?? Number(counted));
}
