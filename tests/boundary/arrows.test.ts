import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { codeFolders, type Import, listSources, root, type Source } from "./source.ts";

/** The source files of each folder. Design §1 states from which other folders a folder may import. */
const core = listSources("core");
const functions = listSources("functions");
const infra = listSources("infra");
const web = listSources("web");

function listForbiddenImports(
  files: readonly Source[],
  isAllowed: (source: Source, target: Import) => boolean,
): readonly string[] {
  return files.flatMap((source) =>
    source.imports
      .filter((target) => !isAllowed(source, target))
      .map(({ target }) => `${source.path} → ${target}`),
  );
}

const isInside = (folder: string, target: string) => target.startsWith(`${folder}/`);
const findNoun = (path: string) => /^core\/([^/]+)\//.exec(path)?.[1];
const notNouns = new Set(["port", "chain", "adapter", "record"]);
const nouns = core.filter(({ path }) => {
  const noun = findNoun(path);
  return noun !== undefined && !notNouns.has(noun);
});
const ours = /^(cli|client|core|functions|infra|local|web|tests|bench)\//;

test("the parser finds files and imports in every folder", () => {
  for (const part of [core, functions, nouns]) {
    expect(part.length).toBeGreaterThan(5);
    expect(part.flatMap(({ imports }) => imports).length).toBeGreaterThan(10);
  }
});

const framework = /^(@middy\/|aws-lambda|sst|aws-cdk-lib|constructs|@aws-lambda-powertools)/;
const schema = /^core\/[^/]+\/schema\.ts$/;

type Rule = (source: Source, target: Import) => boolean;

test.each<[string, readonly Source[], Rule]>([
  [
    "core imports nothing from functions, infra, local, web or tests, and only the types of signed messages from the client",
    core,
    (_, { target }) => !ours.test(target) || isInside("core", target) || target === "client/typed-data.ts",
  ],
  [
    "core imports no framework: middy, aws-lambda, SST, CDK",
    core,
    (_, { target }) => !framework.test(target),
  ],
  [
    "only the records and table.ts of core import ElectroDB",
    core,
    ({ path }, { target }) => target !== "electrodb" || /^core\/(record\/.+|table)\.ts$/.test(path),
  ],
  [
    "core imports AWS clients only in adapters, and the document client only in table.ts",
    core,
    ({ path }, { target }) =>
      !target.startsWith("@aws-sdk/") ||
      isInside("core/adapter", path) ||
      (path === "core/table.ts" && target === "@aws-sdk/lib-dynamodb"),
  ],
  [
    "nouns of core import lower layers, and from other nouns only index and schema",
    nouns,
    ({ path }, { target, typeOnly }) => {
      const noun = findNoun(target);
      if (noun === undefined) return typeOnly || target !== "core/table.ts";
      if (noun === findNoun(path) || ["port", "chain", "record"].includes(noun)) return true;
      return /^core\/([^/]+\/(index|schema)|press\/input)\.ts$/.test(target);
    },
  ],
  [
    "a port defines its own types and imports nothing of the core but other ports and errors",
    core.filter(({ path }) => isInside("core/port", path)),
    (_, { target }) => !isInside("core", target) || /^core\/(port\/|error\.ts$)/.test(target),
  ],
  [
    "the folder core/chain imports the types of ports and no noun",
    core.filter(({ path }) => isInside("core/chain", path)),
    (_, { target, typeOnly }) =>
      !isInside("core", target) ||
      /^core\/(chain\/|error\.ts$)/.test(target) ||
      (isInside("core/port", target) && typeOnly),
  ],
  [
    "only the runtimes import adapters",
    [...core, ...functions],
    ({ path }, { target }) =>
      !isInside("core/adapter", target) ||
      isInside("core/adapter", path) ||
      /^functions\/lib\/(runtime|clients)\.ts$/.test(path),
  ],
  [
    "functions import core, functions/lib and the tables in functions, and never a handler, infra, local or web",
    functions,
    (_, { target }) =>
      !ours.test(target) ||
      isInside("core", target) ||
      /^functions\/(lib\/|openapi\/|(routes|jobs|storage|metrics|browser)\.ts$)/.test(target),
  ],
  [
    "infra imports the tables in functions and the chain's addresses, and infra's checks import the adapters that they try",
    infra,
    ({ path }, { target }) =>
      !ours.test(target) ||
      isInside("infra", target) ||
      /^core\/chain\/(deployment|hex)\.ts$/.test(target) ||
      (isInside("infra/check", path) &&
        /^core\/(adapter\/(model\/reviewer|market|news)|audit\/schema|chain\/abi)\.ts$/.test(target)) ||
      (path === "infra/check/paid-read.ts" && /^core\/(payment|press)\/schema\.ts$/.test(target)) ||
      /^functions\/(routes|jobs|limits|storage|metrics|browser|audit\.asl)\.ts$/.test(target),
  ],
  [
    "local imports infra's settings and checks only for the test chains, so that npm start needs nothing from the cloud",
    listSources("local"),
    ({ path }, { target }) =>
      !isInside("infra", target) ||
      (isInside("local/testnet", path) && /^infra\/(chains|stages|testnets|check\/\w+)\.ts$/.test(target)),
  ],
  [
    "web imports the schemas of core and the client's signing, and the build of web imports the chain and the preview picture of links",
    web,
    ({ path }, { target }) =>
      !ours.test(target) ||
      isInside("web", target) ||
      /^(core\/([^/]+\/schema|press\/input)|client\/signing)\.ts$/.test(target) ||
      (/^web\/(build|vite\.config)\.ts$/.test(path) &&
        /^core\/(chain\/deployment|page\/card)\.ts$/.test(target)),
  ],
  [
    "client is a separate package that imports viem, Node.js modules for the file journal, and no other file of the project",
    listSources("client"),
    ({ path }, { target }) =>
      isInside("client", target) ||
      /^viem(\/|$)/.test(target) ||
      (path === "client/file-journal.ts" && target.startsWith("node:")),
  ],
  [
    "cli imports the client and the schemas of core, and no other file of the project",
    listSources("cli"),
    (_, { target }) => !ours.test(target) || /^(cli|client)\//.test(target) || schema.test(target),
  ],
])("%s", (_, files, allowed) => {
  expect(files.length).toBeGreaterThan(2);
  expect(listForbiddenImports(files, allowed)).toEqual([]);
});

