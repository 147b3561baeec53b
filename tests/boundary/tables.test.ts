import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Job, jobs, queues } from "../../functions/jobs.ts";
import { type Route, routes } from "../../functions/routes.ts";
import { storage } from "../../functions/storage.ts";
import { root, sources } from "./source.ts";

const rows: readonly (Route | Job)[] = [...routes, ...jobs];

describe("the tables of endpoints and workers list everything that exists", () => {
  test("every row has its file", () => {
    expect(rows.filter(({ file }) => !existsSync(join(root, file)))).toEqual([]);
  });

  test("every handler has a row", () => {
    const handlers = sources("functions/http", "functions/job").flatMap(({ path, text }) =>
      [...text.matchAll(/^export const (\w+)/gm)].map(([, handler]) => `${path} ${handler}`),
    );
    expect(handlers.length).toBeGreaterThan(0);
    const named = new Set(rows.map(({ file, handler }) => `${file} ${handler}`));
    expect(handlers.filter((one) => !named.has(one))).toEqual([]);
    expect([...named].filter((one) => !handlers.includes(one))).toEqual([]);
  });

  test("ids and routes are unique", () => {
    const ids = rows.map(({ id }) => id);
    const paths = routes.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(paths).size).toBe(paths.length);
  });

  test("every route ends within the gateway's 30 seconds, and every queue hides a message while it is handled", () => {
    expect(routes.filter(({ timeoutSeconds }) => timeoutSeconds >= 30)).toEqual([]);
    for (const { trigger, timeoutSeconds } of jobs) {
      if (trigger.kind !== "queue") continue;
      const queue = queues.find(({ name }) => name === trigger.queue);
      expect(queue?.visibilitySeconds).toBeGreaterThanOrEqual(6 * timeoutSeconds);
    }
  });
});

test("every index of the records is an index of the table with the same key names", () => {
  const entities = sources("core/record");
  const used = entities.flatMap(({ text }) => [...text.matchAll(/index: "(\w+)"/g)].map(([, name]) => name));
  expect(used.length).toBeGreaterThan(0);
  expect(new Set(used)).toEqual(new Set(storage.indexes.map(({ name }) => name)));
  const fields = new Set(
    entities.flatMap(({ text }) => [...text.matchAll(/field: "(\w+)"/g)].map(([, name]) => name)),
  );
  const keys = storage.indexes.flatMap(({ partitionKey, sortKey }) => [partitionKey, sortKey]);
  expect(fields).toEqual(new Set([storage.partitionKey, storage.sortKey, ...keys]));
});
