import { execFile } from "node:child_process";
import * as z from "zod";
import { parseJson } from "../core/error.ts";

/**
 * Compares the versions in the lockfile with the advisories of npm's registry. Shipped packages must have no advisory of moderate or higher
 * severity, and tools must have no critical advisory (malware is critical). If the registry is a mirror without advisories, the program
 * says so and reports no fault.
 */
const audits = [
  { args: ["--omit=dev"], faulty: ["moderate", "high", "critical"] },
  { args: [], faulty: ["critical"] },
];

// If an entry of `via` in the output of `npm audit` is only a text, the text is the name of another package in the output.
const Cause = z.union([z.string(), z.object({ title: z.string(), url: z.string(), severity: z.string() })]);
const Report = z.object({
  vulnerabilities: z.record(z.string(), z.object({ name: z.string(), via: z.array(Cause) })),
});
const Failure = z.object({ message: z.string() }).catch({ message: "npm said nothing" });

/**
 * Asks npm for the advisories on the lockfile of a folder. The default of `registry` is npm's configured registry. Returns the faults, or
 * the reason why the registry gave no answer.
 */
export async function auditLock(
  folder: string,
  registry?: string,
): Promise<{ readonly faults: readonly string[] } | { readonly reason: string }> {
  const faults = new Set<string>();
  for (const { args, faulty } of audits) {
    const answer = await askNpm(folder, registry, args);
    const report = Report.safeParse(answer).data;
    if (report === undefined) return { reason: Failure.parse(answer).message };
    for (const { name, via } of Object.values(report.vulnerabilities)) {
      for (const cause of via) {
        if (typeof cause === "string" || !faulty.includes(cause.severity)) continue;
        faults.add(`${name}: ${cause.severity}, ${cause.title}, ${cause.url}`);
      }
    }
  }
  return { faults: [...faults] };
}

/** Returns the output of `npm audit`. The exit code is ignored, because `npm audit` exits with 1 when it finds an advisory. */
async function askNpm(
  folder: string,
  registry: string | undefined,
  extraArgs: readonly string[],
): Promise<unknown> {
  const own = registry === undefined ? [] : [`--registry=${registry}`];
  const limits = ["--fetch-retries=0", "--fetch-timeout=20000"];
  const args = ["audit", "--json", "--package-lock-only", ...limits, ...extraArgs, ...own];
  const { promise, resolve } = Promise.withResolvers<string>();
  execFile("npm", args, { cwd: folder, maxBuffer: 64 * 1024 * 1024 }, (_, stdout) => resolve(stdout));
  // If npm cannot reach the registry, npm sometimes prints no JSON at all.
  return parseJson(await promise);
}

if (import.meta.main) {
  const found = await auditLock(process.cwd());
  if ("reason" in found) {
    console.warn(`Advisories: not compared, because the registry does not answer (${found.reason}).`);
  } else if (found.faults.length > 0) {
    console.error(`Advisories for versions of the lockfile:\n${found.faults.join("\n")}`);
    process.exitCode = 1;
  }
}
