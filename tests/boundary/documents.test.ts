import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "./source.ts";

const documents = [
  "README.md",
  "client/README.md",
  "web/README.md",
  ...globSync("docs/**/*.md", { cwd: root }),
];

/** Paths from the root in backticks, as documents name code and tests; folders and placeholders are left out. */
const path = /`((?:bench|cli|client|core|docs|functions|infra|local|tests|web|\.github)\/[\w./-]+\.\w+)`/g;
const link = /\]\((?!https?:|#)([^)\s#]+)/g;

describe.each(documents)("%s", (document) => {
  const text = readFileSync(join(root, document), "utf8");

  test("names files that are there", () => {
    const named = [...text.matchAll(path)].map(([, name = ""]) => name);
    expect(named.filter((name) => !existsSync(join(root, name)))).toEqual([]);
  });

  test("links to files that are there", () => {
    const targets = [...text.matchAll(link)].map(([, target = ""]) => join(root, dirname(document), target));
    expect(targets.filter((target) => !existsSync(target))).toEqual([]);
  });
});

test("no text names the platform's share as a number: the share is one constant, and may change", () => {
  const texts = [...documents, ...globSync("web/src/strings/*.ts", { cwd: root })].filter(
    // What the specification says of the share stands there as it says it.
    (name) => name !== "docs/spec-matrix.md",
  );
  const found = texts.flatMap((name) =>
    readFileSync(join(root, name), "utf8")
      .split("\n")
      .filter(
        (line) => /\b(10|90|ten|ninety) ?(%|percent)/i.test(line) && /fee|share|platform|price/i.test(line),
      )
      .map((line) => `${name}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});
