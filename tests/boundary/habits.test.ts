import ts from "typescript";
import { expect, test } from "vitest";
import { codeFolders, formatPosition, listSources, type Source, visit } from "./source.ts";

/** The sources that must follow the rules of design §1 and the house style. */
const everywhere = listSources(...codeFolders, "tests");
const nouns = listSources("core").filter(({ path }) => !path.startsWith("core/adapter/"));

/**
 * The positions where a rule is broken. Only files that contain the words of the rule are parsed, because parsing is slower than reading.
 */
function listFaults(
  files: readonly Source[],
  pattern: RegExp,
  isFault: (node: ts.Node, source: Source) => boolean,
): readonly string[] {
  return files.flatMap((source) => {
    if (!pattern.test(source.text)) return [];
    const found: string[] = [];
    visit(source.tree, (node) => {
      if (isFault(node, source)) found.push(formatPosition(source, node));
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
    listFaults(
      everywhere.filter(({ path }) => !allowed.test(path)),
      /process\s*\.\s*env/,
      (node) => isProperty(node, "process", "env"),
    ),
  ).toEqual([]);
});

test("functions get every AWS client, with its time limits, from one file", () => {
  const opens = (node: ts.Node) =>
    ts.isNewExpression(node) && /^(?!DynamoDBDocument)\w+Client$/.test(node.expression.getText());
  const inFunctions = listSources("core", "functions");
  const found = listFaults(inFunctions, /Client\b/, opens);
  expect(found.length).toBeGreaterThan(5);
  expect(found.filter((place) => !place.startsWith("functions/lib/clients.ts:"))).toEqual([]);
});

test("except in adapters, code in core gets time, random numbers and the network from its ports", () => {
  expect(
    listFaults(
      nouns,
      /Date|Math|fetch|setTimeout|setInterval/,
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
  const isInTransact = (node: ts.Node): boolean =>
    (ts.isCallExpression(node) && node.expression.getText() === "transact") ||
    (node.parent !== undefined && isInTransact(node.parent));
  const isTransaction = (node: ts.Node) =>
    ts.isPropertyAccessExpression(node) &&
    node.name.text === "transaction" &&
    /(^|\.)table$/.test(node.expression.getText());
  expect(listFaults(nouns, /transaction/, isTransaction).length).toBeGreaterThan(5);
  expect(listFaults(nouns, /transaction/, (node) => isTransaction(node) && !isInTransact(node))).toEqual([]);
});

test("zod is imported as a namespace, so that bundles stay small", () => {
  expect(
    listFaults(
      everywhere,
      /import(?! \* as z from)[^;]*"zod"/,
      (node) =>
        ts.isImportDeclaration(node) &&
        node.moduleSpecifier.getText() === '"zod"' &&
        node.importClause?.phaseModifier !== ts.SyntaxKind.TypeKeyword &&
        (node.importClause?.namedBindings === undefined ||
          !ts.isNamespaceImport(node.importClause.namedBindings)),
    ),
  ).toEqual([]);
});

test("every name that a comment puts in backticks exists in the code", () => {
  /** Names that are defined by the chain's nodes, Permit2, the AWS SDK or Playwright. */
  const foreign = ["gasUsedForL1", "permitWitnessTransferFrom", "cacheMiddleware", "serializeError"];
  const comment = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;
  const words = everywhere.flatMap(({ text }) => text.replace(comment, "").match(/\w+/g) ?? []);
  const known = new Set([...foreign, ...words]);
  const named = everywhere.flatMap(({ path, text }) =>
    [...(text.match(comment) ?? []).join("\n").matchAll(/`([a-z]\w*[A-Z]\w*)(?:\(\))?`/g)].map(
      ([, name = ""]) => ({ path, name }),
    ),
  );
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter(({ name }) => !known.has(name))).toEqual([]);
});
