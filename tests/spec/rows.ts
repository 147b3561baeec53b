import { readFileSync } from "node:fs";

/**
 * One sentence or one table row of the specification. `id` is the section's number and the row's name. `claim` repeats the specified rule
 * in our own words, or states our decision where the specification says "not shown". `path` is the file of the row's test.
 */
export type Row = { readonly id: string; readonly claim: string; readonly path: string };

export const matrix = readFileSync(new URL("../../docs/spec-matrix.md", import.meta.url), "utf8");

const form = /^\| (.*?) \| (.*?) \| \[.*?\]\(\.\.\/(.*?)\) \| (.*?) \| .*\|$/gm;

/** The rows of docs/spec-matrix.md. The section without a number (the introduction) is section 0. */
export const rows: readonly Row[] = matrix
  .split("\n## ")
  .slice(1)
  .flatMap((section) => {
    const number = /^[\d.]+ /.exec(section)?.[0] ?? "0 ";
    return [...section.matchAll(form)].map(([, name = "", says = "", path = "", decided]) => ({
      id: `${number}${name}`,
      claim: decided || says,
      path,
    }));
  });
