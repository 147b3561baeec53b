import ts from "typescript";
import { expect, test } from "vitest";
import { place, type Source, sources, visit } from "./source.ts";

/** Rules of design §1 and the house style about code. */
const everywhere = sources("cli", "client", "core", "functions", "infra", "local", "web", "bench", "tests");
const nouns = sources("core").filter(({ path }) => !path.startsWith("core/adapter/"));

function places(
  files: readonly Source[],
  fault: (node: ts.Node, source: Source) => boolean,
): readonly string[] {
  return files.flatMap((source) => {
    const found: string[] = [];
    visit(source.tree, (node) => {
      if (fault(node, source)) found.push(place(source, node));
    });
    return found;
  });
}

const isProperty = (node: ts.Node, object: string, name: string) =>
  ts.isPropertyAccessExpression(node) && node.name.text === name && node.expression.getText() === object;

test("only the runtimes, the build and the tests read process.env", () => {
  const allowed =
    /^(cli\/main\.ts|functions\/lib\/(environment|runtime)\.ts|local\/|web\/vite|infra\/|tests\/|bench\/)/;
  expect(
    places(everywhere, (node, { path }) => isProperty(node, "process", "env") && !allowed.test(path)),
  ).toEqual([]);
});

test("functions get every AWS client with its time limits from one place", () => {
  const opens = (node: ts.Node) =>
    ts.isNewExpression(node) && /^(?!DynamoDBDocument)\w+Client$/.test(node.expression.getText());
  const inFunctions = sources("core", "functions");
  expect(places(inFunctions, opens).length).toBeGreaterThan(5);
  expect(places(inFunctions, (node, { path }) => opens(node) && path !== "functions/lib/clients.ts")).toEqual(
    [],
  );
});

test("nouns get time, chance and the network from their ports", () => {
  expect(
    places(
      nouns,
      (node) =>
        isProperty(node, "Date", "now") ||
        isProperty(node, "Math", "random") ||
        (ts.isNewExpression(node) && node.expression.getText() === "Date" && node.arguments?.length === 0) ||
        (ts.isCallExpression(node) &&
          ["fetch", "setTimeout", "setInterval"].includes(node.expression.getText())),
    ),
  ).toEqual([]);
});

test("every transaction of the table is repeated after a conflict", () => {
  const inTransact = (node: ts.Node): boolean =>
    (ts.isCallExpression(node) && node.expression.getText() === "transact") ||
    (node.parent !== undefined && inTransact(node.parent));
  const transactions = (node: ts.Node) =>
    ts.isPropertyAccessExpression(node) &&
    node.name.text === "transaction" &&
    /(^|\.)table$/.test(node.expression.getText());
  expect(places(nouns, transactions).length).toBeGreaterThan(10);
  expect(places(nouns, (node) => transactions(node) && !inTransact(node))).toEqual([]);
});

test("the code has no `any`, no `!`, and no `as` but `as const`", () => {
  expect(
    places(
      everywhere,
      (node) =>
        node.kind === ts.SyntaxKind.AnyKeyword ||
        ts.isNonNullExpression(node) ||
        ts.isTypeAssertionExpression(node) ||
        (ts.isAsExpression(node) && !ts.isConstTypeReference(node.type)),
    ),
  ).toEqual([]);
});

test("zod is imported as a namespace, so that bundles stay small", () => {
  expect(
    places(
      everywhere,
      (node) =>
        ts.isImportDeclaration(node) &&
        node.moduleSpecifier.getText() === '"zod"' &&
        node.importClause?.phaseModifier !== ts.SyntaxKind.TypeKeyword &&
        (node.importClause?.namedBindings === undefined ||
          !ts.isNamespaceImport(node.importClause.namedBindings)),
    ),
  ).toEqual([]);
});
