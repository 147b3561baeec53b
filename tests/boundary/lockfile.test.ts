import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as z from "zod";
import { codeFolders, listSources, root, type Source } from "./source.ts";

const Needs = z.record(z.string(), z.string()).optional();
const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      license: z.string().optional(),
      link: z.boolean().optional(),
      dev: z.boolean().optional(),
      dependencies: Needs,
      optionalDependencies: Needs,
      peerDependencies: Needs,
    }),
  ),
});
const { packages } = Lock.parse(JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")));

const permissive = [
  ...[
    "0BSD",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "MIT",
    "MIT-0",
    "Apache-2.0",
    "Artistic-2.0",
    "BlueOak-1.0.0",
  ],
  ...["CC0-1.0", "CC-BY-3.0", "CC-BY-4.0", "MPL-2.0", "PSF-2.0", "Python-2.0", "Unlicense", "WTFPL", "Zlib"],
  // Typefaces may be served and subsetted if their licence is included.
  "OFL-1.1",
];

/** The licences of packages whose manifest names no SPDX licence. */
const read: Readonly<Record<string, string>> = {
  // The package's manifest lists its licences in an older form.
  memorystream: "MIT",
};

/**
 * WalletConnect's own licence, which we accept only for WalletConnect's packages. The licence is free of charge below a certain volume and
 * requires a notice.
 */
const ownTerms = /^@walletconnect\//;

/**
 * Packages whose licence requires us to publish the source of everything that we ship with them (docs/decisions.md). We do not ship the
 * packages of this list: only tests may import them, directly or through another package of the list.
 */
const testOnly: ReadonlySet<string> = new Set([
  "@cloud-copilot/iam-policy",
  "@cloud-copilot/iam-simulate",
  "@cloud-copilot/iam-utils",
  "@faremeter/fetch",
  "@faremeter/info",
  "@faremeter/payment-evm",
  "@faremeter/types",
]);

test("every package of the lockfile has a licence that the project may use", () => {
  const refused = Object.entries(packages).flatMap(([path, { license, link = false }]) => {
    const [, name] = path.split(/.*node_modules\//);
    // The project itself and its folders that are packages need no licence.
    if (name === undefined || link) return [];
    const isFine = isPermitted(license ?? read[name] ?? "none") || ownTerms.test(name) || testOnly.has(name);
    return isFine ? [] : [`${path}: ${license ?? "none"}`];
  });
  expect(refused).toEqual([]);
});

test("only tests import, directly or indirectly, the packages that only tests may use", () => {
  const readPackageName = (target: string) => target.split("/", target.startsWith("@") ? 2 : 1).join("/");
  const namesOne = ({ text }: Source) => [...testOnly].some((name) => text.includes(name));
  const importers = listSources(...codeFolders, "tests")
    .filter(namesOne)
    .flatMap(({ path, imports }) =>
      imports.filter(({ target }) => testOnly.has(readPackageName(target))).map(() => path),
    );
  expect(importers.filter((path) => !path.startsWith("tests/"))).toEqual([]);

  const paths = Object.entries(packages).filter(([path]) => path !== "");
  for (const [path, { dev }] of paths) {
    const [, name = ""] = path.split(/.*node_modules\//);
    if (testOnly.has(name)) expect([path, dev]).toEqual([path, true]);
  }
  const needed = paths.flatMap(([path, { dependencies, optionalDependencies, peerDependencies }]) => {
    const [, name = ""] = path.split(/.*node_modules\//);
    const needs = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
    return testOnly.has(name)
      ? []
      : needs.filter((need) => testOnly.has(need)).map((need) => `${path} → ${need}`);
  });
  expect(needed).toEqual([]);
});

test("every package that only tests may use is installed, and has a licence of the GPL family that the project does not otherwise permit", () => {
  for (const name of testOnly) {
    const { license = "none" } = packages[`node_modules/${name}`] ?? {};
    expect([name, license, isPermitted(license)]).toEqual([name, expect.stringContaining("GPL"), false]);
  }
});

/**
 * Tells whether we may use code under the given licence. In the licence's SPDX expression, at least one side of each OR and both sides of
 * each AND must be permissive.
 */
function isPermitted(license: string): boolean {
  const expression = license.replace(/^\((.*)\)$/, "$1");
  const joined = expression.split(" AND ");
  return joined.every((term) => term.split(" OR ").some((name) => permissive.includes(name)));
}
