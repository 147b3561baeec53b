import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { applyMutant, readMutants } from "../../bench/mutants/mutant.ts";

const code = "export function isOpen(door: Door) {\n  return (\n    door.unlocked && !door.stuck\n  );\n}\n";
const prepareMutant = (find: string, replace: string) => () =>
  applyMutant(code, { file: "core/door.ts", harm: "a stuck door opens", find, replace, tests: [] });

test("the text that a mutant replaces is found even if the line breaks in the file differ", () => {
  expect(prepareMutant("return ( door.unlocked && !door.stuck );", "return door.unlocked;")()).toBe(
    "export function isOpen(door: Door) {\n  return door.unlocked;\n}\n",
  );
});

test("a mutant is invalid if its text is missing or repeated in the file, or if the changed file is not valid TypeScript", () => {
  expect(prepareMutant("door.locked", "")).toThrow(
    'The text of "a stuck door opens" is no longer in core/door.ts: door.locked',
  );
  expect(prepareMutant("door.", "")).toThrow("stands 2 times in core/door.ts");
  expect(prepareMutant("&& !door.stuck", "&& &&")).toThrow(
    '"a stuck door opens" makes core/door.ts no TypeScript',
  );
});

test("every mutant changes its file, and the tests that the mutant names exist", () => {
  const all = readMutants();
  expect(all.length).toBeGreaterThanOrEqual(120);
  for (const mutant of all) {
    const { harm, tests } = mutant;
    const code = readFileSync(mutant.file, "utf8");
    expect(applyMutant(code, mutant), harm).not.toBe(code);
    const missing = tests.filter((name) => {
      const [file = name, ...title] = name.split(": ");
      // Vitest replaces a placeholder such as $name in a test's title, so no test can be selected by a title that contains a placeholder.
      if (/[$%]\w/.test(name) || !existsSync(file)) return true;
      return !readFileSync(file, "utf8").includes(title.join(": "));
    });
    expect([harm, tests.length > 0, missing]).toEqual([harm, true, []]);
  }
});
