import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as z from "zod";
import { root } from "./source.ts";

const Lock = z.object({
  packages: z.record(z.string(), z.object({ license: z.string().optional(), link: z.boolean().optional() })),
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
  // Typefaces: they may be served and cut, with their licence beside them.
  "OFL-1.1",
];

/** Packages whose manifest does not name an SPDX licence. */
const read: Readonly<Record<string, string>> = {
  // Its manifest uses the older list form.
  memorystream: "MIT",
};

/** WalletConnect's own licence, for their code and nobody else's: free below a volume, with a notice. */
const ownTerms = /^@walletconnect\//;

test("every package of the lockfile has a licence that the project may use", () => {
  const refused = Object.entries(packages).flatMap(([path, { license, link = false }]) => {
    const [, name] = path.split(/.*node_modules\//);
    // The project itself, and what it brings in a folder of its own.
    if (name === undefined || link) return [];
    const isFine = permits(license ?? read[name] ?? "none") || ownTerms.test(name);
    return isFine ? [] : [`${path}: ${license ?? "none"}`];
  });
  expect(refused).toEqual([]);
});

test.each([
  ["MIT", true],
  ["(MIT OR GPL-3.0-or-later)", true],
  ["(MIT AND CC-BY-3.0)", true],
  ["(MIT AND GPL-3.0-or-later)", false],
  ["GPL-3.0-only", false],
  ["SEE LICENSE IN LICENSE.md", false],
])("%s: %s", (license, isFine) => {
  expect(permits(license)).toBe(isFine);
});

/** An SPDX expression of two terms at most: of alternatives one has to be permissive, of joined terms each. */
function permits(license: string): boolean {
  const expression = license.replace(/^\((.*)\)$/, "$1");
  const joined = expression.split(" AND ");
  return joined.every((term) => term.split(" OR ").some((name) => permissive.includes(name)));
}
