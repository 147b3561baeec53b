import ts from "typescript";
import { expect, test } from "vitest";
import { type Job, jobs } from "../../functions/jobs.ts";
import { type Access, type Route, routes } from "../../functions/routes.ts";
import { listSources, type Source, visit } from "./source.ts";

/**
 * For each port of the runtime, the words in a row's `access` that allow the row to use the port. A row of the table of routes or jobs may
 * use a port only if the row's `access` contains one of the port's words.
 */
const words: Readonly<Record<string, readonly Access[]>> = {
  table: ["table:read", "table:write"],
  chain: ["chain"],
  relayChain: ["chain:relay"],
  relayAllowance: ["table:write"],
  market: ["market"],
  news: ["news"],
  relayers: ["relayers:sign", "relayers:read"],
  measuredRelayers: ["relayers:read"],
  sweepers: ["sweep:sign"],
  auditor: ["auditor:sign", "auditor:read"],
  receipts: ["receipts:sign", "receipts:read"],
  statements: ["receipts:sign"],
  mints: ["mints:send"],
  verdicts: ["verdicts:send"],
  pushes: ["pushes:send"],
  push: ["push:sign"],
  pushSigner: ["push:sign", "push:read"],
  pages: ["template:read"],
  searchIndex: ["search:read", "search:write"],
  edgeLogs: ["edge-logs:read"],
  typefaces: ["typefaces"],
  auditWorkflow: ["audit:run"],
  readModelTerms: ["model"],
  reviewer: ["model"],
  writer: ["model"],
};
/** Ports that reach nothing outside the function, and ports that only bundle other ports. */
const free = new Set(["clock", "settings", "readPushServices", "makeTablePorts", "makePaymentPorts"]);

const rows: readonly (Route | Job)[] = [...routes, ...jobs];
const files = new Map(listSources("functions").map((source) => [source.path, source]));
const runtime = findFile("functions/lib/runtime.ts");

function findFile(path: string): Source {
  const found = files.get(path);
  if (found === undefined) throw new TypeError(`There is no ${path}`);
  return found;
}

/** Each port of the runtime with the other ports that it uses. */
const ports = new Map(
  runtime.text.split(/^export const /m).flatMap((part) => {
    const name = /^(\w+) = /.exec(part)?.[1];
    return name === undefined
      ? []
      : [[name, [...part.matchAll(/(?<![\w.])(\w+)\(\)/g)].map(([, of = ""]) => of)]];
  }),
);

/**
 * The ports that a source text uses, directly and through the lib files that it imports. The ports that an operation uses are named in the
 * file that passes the operation to functions/lib/endpoint.ts, so this function does not search endpoint.ts itself.
 */
function findUsedPorts(
  text: string,
  targets: readonly string[],
  seen = new Set<string>(),
): ReadonlySet<string> {
  const own = [...text.matchAll(/\bruntime\.(\w+)/g)].flatMap(([, name = ""]) => [
    name,
    ...(ports.get(name) ?? []),
  ]);
  const lib = targets.filter(
    (target) =>
      target.startsWith("functions/lib/") &&
      !["functions/lib/runtime.ts", "functions/lib/endpoint.ts"].includes(target) &&
      !seen.has(target),
  );
  const further = lib.flatMap((target) => {
    seen.add(target);
    const { text, imports } = findFile(target);
    return [
      ...findUsedPorts(
        text,
        imports.map(({ target }) => target),
        seen,
      ),
    ];
  });
  return new Set([...own, ...further]);
}

/** The statements that an export needs from its file: its own statement, and all statements to which this statement refers. */
function listNeededStatements({ tree }: Source, exported: string): readonly ts.Statement[] {
  const declared = new Map(
    tree.statements.flatMap((one) => listDeclaredNames(one).map((name) => [name, one] as const)),
  );
  const needed = new Set<ts.Statement>();
  const need = (name: string) => {
    const statement = declared.get(name);
    if (statement === undefined || needed.has(statement)) return;
    needed.add(statement);
    visit(statement, (node) => {
      if (ts.isIdentifier(node)) need(node.text);
    });
  };
  need(exported);
  return [...needed];
}

function listDeclaredNames(statement: ts.Statement): readonly string[] {
  const names: string[] = [];
  const declarations = ts.isVariableStatement(statement)
    ? statement.declarationList.declarations
    : [statement];
  for (const one of declarations) {
    if ((ts.isVariableDeclaration(one) || ts.isFunctionDeclaration(one)) && one.name !== undefined) {
      names.push(one.name.getText());
    }
  }
  if (ts.isImportDeclaration(statement)) {
    visit(statement, (node) => {
      if (ts.isImportSpecifier(node) || ts.isNamespaceImport(node)) names.push(node.name.text);
    });
  }
  return names;
}

function listPorts({ file, handler }: Route | Job): readonly string[] {
  const source = findFile(file);
  const statements = listNeededStatements(source, handler);
  const text = statements
    .filter((one) => !ts.isImportDeclaration(one))
    .map((one) => one.getText())
    .join("\n");
  const targets = statements
    .filter(ts.isImportDeclaration)
    .map(({ moduleSpecifier }) => moduleSpecifier.getText().slice(1, -1))
    .flatMap((specifier) =>
      source.imports.filter(({ target }) => target.endsWith(specifier.replace(/^(?:\.\.?\/)+/, ""))),
    )
    .map(({ target }) => target);
  const sessions = /\bmakeWalletHandler\b|\bsession\b/.test(text) ? ["table"] : [];
  return [...new Set([...findUsedPorts(text, targets), ...sessions])].filter(
    (name) => ports.has(name) && !free.has(name),
  );
}

test("every port of the runtime that is not in the list `free` has access words that allow its use", () => {
  expect([...ports.keys()].filter((name) => !free.has(name)).sort()).toEqual(Object.keys(words).sort());
});

test.each(rows.map((row) => [row.id, row] as const))(
  "the row %s has exactly the access that its handler uses",
  (_, row) => {
    const needed = listPorts(row);
    const untold = needed.filter((name) => !words[name]?.some((word) => row.access.includes(word)));
    const idle = row.access.filter((one) => !needed.some((name) => words[name]?.includes(one)));
    expect({ untold, idle }).toEqual({ untold: [], idle: [] });
  },
);
