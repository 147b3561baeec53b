import { basename } from "node:path";
import ts from "typescript";
import { listSources, type Source, visit } from "../boundary/source.ts";
import { catalogue, parseSection } from "./catalogue/index.ts";
import type { Row } from "./catalogue/row.ts";
import { sections } from "./catalogue/sections.ts";

/** A row's test: the row's id as written in the source, and the test's file. */
export type RowTest = { readonly id: string; readonly path: string };

const suite = listSources("tests/spec");

/** Finds every row that has a test in a file that some `.test.ts` file loads. */
export const shown: readonly RowTest[] = suite
  .filter(({ path }) => isImportedByTest(path))
  .flatMap((source) => listRowIds(source).map((id) => ({ id, path: source.path })));

function isImportedByTest(path: string): boolean {
  return suite.some(
    (file) => file.path.endsWith(".test.ts") && file.imports.some(({ target }) => target === path),
  );
}

/** Row ids are the first argument of `holds`, and the keys of the first argument of `holdsEach`. */
function listRowIds({ tree }: Source): readonly string[] {
  const ids: string[] = [];
  visit(tree, (node) => {
    if (!ts.isCallExpression(node)) return;
    const name = node.expression.getText();
    const [first] = node.arguments;
    if (first === undefined) return;
    if (name === "holds" && ts.isStringLiteral(first)) ids.push(first.text);
    if (name === "holdsEach" && ts.isObjectLiteralExpression(first)) ids.push(...listPropertyNames(first));
  });
  return ids;
}

function listPropertyNames(rows: ts.ObjectLiteralExpression): readonly string[] {
  return rows.properties.flatMap(({ name }) =>
    name !== undefined && ts.isStringLiteral(name) ? [name.text] : [],
  );
}

/**
 * Returns the whole matrix as Markdown: each row with the file of its test, and with our decision where the specification states no rule.
 */
export function formatMatrix(): string {
  const files = new Map(shown.map(({ id, path }) => [id, path]));
  const open = catalogue.filter((row) => "open" in row).length;
  const tables = sections.map(([number, title]) => {
    const rows = catalogue.filter((row) => parseSection(row) === number);
    const lines = rows.map((row) => formatRow(row, number, files.get(row.id)));
    return [`## ${number === "0" ? "" : `${number} `}${title}`, "", ...head, ...lines].join("\n");
  });
  return [
    "# Specification matrix",
    `What the interface specification says, sentence by sentence and row by row, and the test that holds it: ${catalogue.length} rows, of which the specification leaves ${open} open ("not shown"; a column says what was decided). The last column says what the service has beside it. Each test is named after its row and runs against the whole service. Printed by \`npm run spec:matrix\` from \`tests/spec\`; a test fails where it is not the present one, or where a row has no test.`,
    ...tables,
  ]
    .join("\n\n")
    .concat("\n");
}

const head = [
  "| row | says | held by | decided where it is silent | beyond or aside of it |",
  "|---|---|---|---|---|",
];

function formatRow(row: Row, number: string, path: string | undefined): string {
  const name = row.id.slice(number.length + 1);
  const says = "claim" in row ? row.claim : `not shown: ${row.open}`;
  const decided = "decided" in row ? row.decided : "";
  const link = path === undefined ? "nothing" : `[${basename(path)}](../${path})`;
  return `| ${name} | ${says} | ${link} | ${decided} | ${row.beside ?? ""} |`;
}
