import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { type Import, root, type Source, sources } from "./source.ts";

/** Design §1: which part of the house may know of which. */
const core = sources("core");
const functions = sources("functions");
const infra = sources("infra");
const web = sources("web");

function broken(
  files: readonly Source[],
  allowed: (source: Source, target: Import) => boolean,
): readonly string[] {
  return files.flatMap((source) =>
    source.imports
      .filter((target) => !allowed(source, target))
      .map(({ target }) => `${source.path} → ${target}`),
  );
}

const inside = (folder: string, target: string) => target.startsWith(`${folder}/`);
const nounOf = (path: string) => /^core\/([^/]+)\//.exec(path)?.[1];
const notNouns = new Set(["port", "chain", "adapter", "record"]);
const nouns = core.filter(({ path }) => {
  const noun = nounOf(path);
  return noun !== undefined && !notNouns.has(noun);
});
const ours = /^(cli|client|core|functions|infra|local|web|tests|bench)\//;

test("the parser sees the house: every part that stands has files and imports", () => {
  for (const part of [core, functions, nouns]) {
    expect(part.length).toBeGreaterThan(5);
    expect(part.flatMap(({ imports }) => imports).length).toBeGreaterThan(10);
  }
});

describe("core", () => {
  test("core knows nothing of functions, infra, local, web or tests, and of the client the types that both sign by", () => {
    const known = (target: string) => inside("core", target) || target === "client/typed-data.ts";
    expect(broken(core, (_, { target }) => !ours.test(target) || known(target))).toEqual([]);
  });

  test("core has no framework in it: middy, aws-lambda, SST, CDK", () => {
    const framework = /^(@middy\/|aws-lambda|sst|aws-cdk-lib|constructs|@aws-lambda-powertools)/;
    expect(broken(core, (_, { target }) => !framework.test(target))).toEqual([]);
  });

  test("core uses ElectroDB in the records and table.ts only", () => {
    const at = /^core\/(record\/.+|table)\.ts$/;
    expect(broken(core, ({ path }, { target }) => target !== "electrodb" || at.test(path))).toEqual([]);
  });

  test("meets AWS clients in adapters only, and the document client in table.ts", () => {
    expect(
      broken(
        core,
        ({ path }, { target }) =>
          !target.startsWith("@aws-sdk/") ||
          inside("core/adapter", path) ||
          (path === "core/table.ts" && target === "@aws-sdk/lib-dynamodb"),
      ),
    ).toEqual([]);
  });

  test("no arrow runs back up, of types neither: each floor knows those below it", () => {
    const floors = [
      /^core\/(error|chain\/hex)\.ts$/,
      /^core\/([^/]+\/schema|press\/(markdown|text))\.ts$/,
      /^core\/port\//,
      /^core\/chain\//,
      /^core\/record\//,
      /^core\/table\.ts$/,
      /^core\/transact\.ts$/,
      /^core\/(?!adapter\/)[^/]+\//,
      /^core\/adapter\//,
    ];
    const floor = (path: string) => floors.findIndex((pattern) => pattern.test(path));
    expect(core.filter(({ path }) => floor(path) === -1)).toEqual([]);
    expect(
      broken(core, ({ path }, { target }) => !inside("core", target) || floor(target) <= floor(path)),
    ).toEqual([]);
  });

  test("nouns import what stands below them, and each other's index and schema", () => {
    expect(
      broken(nouns, ({ path }, { target, typeOnly }) => {
        const noun = nounOf(target);
        if (noun === undefined) return typeOnly || target !== "core/table.ts";
        if (noun === nounOf(path) || ["port", "chain", "record"].includes(noun)) return true;
        return /^core\/[^/]+\/(index|schema)\.ts$/.test(target);
      }),
    ).toEqual([]);
  });

  test("nouns know each other without a circle, types counted like all else", () => {
    const edges = new Map<string, Set<string>>();
    for (const { path, imports } of nouns) {
      const from = nounOf(path) ?? "";
      for (const { target } of imports) {
        const to = nounOf(target);
        if (to === undefined || notNouns.has(to) || to === from) continue;
        edges.set(from, (edges.get(from) ?? new Set()).add(to));
      }
    }
    expect(circle(edges)).toBeUndefined();
  });

  test("a port owns its types: of the nouns it knows the forms alone", () => {
    expect(
      broken(
        core.filter(({ path }) => inside("core/port", path)),
        (_, { target }) =>
          !inside("core", target) ||
          inside("core/port", target) ||
          inside("core/chain", target) ||
          target === "core/error.ts" ||
          /^core\/[^/]+\/schema\.ts$/.test(target),
      ),
    ).toEqual([]);
  });

  test("files know each other without a circle, types counted like all else", () => {
    const edges = new Map(
      core.map(({ path, imports }) => [path, new Set(imports.map(({ target }) => target))] as const),
    );
    expect(circle(edges)).toBeUndefined();
  });

  test("chain is pure: it imports ports' types, and no noun", () => {
    const chain = core.filter(({ path }) => inside("core/chain", path));
    expect(
      broken(
        chain,
        (_, { target, typeOnly }) =>
          !inside("core", target) ||
          inside("core/chain", target) ||
          target === "core/error.ts" ||
          (inside("core/port", target) && typeOnly),
      ),
    ).toEqual([]);
  });

  test("only the runtimes pick adapters", () => {
    expect(
      broken(
        [...core, ...functions],
        ({ path }, { target }) =>
          !inside("core/adapter", target) ||
          inside("core/adapter", path) ||
          /^functions\/lib\/(runtime|clients)\.ts$/.test(path),
      ),
    ).toEqual([]);
  });
});

