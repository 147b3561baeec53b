import { describe, expect, test } from "vitest";
import { tuningFresh } from "../../../bench/audit-eval/engine.ts";
import { makeReview, type Reading } from "../../../core/audit/reading.ts";
import type { AuditDraft } from "../../../core/audit/schema.ts";
import { decide } from "../../../core/audit/store.ts";
import { calculations } from "../../corpus/read.ts";
import { goodDraft } from "./sample.ts";

type Calculation = Reading["calculations"][number];

/** Returns the review that results when the model's answer lists only the given calculations. */
function reviewListed(draft: AuditDraft, ...calculations: readonly Calculation[]) {
  return makeReview(draft, { summary: "Read.", claims: [], teasers: [], calculations, findings: [] });
}

function findDraft(name: string): AuditDraft {
  const found = tuningFresh.find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no draft ${name}`);
  return found.draft;
}

function addParagraph(paragraph: string): AuditDraft {
  return { ...goodDraft, body: `${goodDraft.body}\n\n${paragraph}` };
}

describe("the audit repeats each calculation that a model lists", () => {
  test("the audit misses at most three of the wrong calculations in the corpus", () => {
    const wrong = calculations.filter(({ isRight }) => !isRight);
    const judged = wrong.map(({ draft, calculation }) => {
      const { issues, dropped } = reviewListed(findDraft(draft), calculation);
      expect(dropped).toBe(0);
      return issues.some(({ severity, check }) => severity === "high" && check === "arithmetic");
    });
    expect(judged.filter((isFound) => !isFound).length).toBeLessThanOrEqual(3);
  });

  test.each(calculations.filter(({ isRight }) => isRight))(
    "a right calculation in a model's list raises no finding: $calculation.excerpt, in $draft",
    ({ draft, calculation }) => {
      expect(reviewListed(findDraft(draft), calculation)).toMatchObject({ issues: [], dropped: 0 });
    },
  );

  test.each<readonly [string, Calculation["operation"], string, string, readonly string[]]>([
    [
      "Sales fell from $80 million to $60 million, or 45%.",
      "change_percent",
      "or 45%",
      "45%",
      ["$80 million", "$60 million"],
    ],
    [
      "Sales fell from $80 million\nto $60 million, or\n45%.",
      "change_percent",
      "to $60 million, or 45%",
      "45%",
      ["$80 million", "$60 million"],
    ],
    ["Of 400 shops 90 are abroad, a share of 30%.", "share_percent", "a share of 30%", "30%", ["90", "400"]],
    [
      "Pumps brought $3.1 billion, valves $2.2 billion: $6.3 billion.",
      "sum",
      "valves $2.2 billion: $6.3 billion",
      "$6.3 billion",
      ["$3.1 billion", "$2.2 billion"],
    ],
    [
      "It owes $9.4 billion and has $4.1 billion, net $4.3 billion.",
      "difference",
      "has $4.1 billion, net $4.3 billion",
      "$4.3 billion",
      ["$9.4 billion", "$4.1 billion"],
    ],
    [
      "It bought 20 million shares at $150 for $30 billion.",
      "product",
      "shares at $150 for $30 billion",
      "$30 billion",
      ["20 million", "$150"],
    ],
    [
      "At $240 the share costs 40 times the earnings of $8.",
      "quotient",
      "costs 40 times the earnings of $8",
      "40 times",
      ["$240", "$8"],
    ],
    [
      "It paid 53 cents a quarter, hence $4.12 a year.",
      "per_period",
      "hence $4.12 a year",
      "$4.12",
      ["53 cents"],
    ],
  ])("a wrong calculation is found: %s", (paragraph, operation, excerpt, result, operands) => {
    expect(reviewListed(addParagraph(paragraph), { operation, excerpt, result, operands })).toMatchObject({
      issues: [{ severity: "high", check: "arithmetic", detail: expect.stringContaining(result) }],
      dropped: 0,
    });
  });
});

describe("a mistake in a model's list of calculations raises no false finding", () => {
  const told = addParagraph(
    "Sales rose from $80 million to $100 million, or 25%. A rival sold for $90 million.",
  );
  const change = {
    operation: "change_percent",
    excerpt: "from $80 million to $100 million, or 25%",
    result: "25%",
    operands: ["$80 million", "$100 million"],
  } as const;

  test.each<readonly [string, Partial<Calculation>]>([
    ["operands in another order", { operands: ["$100 million", "$80 million"] }],
    ["another operation", { operation: "share_percent" }],
    ["one operand mistaken for its neighbour", { operands: ["$90 million", "$100 million"] }],
    ["no operands", { operands: [] }],
  ])("a model's list of calculations with %s leads to no finding", (_, mistake) => {
    expect(reviewListed(told, { ...change, ...mistake }).issues).toEqual([]);
  });

  test.each<readonly [string, Partial<Calculation>]>([
    ["an operand", { operands: ["$70 million", "$100 million"] }],
    ["the result", { result: "35%" }],
    ["the passage", { excerpt: "from $80 million to $100 million, or 35%", result: "35%" }],
  ])(
    "a calculation in a model's list is left out and counted if the model invented a part of the calculation: %s",
    (_, invention) => {
      expect(reviewListed(told, { ...change, ...invention })).toMatchObject({ issues: [], dropped: 1 });
    },
  );
});

test("a number that both the rules and the model find wrong is reported once, by the more severe finding", () => {
  const draft = addParagraph(
    "Borrowings came to $90 billion and equity to $60 billion, a debt-to-equity ratio of 1.8.",
  );
  const review = reviewListed(draft, {
    operation: "quotient",
    excerpt: "to $60 billion, a debt-to-equity ratio of 1.8",
    result: "1.8",
    operands: ["$90 billion", "$60 billion"],
  });
  const doubted = {
    severity: "medium",
    check: "arithmetic",
    detail:
      'A figure that does not add up: $90 billion ÷ $60 billion is 1.5, the text says 1.8: "Borrowings came to $90 billion and equity to $60 billion, a debt-to-equity ratio of 1.8."',
  } as const;
  const { issues } = decide({ issues: [doubted], review });
  expect(issues.filter(({ check }) => check === "arithmetic")).toEqual([
    expect.objectContaining({ severity: "high" }),
  ]);
});
