import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { auditLock } from "../../local/advisories.ts";
import { listen } from "../../local/stand-in.ts";
import { makeFolder, startPart } from "../support/provide.ts";

/**
 * A package registry that answers only npm's request for advisories. While `known` is undefined, this registry answers npm's request with
 * status 405, like a registry without support for advisories.
 */
type Advisory = {
  readonly id: number;
  readonly title: string;
  readonly url: string;
  readonly severity: "moderate" | "critical";
  readonly vulnerable_versions: string;
};
let known: Readonly<Record<string, readonly Advisory[]>> | undefined;
let asked: unknown;
const folder = await makeFolder();

const lock = {
  name: "a-shop",
  lockfileVersion: 3,
  packages: {
    "": {
      name: "a-shop",
      dependencies: { served: "^1.0.0", mended: "^1.0.0" },
      devDependencies: { tool: "^2.0.0", toy: "^3.0.0" },
    },
    "node_modules/served": { version: "1.2.3" },
    "node_modules/mended": { version: "1.2.4" },
    "node_modules/tool": { version: "2.0.1", dev: true },
    "node_modules/toy": { version: "3.0.1", dev: true },
  },
};

const registry = startPart(() =>
  listen(
    createServer(async (request, response) => {
      const body = await buffer(request);
      const isBulk = request.method === "POST" && request.url === "/-/npm/v1/security/advisories/bulk";
      if (!isBulk || known === undefined) return void response.writeHead(isBulk ? 405 : 404).end();
      const text = request.headers["content-encoding"] === "gzip" ? gunzipSync(body) : body;
      asked = JSON.parse(text.toString());
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(known));
    }),
  ),
);
beforeAll(async () => {
  const { dependencies, devDependencies } = lock.packages[""];
  await writeFile(
    join(folder, "package.json"),
    JSON.stringify({ name: lock.name, dependencies, devDependencies }),
  );
  await writeFile(join(folder, "package-lock.json"), JSON.stringify(lock));
});

const ask = () => auditLock(folder, registry.endpoint);
/** npm caches the result for each advisory by the advisory's number. */
let advisories = Date.now();
const makeAdvisory = (severity: Advisory["severity"], vulnerable_versions: string): Advisory => ({
  id: advisories++,
  title: "It opens every door",
  url: "https://example.com/advisory",
  severity,
  vulnerable_versions,
});

test("npm asks about every package version in a lockfile; a shipped package with any advisory, or a tool with a critical advisory, is a fault", async () => {
  known = {
    served: [makeAdvisory("moderate", "<1.3.0")],
    mended: [makeAdvisory("critical", "<1.2.4")],
    tool: [makeAdvisory("critical", "*")],
    toy: [makeAdvisory("moderate", "*")],
  };
  expect(await ask()).toEqual({
    faults: [
      "served: moderate, It opens every door, https://example.com/advisory",
      expect.stringContaining("tool: critical"),
    ],
  });
  const versions = { served: ["1.2.3"], mended: ["1.2.4"], tool: ["2.0.1"], toy: ["3.0.1"] };
  expect(z.looseObject({}).parse(asked)).toMatchObject(versions);
});

test("if a registry cannot answer, the check of advisories reports no fault, and says why the registry could not answer", async () => {
  known = undefined;
  expect(await ask()).toEqual({ reason: expect.stringContaining("405") });
});
