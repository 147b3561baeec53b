import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as z from "zod";

/**
 * Compares the versions in the lockfile with the advisories of npm's registry. Shipped packages must have no advisory of moderate or higher
 * severity, and tools must have no critical advisory (malware is critical). If the registry is a mirror without advisories, the program
 * says so and reports no fault.
 */
const severities = ["info", "low", "moderate", "high", "critical"] as const;
const Severity = z.enum(severities);

/** The addresses of advisories that do not affect this project, with the reasons. */
const accepted: Readonly<Record<string, string>> = {};

const Cause = z.union([
  // If an entry of `npm audit` is a plain text, the text names another package, and the advisory applies to this package because of that
  // other package.
  z.string().transform(() => undefined),
  z.object({ title: z.string(), url: z.string(), severity: Severity }),
]);
const Report = z.object({
  vulnerabilities: z.record(
    z.string(),
    z.object({ name: z.string(), via: z.array(Cause), nodes: z.array(z.string()) }),
  ),
});
const Failure = z.object({ message: z.string() });
const Lock = z.object({
  packages: z.record(z.string(), z.object({ version: z.string().optional(), dev: z.boolean().optional() })),
});

type AdvisoryAnswer =
  | { readonly kind: "unanswered"; readonly reason: string }
  | { readonly kind: "answered"; readonly faults: readonly string[] };

/** Asks npm for the advisories on the lockfile of a folder. The default of `registry` is npm's configured registry. */
export async function audit(folder: string, registry?: string): Promise<AdvisoryAnswer> {
  const answer = await askNpm(folder, registry);
  const report = Report.safeParse(answer);
  if (!report.success) {
    return { kind: "unanswered", reason: Failure.safeParse(answer).data?.message ?? "npm said nothing" };
  }
  const { packages } = Lock.parse(JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8")));
  const faults = Object.values(report.data.vulnerabilities).flatMap(({ name, via, nodes }) => {
    const isShipped = nodes.some((node) => packages[node]?.dev !== true);
    const least = severities.indexOf(isShipped ? "moderate" : "critical");
    const versions = [...new Set(nodes.flatMap((node) => packages[node]?.version ?? []))].join(", ");
    return via.flatMap((cause) =>
      cause === undefined || severities.indexOf(cause.severity) < least || cause.url in accepted
        ? []
        : `${name} ${versions} (${isShipped ? "shipped" : "tool"}): ${cause.severity}, ${cause.title}, ${cause.url}`,
    );
  });
  return { kind: "answered", faults };
}

/** The output of `npm audit`, which also exits with 1 when it finds an advisory. */
async function askNpm(folder: string, registry: string | undefined): Promise<unknown> {
  const own = registry === undefined ? [] : [`--registry=${registry}`];
  const args = [
    "audit",
    "--json",
    "--package-lock-only",
    "--fetch-retries=0",
    "--fetch-timeout=20000",
    ...own,
  ];
  const { promise, resolve } = Promise.withResolvers<string>();
  execFile("npm", args, { cwd: folder, maxBuffer: 64 * 1024 * 1024 }, (_, stdout) => resolve(stdout));
  try {
    return JSON.parse(await promise);
  } catch {
    // Without a registry npm may print no JSON at all.
    return undefined;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const found = await audit(process.cwd());
  if (found.kind === "unanswered") {
    console.warn(`Advisories: not compared, since the registry does not answer (${found.reason}).`);
  } else if (found.faults.length > 0) {
    console.error(`Advisories for versions of the lockfile:\n${found.faults.join("\n")}`);
    process.exitCode = 1;
  }
}