test("the outbox has two doors, one for those who send and one for operators: nobody imports a file behind them", () => {
  const doors = /^core\/relayer\/(index|operators)\.ts$/;
  const own = /^(core|tests\/core)\/relayer\//;
  const all = sources("core", "functions", "infra", "local", "cli", "client", "web", "bench", "tests");
  const knows = ({ path }: Source, { target }: Import) =>
    !inside("core/relayer", target) || doors.test(target) || own.test(path);
  expect(broken(all, knows)).toEqual([]);
  // It carries what it does not understand.
  const behind = core.filter(({ path }) => inside("core/relayer", path));
  const payments = /^core\/(payment|verdict|press|session|receipt|vote)\//;
  expect(broken(behind, (_, { target }) => !payments.test(target))).toEqual([]);
});

describe("functions", () => {
  test("import core and each other's lib, never a handler, infra, local or web", () => {
    expect(
      broken(
        functions,
        (_, { target }) =>
          !ours.test(target) ||
          inside("core", target) ||
          inside("functions/lib", target) ||
          inside("functions/openapi", target) ||
          /^functions\/(routes|jobs|storage|metrics|browser)\.ts$/.test(target),
      ),
    ).toEqual([]);
  });
});

test("infra imports the tables in functions, the chain's addresses, and its checks the adapters that they try", () => {
  expect(
    broken(
      infra,
      ({ path }, { target }) =>
        !ours.test(target) ||
        inside("infra", target) ||
        /^core\/chain\/(deployment|hex)\.ts$/.test(target) ||
        (inside("infra/check", path) &&
          /^core\/(adapter\/(model\/reviewer|market|news)|audit\/schema)\.ts$/.test(target)) ||
        (path === "infra/check/paid-read.ts" &&
          /^core\/(chain\/abi|(payment|press)\/schema)\.ts$/.test(target)) ||
        /^functions\/(routes|jobs|limits|storage|metrics|browser|audit\.asl)\.ts$/.test(target),
    ),
  ).toEqual([]);
});

test("local imports infra's settings and checks for the test chains only, so that npm start needs nothing of the cloud", () => {
  expect(
    broken(
      sources("local"),
      ({ path }, { target }) =>
        !inside("infra", target) ||
        (inside("local/testnet", path) && /^infra\/(chains|stages|testnets|check\/\w+)\.ts$/.test(target)),
    ),
  ).toEqual([]);
});

test("web imports the schemas of core and what the client signs, its build the chain, and nothing else", () => {
  const allowed = /^(core\/[^/]+\/schema|client\/signing)\.ts$/;
  expect(
    broken(
      web,
      ({ path }, { target }) =>
        !ours.test(target) ||
        inside("web", target) ||
        allowed.test(target) ||
        (path === "web/vite.config.ts" && target === "core/chain/deployment.ts"),
    ),
  ).toEqual([]);
});

test("client is a package of its own: viem, Node for the file journal, and nothing of ours", () => {
  const client = sources("client");
  expect(client.length).toBeGreaterThan(5);
  expect(
    broken(
      client,
      ({ path }, { target }) =>
        inside("client", target) ||
        /^viem(\/|$)/.test(target) ||
        (path === "client/file-journal.ts" && target.startsWith("node:")),
    ),
  ).toEqual([]);
  const { dependencies } = z
    .object({ dependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(join(root, "client/package.json"), "utf8")));
  expect(Object.keys(dependencies)).toEqual(["viem"]);
});

test("cli imports the client and the schemas of core, and nothing else of the house", () => {
  expect(
    broken(
      sources("cli"),
      (_, { target }) =>
        !ours.test(target) ||
        inside("cli", target) ||
        inside("client", target) ||
        /^core\/[^/]+\/schema\.ts$/.test(target),
    ),
  ).toEqual([]);
});

function circle(edges: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] | undefined {
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
