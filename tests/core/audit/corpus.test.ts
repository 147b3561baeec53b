import { describe, expect, test } from "vitest";
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

const faulty = [...sloppy, ...promotional, ...figures, ...copies, ...injections];
const faultless = [...good, ...clean];
const corpus = [...faultless, ...faulty];

/** The checks raised at medium or worse; `low` is a hint, and no editor was asked about hints. */
function raised({ draft, facts }: Labelled): readonly string[] {
  const issues = inspect(draft, facts).filter(({ severity }) => severity !== "low");
  return [...new Set(issues.map(({ check }) => check))];
}

test("the corpus has at least sixty drafts, each long enough to be saved and with a name of its own", () => {
  expect(corpus.length).toBeGreaterThanOrEqual(60);
  expect(new Set(corpus.map(({ name }) => name)).size).toBe(corpus.length);
  const short = corpus.filter(({ draft }) => countWords(draft.body) < 150).map(({ name }) => name);
  expect(short).toEqual([]);
});

describe("a good draft", () => {
  test("raises nothing of weight", () => {
    const alarms = faultless.filter((one) => raised(one).length > 0).map(({ name }) => name);
    expect(alarms).toEqual([]);
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
