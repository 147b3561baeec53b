/** A calculation that an article makes, as the auditor's form asks for it. */
export type Calculation = {
  readonly excerpt: string;
  readonly result: string;
  readonly operation: string;
  readonly operands: readonly string[];
};

const amount = String.raw`(?:[$€£]\s?\d(?:[\d.,]*\d)?|\d(?:[\d.,]*\d)?(?= (?:million|billion|trillion)))(?:\s(?:million|billion|trillion))?`;
const percentage = /\d(?:[\d.,]*\d)?(?:%| percent\b)/g;
const change =
  /\b(?:rose|rises?|risen|grew|grown|gain\w*|climb\w*|jump\w*|increas\w*|up|fell|fall\w*|drop\w*|declin\w*|decreas\w*|down|more|less)\b/i;

type Form = { readonly sign: RegExp; readonly operation: string; readonly order: readonly [string, string] };

/** Two amounts that the words between them compare, or make a part and its whole. */
const forms: readonly Form[] = [
  {
    sign: new RegExp(`\\bfrom (?<one>${amount}) to (?<other>${amount})`),
    operation: "change_percent",
    order: ["one", "other"],
  },
  {
    sign: new RegExp(
      `(?<one>${amount}),?(?: up| down)? (?:from|against|after|compared with|(?:more|less) than)(?: the)? (?<other>${amount})`,
    ),
    operation: "change_percent",
    order: ["other", "one"],
  },
  {
    sign: new RegExp(`(?<one>${amount}) (?:of|out of)(?: the| its)? (?<other>${amount})`),
    operation: "share_percent",
    order: ["one", "other"],
  },
];

/** What a sentence calculates, as far as each of its clauses has its own figures. */
export function calculationsIn(sentence: string): readonly Calculation[] {
  return sentence.split(/[;:()]|,? (?:and|while|but|whereas) (?=\p{L})/u).flatMap(calculationIn);
}

/** The percentage of a clause that has one, when it has two amounts of one unit as well, joined by words that it knows. */
function calculationIn(sentence: string): readonly Calculation[] {
  const [result, ...others] = sentence.match(percentage) ?? [];
  const amounts = sentence.match(new RegExp(amount, "g")) ?? [];
  if (result === undefined || others.length > 0 || amounts.length !== 2) return [];
  return forms.flatMap(({ sign, operation, order: [first, second] }) => {
    const found = sign.exec(sentence)?.groups;
    const [one, other] = [found?.[first], found?.[second]];
    const isMeant = operation !== "change_percent" || change.test(sentence);
    if (one === undefined || other === undefined || unit(one) !== unit(other) || !isMeant) return [];
    return [{ excerpt: around(sentence, result), result, operation, operands: [one, other] }];
  });
}

const unit = (written: string) => /^[$€£]/.exec(written)?.[0] ?? "";

/** Up to fifteen words, with the result among them. */
function around(sentence: string, result: string): string {
  const all = sentence.trim().split(" ");
  const at = all.findIndex((_, index) =>
    all
      .slice(0, index + 1)
      .join(" ")
      .includes(result),
  );
  return all.slice(Math.max(0, at - 7), at + 8).join(" ");
}
