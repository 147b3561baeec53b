import { between, isLinked, lead, type Passage, quantitiesOf, sentenceOf, tail } from "../passage.ts";
import { areAlike, combined, intervalOf, likened, overlaps, type Quantity } from "../quantity.ts";
import { type Slip, shown } from "./pairs.ts";

type Part = {
  readonly part: Quantity;
  readonly whole: Quantity;
  readonly claim: Quantity;
  readonly isMargin?: boolean;
};

const ofWhole = /^ (?:of|out of|on|from|in)(?: (?!and\b|or\b|to\b)[\p{L}'’-]+){0,6} ?$/iu;
const worthMargin = /\b(?:margin|cost|costs|expense|keeps|left)\b/i;

/** A share that the text states beside part and whole: "$5.2 billion on sales of $20.4 billion, or 31%". */
export function shareSlips(passage: Passage): readonly Slip[] {
  return passage.quantities
    .filter(({ kind }) => kind === "percent" || kind === "fraction")
    .flatMap((claim) => {
      const stated = [...ofBase(passage, claim), ...besideBoth(passage, claim), ...ofNamed(passage, claim)];
      if (stated.length === 0 || stated.some((one) => isRight(one))) return [];
      return stated.slice(0, 1).map(({ part, whole }) => ({
        claim,
        // "4% of its former income" is a share of something else.
        isBound:
          !/^ of\b/.test(tail(passage, claim)) &&
          [part, whole].every((one) => sentenceOf(passage, one) === sentenceOf(passage, claim)),
        shown: `${part.shown} of ${whole.shown} is ${shown((part.value / whole.value) * 100, { kind: "percent", currency: "" })}`,
      }));
    });
}

function isRight({ part, whole, claim, isMargin = false }: Part): boolean {
  const given = intervalOf(claim);
  const share = combined(intervalOf(part), intervalOf(whole), (one, other) => (one / other) * 100);
  if (overlaps(given, share)) return true;
  return isMargin && overlaps(given, [100 - share[1], 100 - share[0]]);
}

function isAmount({ kind }: Quantity): boolean {
  return kind === "money" || kind === "count";
}

/** "31% of $20.4 billion is $6.3 billion", "$6.3 billion, or 31% of the $20.4 billion". */
function ofBase(passage: Passage, claim: Quantity): readonly Part[] {
  const at = passage.quantities.indexOf(claim);
  const base = passage.quantities[at + 1];
  if (
    base === undefined ||
    !isAmount(base) ||
    !/^ ?(?:of|on)(?: (?:the|its|a|an|all|those|these|that|some|about|their|total|roughly|\p{L}+['’]s)){0,3} ?$|^ ?(?:of|on) (?:(?!and\b|or\b|in\b|to\b|from\b|with\b)\p{L}+ ){1,4}of (?:about |some )?$/iu.test(
      between(passage, claim, base),
    )
  )
    return [];
  const after = passage.quantities[at + 2];
  const ahead = passage.quantities[at - 1];
  const parts = [
    after !== undefined &&
    /^(?:[^.;,]{0,40}\b(?:is|are|equals?|makes?|gives?|comes? to|would be|works? out at|amounts? to|means|costs?|brings?|yields?)\b|,? (?:or|which is|that is|i\.e\.)|[^.;,]{0,12}=)(?: (?:about|around|roughly|some|nearly|almost|just|over|under|a|an|the))* ?$/i.test(
      between(passage, base, after),
    )
      ? after
      : undefined,
    ahead !== undefined &&
    /^(?:[^.;]{0,30},)? ?(?:\(|,|or|is|are|equals|that is|which is|which was|makes up|represents|accounts for|about|roughly| )*$/i.test(
      between(passage, ahead, claim),
    )
      ? ahead
      : undefined,
    // "20% of the 410,000 cars were leased, then 164,000 come back", "two in five of the 1,250 owners, 650 people, …"
    after !== undefined &&
    sentenceOf(passage, after) === sentenceOf(passage, claim) &&
    (/^[^.;,]{0,50}(?:,? (?:then|so|meaning|that is)(?: (?:about|around|roughly|some|nearly))?|, (?:about|around|roughly|some|nearly|almost)) $/i.test(
      between(passage, base, after),
    ) ||
      (/^[^.;,]{0,50}, $/.test(between(passage, base, after)) &&
        /^ \p{L}+(?:,| in all)/u.test(tail(passage, after))))
      ? after
      : undefined,
  ];
  return parts.flatMap((found) => {
    if (found === undefined || !isAmount(found)) return [];
    const part = likened(found, base);
    const whole = likened(base, found);
    return areAlike(
      { ...part, noun: undefined, per: undefined },
      { ...whole, noun: undefined, per: undefined },
    )
      ? [{ part, whole, claim }]
      : [];
  });
}

/** "8 of the 10 stores, or 80%", "$5.2 billion on revenue of $20.4 billion, a margin of 25%". */
function besideBoth(passage: Passage, claim: Quantity): readonly Part[] {
  const place = sentenceOf(passage, claim);
  const own = quantitiesOf(passage, place).filter(isAmount);
  // "That is a quarter of all" is said of the sentence before.
  const near = own.length > 0 ? own : quantitiesOf(passage, place - 1).filter(isAmount);
  return near.slice(0, -1).flatMap((one, at) => {
    const other = near[at + 1];
    if (other === undefined) return [];
    const part = likened(one, other);
    const whole = likened(other, one);
    const joint = between(passage, one, other);
    const turned = wholeFirst(passage, claim, one, other, joint);
    if (turned !== undefined) return [turned];
    // "Four of these make $6.00" takes no part of the money.
    if (one.isBare && !other.isBare && !/\d/.test(one.shown)) return [];
    if (!ofWhole.test(joint) || !areAlike({ ...part, noun: undefined }, { ...whole, noun: undefined }))
      return [];
    if (part.kind === "count" && !/\bof\b/.test(joint)) return [];
    if (/^ (?:from|in)\b/.test(joint) || part.value > whole.value) return [];
    const beside = `${lead(passage, claim)} ${tail(passage, claim).split(/[,;.]/)[0]}`;
    const isMargin = worthMargin.test(beside);
    // "On" is a base only where the sentence speaks of a margin or a share.
    if (/^ on\b/.test(joint) && !/\b(?:margin|share|ratio|yield|rate|or|that is|which is)\b/i.test(beside))
      return [];
    const isAfter = claim.start >= other.end && isLinked(passage.text.slice(other.end, claim.start));
    const isBefore =
      claim.end <= one.start &&
      /^[^.;⟨]{0,12}(?:,|:|\(|\bor\b)/.test(passage.text.slice(claim.end, one.start)) &&
      isLinked(passage.text.slice(claim.end, one.start));
    if (!isAfter && !isBefore) return [];
    if (/\b(?:up|down|more|less|rise|growth|increase|fall|grew|rose|fell)\b/i.test(beside)) return [];
    return [{ part, whole, claim, isMargin }];
  });
}

/** "Of 1,200 stores 300 are abroad, a third", "$12 billion, of which $9 billion is abroad, or 80%". */
function wholeFirst(
  passage: Passage,
  claim: Quantity,
  one: Quantity,
  other: Quantity,
  joint: string,
): Part | undefined {
  const whole = likened(one, other);
  const part = likened(other, one);
  const isOf =
    /\b[Oo]f (?:the |its |all )*$/.test(lead(passage, one)) &&
    /^(?: \p{L}+){0,3},? (?:some |about )?$/u.test(joint);
  const isOfWhich = /^[^.;]{0,30}, of (?:which|them|those) (?:about |some )?$/i.test(joint);
  if (!(isOf || isOfWhich) || part.value > whole.value || claim.start < other.end) return undefined;
  if (!areAlike({ ...part, noun: undefined }, { ...whole, noun: undefined })) return undefined;
  if (passage.quantities.some(({ start }) => start > other.start && start < claim.start)) return undefined;
  const gap = passage.text.slice(other.end, claim.start);
  return /^[^.;,]{0,50}, (?:or |that is |about |roughly |nearly |almost |just )*$/i.test(gap) ||
    (isOfWhich &&
      /^[^.;,]{0,50}[.;] (?:That|This|which)(?:'s| is| was| makes| means| amounts to| comes to)? (?:about |roughly |nearly |almost |just |over |under |some |more |less |than )*$/i.test(
        gap,
      ))
    ? { part, whole, claim }
    : undefined;
}

const named =
  "(?:total |net |group |its |the |their |all |annual |quarterly )*(revenues?|sales|turnover|net income|operating income|operating profit|profits?|earnings|assets|deposits|loans|deliveries|capital expenditure|capex|spending|cash|debt|orders|production|shipments|subscribers|employees|headcount|budget|capacity|bookings|backlog)";
const baseTail = new RegExp(
  String.raw`^ ?of ${named}(?= ?(?:[,.;:)]|$|and\b|in\b|at\b|last\b|for\b|this\b|that\b|before\b))`,
  "i",
);

/** "$27.4 billion, 29% of revenue", where the paragraph says once what revenue was. */
function ofNamed(passage: Passage, claim: Quantity): readonly Part[] {
  const noun = baseTail.exec(passage.text.slice(claim.end, claim.end + 60))?.[1]?.toLowerCase();
  const ahead = passage.quantities[passage.quantities.indexOf(claim) - 1];
  if (noun === undefined || ahead === undefined || !isAmount(ahead)) return [];
  if (sentenceOf(passage, ahead) !== sentenceOf(passage, claim)) return [];
  const gap = between(passage, ahead, claim);
  if (
    !/^(?:[^,.;]{0,30},)? ?(?:\(|,|or|is|are|was|equals|that is|which is|which was|about|roughly|just|nearly|almost| )*$/i.test(
      gap,
    )
  )
    return [];
  const wholes = passage.quantities.filter(
    (one) =>
      one !== ahead &&
      isAmount(one) &&
      Math.abs(sentenceOf(passage, one) - sentenceOf(passage, claim)) <= 1 &&
      isNamed(passage, one, noun),
  );
  const [whole] = wholes;
  if (
    whole === undefined ||
    wholes.length !== 1 ||
    !areAlike({ ...ahead, noun: undefined }, { ...whole, noun: undefined })
  )
    return [];
  return [{ part: ahead, whole, claim }];
}

/** "Revenue of $94 billion", "revenue was $94 billion", "$94 billion in revenue". */
function isNamed(passage: Passage, one: Quantity, noun: string): boolean {
  const stem = noun.replace(/s$/, "");
  const ahead = passage.text.slice(Math.max(0, one.start - 60), one.start);
  const after = passage.text.slice(one.end, one.end + 40);
  const before = new RegExp(
    String.raw`\b${stem}s?(?: (?:in|for) [^,.;\d]{1,30})?(?: (?:of|was|were|came to|came in at|reached|rose to|grew to|fell to|totall?ed|stood at|hit|is|are|at|about|around|roughly|some|nearly))+ $`,
    "i",
  );
  const behind = new RegExp(
    String.raw`^ (?:in|of) (?:(?:total|net|quarterly|annual|group) ){0,2}${stem}s?\b`,
    "i",
  );
  return (
    (before.test(ahead) &&
      !/\b(?:services|hardware|segment|cloud|data cent\w+|advertising|unit|division|iphone|search) \w*$/i.test(
        ahead.slice(0, ahead.toLowerCase().lastIndexOf(stem)),
      )) ||
    behind.test(after)
  );
}
