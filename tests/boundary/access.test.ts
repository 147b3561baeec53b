import { describe, expect, test } from "vitest";
import { type Job, jobs } from "../../functions/jobs.ts";
import { type Access, type Route, routes } from "../../functions/routes.ts";
import { type Source, sources } from "./source.ts";

/** Which words of a row let a handler take which port of the runtime: one of them at least. */
const words: Readonly<Record<string, readonly Access[]>> = {
  table: ["table:read", "table:write"],
  chain: ["chain"],
  relayChain: ["chain:relay"],
  relayAllowance: ["table:write"],
  market: ["market"],
  news: ["news"],
  relayers: ["relayers:sign", "relayers:read"],
  auditor: ["auditor:sign", "auditor:read"],
  receipts: ["receipts:sign", "receipts:read"],
  mints: ["mints:send"],
  verdicts: ["verdicts:send"],
  pages: ["template:read"],
  typefaces: ["typefaces"],
  auditWorkflow: ["audit:run"],
  modelTerms: ["model"],
  reviewer: ["model"],
  writer: ["model"],
};
/** What reaches nothing outside. */
const free = new Set(["clock", "ids", "settings"]);

const rows: readonly (Route | Job)[] = [...routes, ...jobs];
const files = new Map(sources("functions").map((source) => [source.path, source]));
const runtime = fileAt("functions/lib/runtime.ts");

function fileAt(path: string): Source {
  const found = files.get(path);
  if (found === undefined) throw new TypeError(`There is no ${path}`);
  return found;
}

/** Each port of the runtime, with those that it is made of. */
const ports = new Map(
  runtime.text.split(/^export const /m).flatMap((part) => {
    const name = /^(\w+) = /.exec(part)?.[1];
    return name === undefined
      ? []
      : [[name, [...part.matchAll(/(?<![\w.])(\w+)\(\)/g)].map(([, of = ""]) => of)]];
  }),
);

/** The ports that a file takes, and those of the lib that it imports. The chain's own are the callers' affair. */
function taken(path: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(path) || ["functions/lib/runtime.ts", "functions/lib/endpoint.ts"].includes(path))
    return new Set();
  seen.add(path);
  const { text, imports } = fileAt(path);
  const own = [...text.matchAll(/\bruntime\.(\w+)/g)].flatMap(([, name = ""]) => [
    name,
    ...(ports.get(name) ?? []),
  ]);
  const lib = imports.filter(({ target }) => target.startsWith("functions/lib/"));
  return new Set([...own, ...lib.flatMap(({ target }) => [...taken(target, seen)])]);
}

function portsOf({ file }: Route | Job): readonly string[] {
  const sessions = /\bwalletEndpoint\b|\bsession\b/.test(fileAt(file).text) ? ["table"] : [];
  return [...new Set([...taken(file), ...sessions])].filter((name) => ports.has(name) && !free.has(name));
}

test("every port of the runtime has its words", () => {
  expect([...ports.keys()].filter((name) => !free.has(name)).sort()).toEqual(Object.keys(words).sort());
});

describe("a row has access to what its handler takes, and nothing else", () => {
  test.each(rows.map((row) => [row.id, row] as const))("%s", (_, row) => {
    const needed = portsOf(row);
    const untold = needed.filter((name) => !words[name]?.some((word) => row.access.includes(word)));
    const idle = row.access.filter((one) => !needed.some((name) => words[name]?.includes(one)));
    expect({ untold, idle }).toEqual({ untold: [], idle: [] });
  });
});