test("the folder client imports no package except viem", () => {
  const { dependencies } = z
    .object({ dependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(join(root, "client/package.json"), "utf8")));
  expect(Object.keys(dependencies)).toEqual(["viem"]);
});

describe("the imports inside core follow the layers and form no cycle", () => {
  test("no import, not even a type import, points to a higher layer", () => {
    const floors = [
      /^core\/(error|cursor|turn|chain\/hex)\.ts$/,
      /^core\/port\//,
      /^core\/([^/]+\/schema|press\/(input|markdown|text))\.ts$/,
      /^core\/chain\//,
      /^core\/record\//,
      /^core\/(table|ports)\.ts$/,
      /^core\/transact\.ts$/,
      /^core\/(?!adapter\/)[^/]+\//,
      /^core\/adapter\//,
    ];
    const findFloor = (path: string) => floors.findIndex((pattern) => pattern.test(path));
    expect(core.filter(({ path }) => findFloor(path) === -1)).toEqual([]);
    expect(
      listForbiddenImports(
        core,
        ({ path }, { target }) => !isInside("core", target) || findFloor(target) <= findFloor(path),
      ),
    ).toEqual([]);
  });

  test("the imports between the folders of core form no cycle, even if type imports are counted", () => {
    const edges = new Map<string, Set<string>>();
    for (const { path, imports } of nouns) {
      const from = findNoun(path) ?? "";
      for (const { target } of imports) {
        const to = findNoun(target);
        if (to === undefined || notNouns.has(to) || to === from) continue;
        edges.set(from, (edges.get(from) ?? new Set()).add(to));
      }
    }
    expect(findCycle(edges)).toBeUndefined();
  });

  test("the imports between the files of core form no cycle, even if type imports are counted", () => {
    const edges = new Map(
      core.map(({ path, imports }) => [path, new Set(imports.map(({ target }) => target))] as const),
    );
    expect(findCycle(edges)).toBeUndefined();
  });
});

test("files outside the outbox import only the outbox's two entry files, one for senders and one for operators", () => {
  const doors = /^core\/relayer\/(index|operators)\.ts$/;
  const own = /^(core|tests\/core)\/relayer\//;
  const all = listSources(...codeFolders, "tests").filter(({ text }) => text.includes("relayer/"));
  const knows = ({ path }: Source, { target }: Import) =>
    !isInside("core/relayer", target) || doors.test(target) || own.test(path);
  expect(listForbiddenImports(all, knows)).toEqual([]);
  // The outbox transports intents without knowing their content.
  const behind = core.filter(({ path }) => isInside("core/relayer", path));
  const payments = /^core\/(payment|verdict|press|session|receipt|vote)\//;
  expect(listForbiddenImports(behind, (_, { target }) => !payments.test(target))).toEqual([]);
});

function findCycle(edges: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] | undefined {
  const done = new Set<string>();
  const walk = (trail: readonly string[]): readonly string[] | undefined => {
    const at = trail.at(-1) ?? "";
    if (done.has(at)) return undefined;
    for (const next of edges.get(at) ?? []) {
      if (trail.includes(next)) return [...trail, next];
      const found = walk([...trail, next]);
      if (found !== undefined) return found;
    }
    done.add(at);
    return undefined;
  };
  for (const start of edges.keys()) {
    const found = walk([start]);
    if (found !== undefined) return found;
  }
  return undefined;
}
