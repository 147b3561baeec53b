import { readdirSync, readFileSync } from "node:fs";
import { transformSync } from "esbuild";
import { parse } from "yaml";
import * as z from "zod";

/** Test files, each with the title of one of its tests behind a colon where that alone is to run. */
const Tests = z.array(z.string()).min(1);

const Planted = z.strictObject({
  /** The fault in the code then. */
  harm: z.string(),
  /** Text that stands once in the file, however it is broken into lines, and what takes its place. */
  find: z.string(),
  replace: z.string(),
  tests: Tests.optional(),
  /**
   * Why no test can tell it from the original, or why none does. `equivalent`: nothing that anybody can see differs.
   * `open`: something does, and no test holds it.
   */
  excuse: z.strictObject({ kind: z.enum(["equivalent", "open"]), reason: z.string() }).optional(),
});

/** The mutants of files of the code, which the file's tests should catch unless a mutant names others. */
const MutantFile = z.array(z.strictObject({ file: z.string(), tests: Tests, mutants: z.array(Planted) }));

/** A small change to the code that some test has to notice, with the tests that should catch it, the likeliest first. */
export type Mutant = z.infer<typeof Planted> & { readonly file: string; readonly tests: readonly string[] };

/** Every mutant of this folder. */
export function readMutants(): readonly Mutant[] {
  return readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith(".yaml"))
    .flatMap((name) => MutantFile.parse(parse(readFileSync(`${import.meta.dirname}/${name}`, "utf8"))))
    .flatMap(({ file, tests, mutants }) =>
      mutants.map((mutant) => ({ file, ...mutant, tests: mutant.tests ?? tests })),
    );
}

/** The code with the mutant in it. Throws Error where its text is not found once, and where the result is no TypeScript. */
export function applyMutant(code: string, { file, harm, find, replace }: Mutant): string {
  const words = find
    .trim()
    .split(/\s+/)
    .map((word) => word.replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&"));
  const places = [...code.matchAll(new RegExp(words.join("\\s+"), "g"))];
  const [place] = places;
  if (place === undefined || places.length > 1) {
    const found = place === undefined ? "is no longer in" : `stands ${places.length} times in`;
    throw new Error(`The text of "${harm}" ${found} ${file}: ${find}`);
  }
  const changed = code.slice(0, place.index) + replace + code.slice(place.index + place[0].length);
  try {
    transformSync(changed, { loader: "ts", logLevel: "silent" });
  } catch (cause) {
    throw new Error(`"${harm}" makes ${file} no TypeScript: ${replace}`, { cause });
  }
  return changed;
}
