import { transformSync } from "esbuild";

/** A small change to the code that some test has to notice. */
export type Mutant = {
  readonly file: string;
  /** What is wrong with it. */
  readonly harm: string;
  /** Text that stands once in the file, however it is broken into lines, and what takes its place. */
  readonly find: string;
  readonly replace: string;
  /** Test files that should catch it, the likeliest first. */
  readonly tests: readonly string[];
  /** Why no test can tell it from the original, or why none does. */
  readonly excuse: Excuse | undefined;
};

/** `equivalent`: nothing that anybody can see differs. `open`: something does, and no test holds it. */
export type Excuse = { readonly kind: "equivalent" | "open"; readonly reason: string };

/** The harm, the text, what takes its place, and what differs from the others of the file. */
type Planted = readonly [
  harm: string,
  find: string,
  replace: string,
  more?: { readonly tests?: readonly string[]; readonly excuse?: Excuse },
];

/** The mutants of one file, which the same tests should catch unless one names others. */
export function plant(
  file: string,
  tests: readonly string[],
  planted: readonly Planted[],
): readonly Mutant[] {
  return planted.map(([harm, find, replace, more]) => ({
    file,
    harm,
    find,
    replace,
    tests: more?.tests ?? tests,
    excuse: more?.excuse,
  }));
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
