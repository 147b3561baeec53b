import { expect, test } from "vitest";
import { applyRules, listChecks } from "../../../core/audit/rule/index.ts";
import { decide } from "../../../core/audit/store.ts";
import { SaveInput } from "../../../core/press/input.ts";
import { type Case, readCorpus } from "../../corpus/read.ts";

const unread = { summary: "", issues: [], claims: 0, unsupported: 0, dropped: 0 };

/** A failed test prints only the names of drafts, because a writer of rules must not read the drafts with which the rules are measured. */
const listCaseNames = (cases: readonly Case[]) => cases.map(({ name }) => name);

/**
 * The parts of the corpus on which this file runs the rules. The file floor.test.ts runs the rules on the corpus's parts for measuring and
 * on its fresh drafts.
 */
const read = ["tuning", "tuning-shelf", "second-tuning", "development"];

const parts = [...read, "measured", "second-measured", "fresh"].map((name) => {
  const all = readCorpus(name).map((one) => {
    const issues = read.includes(name) ? applyRules(one.draft, one.facts) : [];
    return { ...one, issues, isStopped: decide({ issues, review: unread }).verdict !== "approve" };
  });
  return {
    name,
    all,
    clean: all.filter(({ kind }) => kind === undefined),
    faulty: all.filter(({ kind }) => kind),
  };
});
const every = parts.flatMap(({ all }) => all);

/** Clean drafts that the rules stop by mistake. The rules also stop the faulty versions of these drafts. */
const known = ["clean: headline's increase contradicts the subscriber counts in the body"];

test("each faulty draft is a clean draft with one fault added", () => {
  for (const { clean, faulty } of parts) {
    const byName = new Map(clean.map((one) => [one.name, one]));
    const same = faulty.filter(({ draft, facts, cleanName = "" }) => {
      const twin = byName.get(cleanName);
      if (twin === undefined) return true;
      return JSON.stringify([twin.draft, twin.facts]) === JSON.stringify([draft, facts]);
    });
    expect(listCaseNames(same)).toEqual([]);
  }
});

test("if the rules stop a faulty draft, the rules let the clean version of this draft pass", () => {
  for (const { clean, faulty } of parts) {
    const stopped = new Set(listCaseNames(clean.filter((one) => one.isStopped)));
    const wrong = faulty.filter((one) => one.isStopped && stopped.has(one.cleanName ?? ""));
    expect(wrong.map(({ cleanName }) => cleanName).filter((name = "") => !known.includes(name))).toEqual([]);
  }
});

test("every draft would be accepted by a save, except the drafts of the first corpus, which are too short", () => {
  const whole = parts.flatMap(({ name, all }) => (name === "tuning" ? [] : all));
  const invalid = whole.filter(({ draft: { aiAssisted: _, ...draft } }) => {
    const read = SaveInput.safeParse({ ...draft, priceUsdg: 0.25 });
    return !read.success;
  });
  expect(listCaseNames(invalid)).toEqual([]);
});

test("the corpus has at least six hundred drafts, and at least as many clean drafts as faulty drafts", () => {
  const clean = every.filter(({ kind }) => kind === undefined);
  expect(every.length).toBeGreaterThanOrEqual(600);
  expect(clean.length / every.length).toBeGreaterThanOrEqual(0.5);
});

test("a clean draft that was used to write the rules raises only findings of low severity", () => {
  const seen = parts.filter(({ name }) => /tuning|development/.test(name)).flatMap(({ clean }) => clean);
  const alarming = seen.filter(({ issues }) => issues.some(({ severity }) => severity !== "low"));
  expect(listCaseNames(alarming)).toEqual(known);
});

test("every draft of the first corpus whose text gives instructions to the auditor is rejected", () => {
  const orders = every.filter(({ kind, name }) => kind === "manipulation" && !name.startsWith("faulty"));
  expect(orders.length).toBeGreaterThanOrEqual(10);
  const passed = orders.filter(({ issues }) => !issues.some(({ severity }) => severity === "critical"));
  expect(listCaseNames(passed)).toEqual([]);
});

test("every finding quotes or names the fault, says how to correct it, and belongs to a listed check by rules", () => {
  const byRules = listChecks([]).flatMap(({ check, by }) => (by.includes("rules") ? [check] : []));
  const findings = every.flatMap(({ issues }) => issues);
  expect(new Set(findings.map(({ check }) => check)).size).toBeGreaterThan(10);
  for (const { check, detail } of findings) {
    expect(byRules).toContain(check);
    expect(check).toMatch(/^[a-z-]+$/);
    expect(detail).toMatch(/\."?$/);
    expect(detail.split(/[.:] /).length).toBeGreaterThan(1);
  }
});
