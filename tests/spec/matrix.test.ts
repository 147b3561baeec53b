import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../boundary/source.ts";
import { catalogue, parseSection } from "./catalogue/index.ts";
import { sections } from "./catalogue/sections.ts";
import { formatMatrix, shown } from "./matrix.ts";

const ids: readonly string[] = catalogue.map(({ id }) => id);

test("every row of the specification has a unique name, belongs to a section, and is in the order of the sections", () => {
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  const order = catalogue.map(parseSection).filter((section, index, all) => section !== all[index - 1]);
  expect(order).toEqual(sections.map(([number]) => number));
});

test("every row has exactly one test", () => {
  const tested = shown.map(({ id }) => id);
  expect(ids.filter((id) => !tested.includes(id))).toEqual([]);
  expect(tested.filter((id, index) => tested.indexOf(id) !== index)).toEqual([]);
});

test("every test of the specification belongs to a row", () => {
  expect(shown.filter(({ id }) => !ids.includes(id))).toEqual([]);
});

test("docs/spec-matrix.md is equal to the output of `npm run spec:matrix`", () => {
  expect(readFileSync(join(root, "docs/spec-matrix.md"), "utf8")).toBe(formatMatrix());
});
