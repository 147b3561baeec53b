import { execFile } from "node:child_process";
import * as z from "zod";

/**
 * Compares the versions in the lockfile with the advisories of npm's registry. Shipped packages must have no advisory of moderate or higher
 * severity, and tools must have no critical advisory (malware is critical). If the registry is a mirror without advisories, the program
 * says so and reports no fault.
 */
const severities = ["info", "low", "moderate", "high", "critical"] as const;

/** The arguments of `npm audit` for shipped packages and for all packages, with the lowest severity that is a fault. */
const audits = [
  { args: ["--omit=dev"], least: "moderate" },
  { args: [], least: "critical" },
] as const;

// If a cause in the output of `npm audit` is a plain text, it names another package, which is listed itself.
const Cause = z.union([
  z.string(),
  z.object({ title: z.string(), url: z.string(), severity: z.enum(severities) }),
]);
const Report = z.object({
  vulnerabilities: z.record(z.string(), z.object({ name: z.string(), via: z.array(Cause) })),
});
const Failure = z.object({ message: z.string() });

type AdvisoryAnswer =
  | { readonly kind: "unanswered"; readonly reason: string }
  | { readonly kind: "answered"; readonly faults: readonly string[] };

/** Asks npm for the advisories on the lockfile of a folder. The default of `registry` is npm's configured registry. */
export async function audit(folder: string, registry?: string): Promise<AdvisoryAnswer> {
  const faults = new Set<string>();
  for (const { args, least } of audits) {
    const answer = await askNpm(folder, registry, args);
    const report = Report.safeParse(answer);
    if (!report.success) {
      return { kind: "unanswered", reason: Failure.safeParse(answer).data?.message ?? "npm said nothing" };
    }
    for (const { name, via } of Object.values(report.data.vulnerabilities)) {
      for (const cause of via) {
        if (typeof cause === "string" || severities.indexOf(cause.severity) < severities.indexOf(least))
          continue;
        faults.add(`${name}: ${cause.severity}, ${cause.title}, ${cause.url}`);
      }
    }
  }
  return { kind: "answered", faults: [...faults] };
}

/** The output of `npm audit`, which also exits with 1 when it finds an advisory. */
async function askNpm(
  folder: string,
  registry: string | undefined,
  which: readonly string[],
): Promise<unknown> {
  const own = registry === undefined ? [] : [`--registry=${registry}`];
  const limits = ["--fetch-retries=0", "--fetch-timeout=20000"];
  const args = ["audit", "--json", "--package-lock-only", ...limits, ...which, ...own];
  const { promise, resolve } = Promise.withResolvers<string>();
  execFile("npm", args, { cwd: folder, maxBuffer: 64 * 1024 * 1024 }, (_, stdout) => resolve(stdout));
  try {
    return JSON.parse(await promise);
  } catch {
    // Without a registry npm may print no JSON at all.
    return undefined;
  }
}

if (import.meta.main) {
  const found = await audit(process.cwd());
  if (found.kind === "unanswered") {
    console.warn(`Advisories: not compared, since the registry does not answer (${found.reason}).`);
  } else if (found.faults.length > 0) {
    console.error(`Advisories for versions of the lockfile:\n${found.faults.join("\n")}`);
    process.exitCode = 1;
  }
}
