import ts from "typescript";
import { expect, test } from "vitest";
import { listSources, type Source, visit } from "../boundary/source.ts";
import { matrix, type Row, rows } from "./rows.ts";

const suite = listSources("tests/spec");

/** The ids of all tested rows with the paths of the files that test them; each of these files is imported by a `.test.ts` file. */
const shown = suite
  .filter(({ path }) => isImportedByTest(path))
  .flatMap((source) => listRowIds(source).map((id) => ({ id, path: source.path })));

function isImportedByTest(path: string): boolean {
  return suite.some(
    (file) => file.path.endsWith(".test.ts") && file.imports.some(({ target }) => target === path),
  );
}

/** Row ids are the first argument of `prove`, and the keys of the first argument of `proveEach`. */
function listRowIds({ tree }: Source): readonly string[] {
  const ids: string[] = [];
  visit(tree, (node) => {
    if (!ts.isCallExpression(node)) return;
    const name = node.expression.getText();
    const [first] = node.arguments;
    if (first === undefined) return;
    if (name === "prove" && ts.isStringLiteral(first)) ids.push(first.text);
    if (name === "proveEach" && ts.isObjectLiteralExpression(first)) ids.push(...listPropertyNames(first));
  });
  return ids;
}

function listPropertyNames(given: ts.ObjectLiteralExpression): readonly string[] {
  return given.properties.flatMap(({ name }) =>
    name !== undefined && ts.isStringLiteral(name) ? [name.text] : [],
  );
}

test("every row of docs/spec-matrix.md has a unique name, and the document states how many rows it has", () => {
  const ids = rows.map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  const open = matrix.split("\n").filter((line) => line.includes("| not shown: "));
  expect(matrix).toContain(`: ${rows.length} rows, of which the specification leaves ${open.length} open`);
  const lines = matrix.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| row |"));
  expect(rows).toHaveLength(lines.length);
});

test("every row of docs/spec-matrix.md has exactly one test, in the file that the row names", () => {
  const sort = (found: readonly Omit<Row, "claim">[]) =>
    found.map(({ id, path }) => `${id}: ${path}`).toSorted();
  expect(sort(shown)).toEqual(sort(rows));
});
