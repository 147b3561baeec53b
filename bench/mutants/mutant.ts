import { execFileSync, spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { transformSync } from "esbuild";
import { parse } from "yaml";
import * as z from "zod";
import { escapePattern } from "../../core/audit/passage.ts";

/** Test files. A colon and a title after a file's name select one test of the file. */
const Tests = z.array(z.string()).min(1);

const Planted = z.strictObject({
  /** The fault that the mutant causes. */
  harm: z.string(),
  /** The text `find` must occur exactly once in the file (differences in white space do not matter); `replace` replaces this text. */
  find: z.string(),
  replace: z.string(),
  tests: Tests.optional(),
  /**
   * Why no test catches the mutant. `equivalent`: the mutant behaves as the original code does. `open`: the mutant behaves differently, but
   * no test covers the difference.
   */
  excuse: z.strictObject({ kind: z.enum(["equivalent", "open"]), reason: z.string() }).optional(),
});

/** The mutants of source files. The tests of a file should catch the file's mutants, unless a mutant names its own tests. */
const MutantFile = z.array(z.strictObject({ file: z.string(), tests: Tests, mutants: z.array(Planted) }));

/** A small fault in the code, with the tests that should catch the fault. The test that is most likely to catch the fault comes first. */
export type Mutant = z.infer<typeof Planted> & { readonly file: string; readonly tests: readonly string[] };

/** The mutants of all files in this folder. */
export function readMutants(): readonly Mutant[] {
  return readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith(".yaml"))
    .flatMap((name) => MutantFile.parse(parse(readFileSync(`${import.meta.dirname}/${name}`, "utf8"))))
    .flatMap(({ file, tests, mutants }) =>
      mutants.map((mutant) => ({ file, ...mutant, tests: mutant.tests ?? tests })),
    );
}

/**
 * Returns the code with the mutant in it. Throws Error if the mutant's text does not occur exactly once, or if the result is not valid
 * TypeScript.
 */
export function applyMutant(code: string, { file, harm, find, replace }: Mutant): string {
  const words = find.trim().split(/\s+/).map(escapePattern);
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

const project = fileURLToPath(new URL("../../", import.meta.url));

/** Milliseconds after which tests are stopped. If a mutant makes tests run longer than the limit, the mutant counts as caught. */
const longestRun = 300_000;

/** A copy of the project's files in a directory of its own, so that a mutant does no harm to the project. */
export type ProjectCopy = {
  /** Runs tests on the code without a mutant. */
  run(how: readonly string[]): Promise<MutantOutcome>;
  /** Runs tests on the code with a mutant in it. */
  runWith(mutant: Mutant, testArguments: readonly string[]): Promise<MutantOutcome>;
  remove(): void;
};

/**
 * The result of a test run. `by` is the first failure, or `undefined` if all tests passed. `hasBegun` is true if at least one test ran
 * after its file's setup.
 */
export type MutantOutcome = { readonly by: string | undefined; readonly hasBegun: boolean };

const Report = z.object({
  success: z.boolean(),
  numTotalTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      assertionResults: z.array(z.object({ status: z.string(), fullName: z.string() })),
    }),
  ),
});

/** Copies every file of the project that Git does not ignore. The copies share packages and the files that tests keep between runs. */
export function copyProject(): ProjectCopy {
  const directory = mkdtempSync(join(tmpdir(), "mutants-"));
  const listed = execFileSync("git", ["ls-files", "-coz", "--exclude-standard"], {
    cwd: project,
    encoding: "utf8",
  });
  for (const name of listed.split("\0").filter((one) => one !== "" && existsSync(join(project, one)))) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    cpSync(join(project, name), join(directory, name));
  }
  symlinkSync(join(project, "node_modules"), join(directory, "node_modules"));
  const cache = join(".local", "test-cache");
  if (existsSync(join(project, cache)))
    cpSync(join(project, cache), join(directory, cache), { recursive: true });
  const run = (how: readonly string[]) => runTests(directory, how);
  return {
    run,
    async runWith(mutant, testArguments) {
      const file = join(directory, mutant.file);
      const code = readFileSync(file, "utf8");
      writeFileSync(file, applyMutant(code, mutant));
      try {
        return await run(testArguments);
      } finally {
        writeFileSync(file, code);
      }
    },
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

/** Runs Vitest up to the first failure. Throws Error if Vitest finds no tests. */
async function runTests(directory: string, testArguments: readonly string[]): Promise<MutantOutcome> {
  const report = join(directory, ".local", "mutants-report.json");
  rmSync(report, { force: true });
  const vitest = join("node_modules", "vitest", "vitest.mjs");
  const options = ["--run", "--bail=1", "--maxWorkers=1", "--reporter=json", `--outputFile=${report}`];
  // The tests run in their own process group, so that processes that a test started can be ended together with the tests.
  const child = spawn(process.execPath, [vitest, ...testArguments, ...options], {
    cwd: directory,
    detached: true,
    stdio: "ignore",
  });
  const { pid } = child;
  let late = false;
  const endAll = () => {
    late = true;
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  };
  const timer = setTimeout(endAll, longestRun);
  process.once("exit", endAll);
  await new Promise((resolve) => child.once("close", resolve));
  clearTimeout(timer);
  process.off("exit", endAll);
  if (late) return { by: `no end in ${longestRun / 1000} s`, hasBegun: true };
  if (!existsSync(report)) throw new Error(`Vitest has run nothing: ${testArguments.join(" ")}`);
  const {
    success,
    numTotalTests: tests,
    testResults,
  } = Report.parse(JSON.parse(readFileSync(report, "utf8")));
  if (tests === 0 && success) throw new Error(`There are no tests: ${testArguments.join(" ")}`);
  const failed = testResults.flatMap(({ name, status, assertionResults }) => {
    const file = name.slice(name.indexOf("/tests/") + 1);
    const inside = assertionResults.filter((one) => one.status === "failed");
    if (inside.length > 0) return inside.map(({ fullName }) => `${file}: ${fullName}`);
    return status === "failed" ? [`${file}: it cannot begin`] : [];
  });
  const hasBegun = testResults.some(({ assertionResults }) =>
    assertionResults.some(({ status }) => status === "passed" || status === "failed"),
  );
  return { by: success ? undefined : (failed[0] ?? "an error outside of all tests"), hasBegun };
}
