import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { usualFeePercent } from "../../client/buy.ts";
import { robinhoodChain } from "../../client/typed-data.ts";
import { feePercent } from "../../core/press/schema.ts";
import { computeAnchor, listSources, root } from "./source.ts";

const documents = [
  "README.md",
  "client/README.md",
  "web/README.md",
  ...globSync("docs/**/*.md", { cwd: root }),
];

/**
 * A pattern for a path in backticks. The path must start at the project's root: documents name code and tests in this form. Folders and
 * placeholders are skipped.
 */
const path = /`((?:bench|cli|client|core|docs|functions|infra|local|tests|web|\.github)\/[\w./-]+\.\w+)`/g;
const link = /\]\((?!https?:)([^)\s#]*)(?:#([^)\s]+))?\)/g;

/** All words of the code, and the names that AWS, Safe and the clients of x402 have defined. */
const words = new Set([
  ...listSources("cli", "client", "core", "functions", "infra", "local", "web", "tests").flatMap(
    ({ text }) => text.match(/\w+/g) ?? [],
  ),
  ...["RateBasedStatementCustomKey", "StatusMessage", "ViewSubscriptions", "sourceIPAddress"],
  ...["SafeWalletProvider", "payerChooser", "maxValue"],
]);

const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));

describe.each(documents)("the document %s names only files, headings and scripts that exist", (document) => {
  const text = readFileSync(join(root, document), "utf8");

  test("every file named in the document exists", () => {
    const named = [...text.matchAll(path)].map(([, name = ""]) => name);
    expect(named.filter((name) => !existsSync(join(root, name)))).toEqual([]);
  });

  test("every function, type and constant named in the document exists in the code", () => {
    const named = [...text.matchAll(/`([A-Za-z]\w*[a-z][A-Z]\w*)(?:\(\))?`/g)].map(([, name = ""]) => name);
    expect(named.filter((name) => !words.has(name))).toEqual([]);
  });

  test("every link of the document leads to an existing file and heading", () => {
    const broken = [...text.matchAll(link)].filter(([, target = "", anchor]) => {
      const file = target === "" ? join(root, document) : join(root, dirname(document), target);
      if (!existsSync(file) || anchor === undefined) return !existsSync(file);
      const headings = readFileSync(file, "utf8").match(/^#{1,6} .*/gm) ?? [];
      return !headings.map(computeAnchor).includes(anchor);
    });
    expect(broken.map(([whole]) => whole)).toEqual([]);
  });

  test("every script named in the document exists", () => {
    const named = [...text.matchAll(/npm run ([a-z:]+)/g)].map(([, name = ""]) => name);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });
});

test("no file has marks of an unresolved merge conflict", () => {
  const files = globSync("**/*.{ts,tsx,js,mjs,css,html,sol,md,json,jsonc,jsonl,yaml,yml}", {
    cwd: root,
    exclude: (name) => ["node_modules", "dist"].includes(name),
  });
  expect(files.length).toBeGreaterThan(500);
  const marks = /^(?:<{7}|>{7}|\|{7}) |^={7}$/m;
  expect(files.filter((file) => marks.test(readFileSync(join(root, file), "utf8")))).toEqual([]);
});

test("for every threat, the security page names existing files that contain tests", () => {
  const lines = readFileSync(join(root, "docs/security.md"), "utf8").split("\n");
  const rows = lines.filter(
    (line, index) => line.startsWith("| ") && isThreatRow(lines, index) && !line.startsWith("| threat |"),
  );
  expect(rows.length).toBeGreaterThan(50);
  const wrong = rows.filter((row) => {
    const [, threat = "", control = "", attacks = ""] = row.split(/(?<!\\)\|/).map((cell) => cell.trim());
    const names = attacks.split(", ").map((name) => /^`(tests\/[\w./-]+\.test\.ts)`$/.exec(name)?.[1]);
    const areTests = names.every(
      (name) => name !== undefined && existsSync(join(root, name)) && isTest(join(root, name)),
    );
    return threat === "" || control === "" || !areTests;
  });
  expect(wrong).toEqual([]);
});

/** Tells whether a line of the security page belongs to a table of threats. */
function isThreatRow(lines: readonly string[], index: number): boolean {
  const start = lines.slice(0, index).findLastIndex((line) => !line.startsWith("|")) + 1;
  return lines[start]?.startsWith("| threat |") === true;
}

/** Tells whether a file contains tests or, like the specification's test files, imports files that contain tests. */
function isTest(file: string): boolean {
  return /^ *(await )?test\w*(\.\w+)*[(<]|^import "\.\//m.test(readFileSync(file, "utf8"));
}

test("only one source file contains the chain's id and its contracts' addresses", () => {
  const { chainId, permit2, exactProxy, usdg, identityRegistry, reputationRegistry } = robinhoodChain;
  const facts = [chainId, permit2, exactProxy, usdg, identityRegistry, reputationRegistry].map(
    (fact) => new RegExp(`\\b${fact}\\b`, "i"),
  );
  const naming = listSources("cli", "client", "core", "functions", "infra", "local", "web").filter(
    ({ text }) => facts.some((fact) => fact.test(text)),
  );
  expect(naming.map(({ path }) => path)).toEqual(["client/typed-data.ts"]);
});

test("no text repeats the lifetime of a session or the platform's share as a number, because each of these values is defined once, as a constant", () => {
  expect(usualFeePercent).toBe(feePercent);
  const texts = [
    ...documents,
    ...globSync("{web/src/strings/*,functions/openapi/*,core/discovery/*}.ts", { cwd: root }),
  ].filter(
    // The specification matrix quotes the specification's text about the platform's share.
    (name) => name !== "docs/spec-matrix.md",
  );
  const found = texts.flatMap((name) =>
    readFileSync(join(root, name), "utf8")
      .split("\n")
      .filter(
        (line) =>
          (/\b((10|90|ten|ninety) ?(%|percent)|nine tenths|a tenth of the price)/i.test(line) &&
            /fee|share|platform|price/i.test(line)) ||
          (/\b(30|thirty) days\b/i.test(line) && /session|cookie/i.test(line)),
      )
      .map((line) => `${name}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});
