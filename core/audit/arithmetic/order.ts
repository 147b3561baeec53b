import { lead, type Passage, sentenceOf, sentenceText, tail } from "../passage.ts";
import { areAlike, likened, type Quantity } from "../quantity.ts";
import { isAmount, type Slip } from "./pairs.ts";

const expected =
  /\b(?:analysts?|consensus|wall street|the street|estimates?|forecasts?|expect\w*|pencilled|penciled|looked for|guidance|guided|projected|predict\w*|hoped for|bank(?:ed|ing) on)\b/i;
const actual =
  /\b(?:reported|posted|delivered|came in|came to|earned|booked|actual|actually|in fact|the company (?:made|earned)|it was|was)\b/i;
const beat =
  /\b(?:beat(?:s|ing)?|top(?:s|ped|ping)|exceed(?:s|ed|ing)?|surpass(?:es|ed|ing)?|ahead of|better than|above|outdid|cleared)\b/i;
const miss =
  /\b(?:miss(?:es|ed|ing)?|fell short|falls short|falling short|short of|below|undershot|behind|worse than|shy of)\b/i;

/** "Analysts expected 68 cents. It reported 63 cents, and so beat them": which of the two is larger. */
export function verdictSlips(passage: Passage): readonly Slip[] {
  return passage.quantities.flatMap((young, at) => {
    const old = passage.quantities[at - 1];
    if (old === undefined || !isAmount(young)) return [];
    const [one, other] = [likened(old, young), likened(young, old)];
    if (!areAlike({ ...one, noun: undefined, per: undefined }, { ...other, noun: undefined, per: undefined }))
      return [];
    const place = sentenceOf(passage, young);
    if (place - sentenceOf(passage, old) > 1) return [];
    const clause = (quantity: Quantity) =>
      `${lead(passage, quantity)} ${tail(passage, quantity).split(/[,;.]/)[0]}`;
    const ahead = passage.text.slice(passage.starts[sentenceOf(passage, old)] ?? 0, old.start);
    if (!expected.test(ahead) || /\b(?:not|n't|never|no)\b/i.test(ahead)) return [];
    const own = passage.text.slice(old.end, young.start);
    if (!actual.test(own) || expected.test(own)) return [];
    const rest = tail(passage, young);
    const said = /^[^.;]{0,40}/.exec(rest)?.[0] ?? "";
    const [isBeat, isMiss] = [beat.test(said), miss.test(said)];
    const sentence = sentenceText(passage, place);
    if (
      isBeat === isMiss ||
      /\b(?:loss|losses|costs?|expenses?|debt|not|n't|would|if)\b/i.test(
        `${ahead} ${sentence} ${clause(young)}`,
      )
    )
      return [];
    const isAbove = other.value > one.value;
    if (other.value === one.value || isAbove === isBeat) return [];
    return [
      {
        claim: young,
        shown: `${young.shown} is ${isAbove ? "above" : "below"} ${old.shown}, the text says ${isBeat ? "a beat" : "a miss"}`,
        isWhole: true,
      },
    ];
  });
}

const ordinals: Readonly<Record<string, number>> = {
  first: 1,
  second: 2,
  third: 3,
  fourth: 4,
  fifth: 5,
  last: -1,
  top: 1,
  bottom: -1,
};
const rank =
  /\b(?:ranks?|ranked|came|comes|placed|finished|is|was|lies|stands)(?: \p{L}+)? (?:in )?(first|second|third|fourth|fifth|last)\b(?! (?:quarter|half|year|time|week|month|of|to))/iu;

/** "China 21.8%, Mexico 6.1%, Central America 7.3%. Mexico thus ranked second": by the figures that were listed. */
export function placeSlips(passage: Passage): readonly Slip[] {
  return passage.starts.flatMap((_, place) => {
    const sentence = sentenceText(passage, place);
    const said = ordinals[rank.exec(sentence)?.[1]?.toLowerCase() ?? ""];
    if (said === undefined || sentence.length > 400) return [];
    const listed = passage.quantities.filter(
      (one) => place - sentenceOf(passage, one) <= 6 && place > sentenceOf(passage, one),
    );
    const last = listed.at(-1);
    if (last === undefined) return [];
    const rows = listed
      .filter((one) => areAlike({ ...one, noun: undefined }, { ...last, noun: undefined }))
      .flatMap((one) => {
        const name =
          /(\p{Lu}[\p{L}'’]+(?: \p{Lu}[\p{L}'’]+)*)(?:,|:| at| with| by| rose| grew| -)? (?:by |at |about )?$/u.exec(
            lead(passage, one),
          )?.[1];
        return name === undefined ? [] : [{ name, one }];
      });
    if (rows.length < 3 || new Set(rows.map(({ name }) => name)).size !== rows.length) return [];
    const before = sentence.slice(0, rank.exec(sentence)?.index ?? 0);
    const subjects = rows.filter(({ name }) => before.includes(name));
    const [subject] = subjects;
    if (subject === undefined || subjects.length !== 1) return [];
    const better = rows.filter(({ one }) => one.value > subject.one.value).length + 1;
    const isRight =
      said === -1
        ? better === rows.length
        : better === said ||
          (said > 1 &&
            rows.length - better + 1 === said &&
            /\blowest|smallest|slowest|cheapest\b/i.test(sentence));
    if (isRight) return [];
    return [
      {
        claim: subject.one,
        shown: `${subject.name} with ${subject.one.shown} is number ${better} of the ${rows.length} that are listed, and the text says otherwise`,
        isWhole: true,
      },
    ];
  });
}

const above =
  /\b(?:beat|beats|topped|tops|exceed(?:s|ed)?|surpass(?:es|ed)?|(?:is|was|were|are|came in|stood|finished|remained),? (?:well |just |slightly |far )?(?:above|higher than|more than|ahead of))(?: (?:the|its|a|analysts['’]|last year['’]s|(?:the )?consensus(?: of)?|(?:the )?estimates? of|expectations of|forecasts? of|guidance of|(?:the|a) year before['’]s))* $/i;
const below =
  /\b(?:missed|misses|fell short of|falls short of|undershot|(?:is|was|were|are|came in|stood|finished|remained),? (?:well |just |slightly |far )?(?:below|lower than|less than|short of))(?: (?:the|its|a|analysts['’]|last year['’]s|(?:the )?consensus(?: of)?|(?:the )?estimates? of|expectations of|forecasts? of|guidance of|(?:the|a) year before['’]s))* $/i;

/** "Sales of $44 billion missed the $43 billion that analysts expected". */
export function sideSlips(passage: Passage): readonly Slip[] {
  return passage.quantities.flatMap((young, at) => {
    const old = passage.quantities[at + 1];
    if (
      old === undefined ||
      !(isAmount(young) || young.kind === "percent") ||
      sentenceOf(passage, young) !== sentenceOf(passage, old)
    )
      return [];
    const [one, other] = [likened(young, old), likened(old, young)];
    if (!areAlike({ ...one, noun: undefined, per: undefined }, { ...other, noun: undefined, per: undefined }))
      return [];
    if (
      !/\d/.test(young.shown) ||
      young.hedge !== undefined ||
      old.hedge === "under" ||
      one.value === other.value ||
      young.kind === "percent"
    )
      return [];
    const gap = passage.text.slice(young.end, old.start);
    if (gap.length > 60 || /[;.]|\b(?:not|n't|never|and|but|while)\b/i.test(gap)) return [];
    const [isAbove, isBelow] = [above.test(gap), below.test(gap)];
    if (isAbove === isBelow || one.value > other.value === isAbove) return [];
    if (/\b(?:loss(?:es)?|minus|if|would|not|by)\b/i.test(lead(passage, young))) return [];
    return [
      {
        claim: young,
        shown: `${young.shown} is ${isAbove ? "below" : "above"} ${old.shown}, the text says the opposite`,
        isWhole: true,
      },
    ];
  });
}
