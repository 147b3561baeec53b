import { parseArgs } from "node:util";
import { escapePattern } from "../core/audit/passage.ts";
import { copyProject, type Mutant, type ProjectCopy, readMutants } from "./mutants/mutant.ts";

/**
 * Makes small faults in a copy of the project, one at a time, and reports the faults that no test notices. `--paths` selects files by the
 * start of their paths, `--harm` selects mutants by their description (a regular expression), `--workers` sets the number of copies. If no
 * listed test catches a mutant, all tests that import the mutant's file run too, unless `--quick` is given. `--trust` skips the first run
 * of the tests, which is the run without a mutant.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    paths: { type: "string", multiple: true },
    harm: { type: "string" },
    workers: { type: "string", default: "2" },
    quick: { type: "boolean", default: false },
    trust: { type: "boolean", default: false },
  },
});

/** The fraction of the mutants that must be caught, not counting equivalent mutants. */
const leastCaught = 0.95;

type MutantVerdict = {
  readonly mutant: Mutant;
  readonly kind: "caught" | "alive" | "lost";
  readonly by: string;
};

const paths = [...(values.paths ?? []), ...positionals];
const chosen = readMutants().filter(
  ({ file, harm }) =>
    (paths.length === 0 || paths.some((path) => file.startsWith(path))) &&
    new RegExp(values.harm ?? "").test(harm),
);
if (chosen.length === 0) throw new Error("No mutant is in these paths.");

const copies = Array.from({ length: Math.min(chosen.length, Number(values.workers)) }, copyProject);
let verdicts: readonly MutantVerdict[] = [];
try {
  if (!values.trust)
    await requirePassingTests(copies, [
      ...new Set(chosen.flatMap(({ tests }) => tests.map((test) => makeTestArguments(test)[0] ?? test))),
    ]);
  verdicts = await judgeAll(copies, chosen);
} finally {
  for (const copy of copies) copy.remove();
}
process.exitCode = printVerdicts(verdicts) ? 0 : 1;

/** Checks that every test passes without a mutant, because a test that also fails without a mutant proves nothing. Throws Error. */
async function requirePassingTests(copies: readonly ProjectCopy[], tests: readonly string[]): Promise<void> {
  const left = tests.values();
  await Promise.all(
    copies.map(async (copy) => {
      for (const test of left) {
        const { by } = await copy.run([test]);
        if (by !== undefined) throw new Error(`A test fails without a mutant: ${by}`);
      }
    }),
  );
}

async function judgeAll(
  copies: readonly ProjectCopy[],
  mutants: readonly Mutant[],
): Promise<readonly MutantVerdict[]> {
  const left = mutants.values();
  const found: MutantVerdict[] = [];
  await Promise.all(
    copies.map(async (copy) => {
      for (const mutant of left) {
        const verdict = await judge(copy, mutant);
        found.push(verdict);
        const at = `${found.length}/${mutants.length}`;
        console.log(`${at} ${verdict.kind}: ${mutant.file}: ${mutant.harm}\n    ${verdict.by}`);
      }
    }),
  );
  return found;
}

async function judge(copy: ProjectCopy, mutant: Mutant): Promise<MutantVerdict> {
  const { file, tests, excuse } = mutant;
  try {
    for (const test of tests) {
      const first = await copy.runWith(mutant, makeTestArguments(test));
      // On a busy machine, a test may fail to start even without a mutant.
      const { by, hasBegun } = first.hasBegun ? first : await copy.runWith(mutant, makeTestArguments(test));
      if (!hasBegun) return { mutant, kind: "lost", by: `${test} cannot begin` };
      if (by !== undefined) return { mutant, kind: "caught", by };
    }
    if (values.quick || excuse !== undefined) return { mutant, kind: "alive", by: tests.join(", ") };
    const { by } = await copy.runWith(mutant, ["related", file]);
    if (by !== undefined) return { mutant, kind: "caught", by };
    return { mutant, kind: "alive", by: `every test that imports ${file}` };
  } catch (error) {
    return { mutant, kind: "lost", by: error instanceof Error ? error.message : String(error) };
  }
}

/** Vitest's arguments for a test file, or for one test title in the file. */
function makeTestArguments(test: string): readonly string[] {
  const [file = "", title] = test.split(": ");
  return title === undefined ? [file] : [file, "-t", escapePattern(title)];
}

/** Prints the results for the mutants: caught, alive or lost. Returns whether enough mutants were caught. */
function printVerdicts(verdicts: readonly MutantVerdict[]): boolean {
  const listByKind = (kind: MutantVerdict["kind"]) => verdicts.filter((verdict) => verdict.kind === kind);
  const [caught, alive, lost] = [listByKind("caught"), listByKind("alive"), listByKind("lost")];
  const equivalent = alive.filter(({ mutant }) => mutant.excuse?.kind === "equivalent");
  const counted = caught.length + alive.length - equivalent.length;
  for (const { mutant } of alive) {
    const { excuse } = mutant;
    const why = excuse === undefined ? "no reason is known" : `${excuse.kind}: ${excuse.reason}`;
    console.log(
      `\nalive: ${mutant.file}: ${mutant.harm}\n    - ${mutant.find}\n    + ${mutant.replace}\n    ${why}`,
    );
  }
  for (const { by } of lost) console.log(`\nlost: ${by}`);
  for (const { mutant, by } of caught.filter((verdict) => verdict.mutant.excuse !== undefined)) {
    console.log(`\nexcused in vain: ${mutant.file}: ${mutant.harm}: ${by}`);
  }
  console.table(
    Object.fromEntries(
      [...new Set(verdicts.map(({ mutant }) => mutant.file))].sort().map((file) => {
        const countInFile = (among: readonly MutantVerdict[]) =>
          among.filter(({ mutant }) => mutant.file === file).length;
        return [file, { caught: countInFile(caught), alive: countInFile(alive), lost: countInFile(lost) }];
      }),
    ),
  );
  const share = counted === 0 ? 1 : caught.length / counted;
  console.log(
    `${verdicts.length} mutants: ${caught.length} caught of ${counted} that are not equivalent (${(100 * share).toFixed(1)} %), ${equivalent.length} equivalent, ${lost.length} lost.`,
  );
  const unexplained = alive.some(({ mutant }) => mutant.excuse === undefined);
  return lost.length === 0 && !unexplained && share >= leastCaught;
}
