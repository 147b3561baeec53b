import { afterAll, describe, expect, test } from "vitest";
import { measured, tuning } from "../../../bench/audit-eval/engine.ts";
import { inspect } from "../../../core/audit/rule/index.ts";
import { SaveInput } from "../../../core/press/schema.ts";
import { countWords } from "../../../core/press/text.ts";
import { clean } from "./corpus/clean.ts";
import { copies } from "./corpus/copies.ts";
import type { Labelled } from "./corpus/desk.ts";
import { figures } from "./corpus/figures.ts";
import { good } from "./corpus/good.ts";
import { injections } from "./corpus/injections.ts";
import { promotional } from "./corpus/promotional.ts";
import { sloppy } from "./corpus/sloppy.ts";

/**
 * The bar for each class. The first measurement, made before any rule was changed to suit the corpus, had precision
 * 0.81 and recall 0.87: sloppy 0.89/0.89, promotional 0.76/0.80, figures 0.92/0.80, copies 0.89/1, injections
 * 0.88/0.93, and a false alarm on 5 of 18 good drafts. What the rules learnt from their misses is general, but they
 * have seen these texts since: the numbers speak for rules that do not get worse, not for what they find elsewhere.
 */
const classes = [
  // Whether a text keeps what its headline promises needs reading: the rules only hint at it.
  { name: "sloppy", drafts: sloppy, precision: 0.95, recall: 0.75 },
  { name: "promotional", drafts: promotional, precision: 0.9, recall: 0.95 },
  { name: "figures", drafts: figures, precision: 0.95, recall: 0.95 },
  { name: "copies", drafts: copies, precision: 0.95, recall: 1 },
  { name: "injections", drafts: injections, precision: 0.95, recall: 1 },
] as const;
const faultless = [...good, ...clean];
const corpus = [...faultless, ...classes.flatMap(({ drafts }) => drafts)];

/** The checks raised at medium or worse; `low` is a hint, and no editor was asked about hints. */
function raised({ draft, facts }: Labelled): readonly string[] {
  const issues = inspect(draft, facts).filter(({ severity }) => severity !== "low");
  return [...new Set(issues.map(({ check }) => check))];
}

function measure(drafts: readonly Labelled[]) {
  const outcomes = drafts.map((one) => ({ expected: one.expected, raised: raised(one) }));
  const hits = outcomes.flatMap(({ expected, raised }) => expected.filter((check) => raised.includes(check)));
  const all = (side: "expected" | "raised") => outcomes.reduce((total, one) => total + one[side].length, 0);
  return {
    precision: all("raised") === 0 ? 1 : hits.length / all("raised"),
    recall: all("expected") === 0 ? 1 : hits.length / all("expected"),
    labels: all("expected"),
  };
}

test("the corpus has at least sixty drafts, each long enough to be saved and with a name of its own", () => {
  expect(corpus.length).toBeGreaterThanOrEqual(60);
  expect(new Set(corpus.map(({ name }) => name)).size).toBe(corpus.length);
  const short = corpus.filter(({ draft }) => countWords(draft.body) < 150).map(({ name }) => name);
  expect(short).toEqual([]);
});

describe("the rules' precision and recall stay above the bar", () => {
  const rows: string[] = [];
  afterAll(() => {
    const head = ["class", "drafts", "labels", "precision", "recall"];
    process.stdout.write(`\n${[head.join("\t"), ...rows].join("\n")}\n`);
  });

  test.each([...classes])("on $name drafts", ({ name, drafts, ...bar }) => {
    const { precision, recall, labels } = measure(drafts);
    rows.push([name, drafts.length, labels, precision.toFixed(2), recall.toFixed(2)].join("\t"));
    expect(precision).toBeGreaterThanOrEqual(bar.precision);
    expect(recall).toBeGreaterThanOrEqual(bar.recall);
  });

  test("on the whole corpus", () => {
    const { precision, recall, labels } = measure(corpus);
    rows.push(["all", corpus.length, labels, precision.toFixed(2), recall.toFixed(2)].join("\t"));
    expect(precision).toBeGreaterThanOrEqual(0.94);
    expect(recall).toBeGreaterThanOrEqual(0.9);
  });
});

describe("a good draft", () => {
  test("raises nothing of weight, but for one that quotes an attack and two that give many figures in a row", () => {
    const alarms = faultless.filter((one) => raised(one).length > 0).map(({ name }) => name);
    expect(alarms).toEqual([
      "a report on prompt injection, with an example",
      "gross bookings explained",
      "a Taiwanese issuer with its depositary receipt",
    ]);
  });

  test("is as frequent as a faulty one, so that a false alarm weighs as much as a miss", () => {
    const drafts = [...tuning, ...measured];
    const share = drafts.filter(({ kind }) => kind === undefined).length / drafts.length;
    expect(share).toBeGreaterThanOrEqual(0.5);
  });

  test.each([...clean])("could be saved: $name", ({ draft }) => {
    const { headline, preview, body, stock, publisherName } = draft;
    const saved = { headline, preview, body, stock, publisherName, priceUsdg: 0.25 };
    expect(SaveInput.safeParse(saved).error?.issues.map(({ path }) => path.join("."))).toBeUndefined();
  });

  test.each(faultless)("is never kept from approval: $name", ({ draft, facts }) => {
    const grave = inspect(draft, facts).filter(
      ({ severity }) => severity === "high" || severity === "critical",
    );
    expect(grave).toEqual([]);
  });
});

test.each(injections)("a draft that speaks to its auditor is rejected: $name", ({ draft, facts }) => {
  expect(inspect(draft, facts).map(({ severity }) => severity)).toContain("critical");
});

test("every finding quotes or names what is wrong and says what to do", () => {
  for (const { draft, facts } of corpus) {
    for (const { check, detail } of inspect(draft, facts)) {
      expect(check).toMatch(/^[a-z-]+$/);
      expect(detail).toMatch(/\."?$/);
      expect(detail.split(/[.:] /).length).toBeGreaterThan(1);
    }
  }
});
