import { type ChildProcess, execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { type Job, jobs } from "../../functions/jobs.ts";
import { type Route, routes } from "../../functions/routes.ts";
import { startBucket } from "../../local/bucket.ts";
import { startSecrets } from "../../local/secrets.ts";
import { makeFolder, startPart } from "../support/provide.ts";
import { startTestTable } from "../support/table.ts";
import { synthesizeInProcess } from "./assembly.ts";
import { bundleAll, bundleHandler } from "./bundles.ts";
import { ImportOutcome, type ImportRequest } from "./order.ts";
import { makeReader, type Reader } from "./reading.ts";

const rows: readonly (Route | Job)[] = [...routes, ...jobs];
const folder = await makeFolder();
let stage: Reader;
const originArn = "arn:aws:secretsmanager:us-east-1:123456789012:secret:origin-AbCdEf";
let child: ChildProcess;

beforeAll(async () => {
  // SST bundles the functions of the stage that this process has synthesised last.
  stage = makeReader(await synthesizeInProcess("jane"));
});
const stored = startPart(startTestTable);
// A stand-in for the site's bucket, without a site.
const bucket = startPart(() =>
  startBucket({
    buckets: {
      site: { read: async () => undefined },
      search: { read: async () => undefined },
      logs: { read: async () => undefined, list: async () => [] },
    },
  }),
);
const secrets = startPart(() =>
  startSecrets({
    secrets: () => [{ name: "origin", arn: originArn, value: "secret" }],
  }),
);
beforeAll(async () => {
  await bundleAll(folder);
  child = fork(join(import.meta.dirname, "caller.ts"), {
    env: {
      PATH: process.env.PATH,
      AWS_REGION: "us-east-1",
      AWS_ACCESS_KEY_ID: "local",
      AWS_SECRET_ACCESS_KEY: "local",
      AWS_ENDPOINT_URL: "http://127.0.0.1:1",
      AWS_ENDPOINT_URL_DYNAMODB: stored.database.endpoint,
      AWS_ENDPOINT_URL_S3: bucket.endpoint,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.endpoint,
      // The time limit is long, because a busy machine answers slowly.
      SDK_TIMEOUT_MS: "60000",
    },
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
});
afterAll(() => void child.kill());

/** Stand-ins for values that only a deployment knows, and for services that a test must not call. */
const instead: Readonly<Record<string, string>> = {
  ORIGIN_SECRET_IDS: originArn,
  TABLE_NAME: "market",
  SITE_ORIGIN: "https://press.test",
  CHAIN_RPC_URL: "http://127.0.0.1:1",
  RELAY_RPC_URL: "http://127.0.0.1:1",
  STOCK_API_URL: "http://127.0.0.1:1",
  NEWS_URL: "http://127.0.0.1:1/{symbol}",
  MINT_QUEUE_URL: "http://127.0.0.1:1/123456789012/mints",
  VERDICT_QUEUE_URL: "http://127.0.0.1:1/123456789012/verdicts",
  PUSH_QUEUE_URL: "http://127.0.0.1:1/123456789012/pushes",
  SITE_BUCKET: "site",
  SEARCH_BUCKET: "search",
  LOG_BUCKET: "logs",
  AUDIT_MACHINE_ARN: "arn:aws:states:us-east-1:123456789012:stateMachine:audit",
};

function readVariables(id: string): ImportRequest["variables"] {
  const given = Object.entries(stage.readVariables(id));
  return Object.fromEntries(given.map(([name, value]) => [name, instead[name] ?? value]));
}

function findBundle({ file }: Route | Job): string {
  return join(folder, file.replace(/\.ts$/, ".mjs"));
}

async function call(row: Route | Job, event: unknown): Promise<ImportOutcome> {
  const order: ImportRequest = {
    file: findBundle(row),
    handler: row.handler,
    variables: readVariables(row.id),
    event,
  };
  child.send(order);
  const [outcome] = await once(child, "message");
  return ImportOutcome.parse(outcome);
}

/** A request in the gateway's form, with an id that does not exist. */
function makeRequest({ method, path }: Route) {
  const pathParameters = Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, "17"]));
  return {
    version: "2.0",
    routeKey: `${method} ${path}`,
    rawPath: path.replace(/\{\w+\}/g, "17"),
    rawQueryString: "",
    headers: {
      "x-origin-secret": "secret",
      origin: "https://press.test",
      ...(method === "POST" && { "content-type": "application/json" }),
    },
    pathParameters,
    requestContext: { requestId: "request-1", http: { method, path, sourceIp: "127.0.0.1" } },
    ...(method === "POST" && { body: "{}" }),
    isBase64Encoded: false,
  };
}

const Answer = z.object({
  statusCode: z.number(),
  headers: z.object({ "content-type": z.string() }),
  body: z.string().min(1),
});

describe("a handler can answer when it is bundled for a deployment and only its own variables are set", () => {
  test.each(routes.map((row) => [row.id, row] as const))(
    "the bundle of %s answers a request",
    async (_, row) => {
      const outcome = await call(row, makeRequest(row));
      const { statusCode, headers, body } = Answer.parse("answer" in outcome ? outcome.answer : outcome);
      if (headers["content-type"].startsWith("application/json")) {
        expect(JSON.parse(body)).toBeTypeOf("object");
      }
      // A missing variable or a broken bundle gives the status 500; 503 means that an outside service is unreachable.
      expect([200, 400, 401, 402, 404, 503]).toContain(statusCode);
    },
  );

  test.each(jobs.map((row) => [row.id, row] as const))(
    "the bundle of the job %s handles a call",
    async (_, row) => {
      const message = { messageId: "message-1", messageAttributes: {}, body: "{}" };
      const outcome = await call(row, row.trigger.kind === "queue" ? { Records: [message] } : {});
      const expected = {
        queue: { answer: { batchItemFailures: [{ itemIdentifier: "message-1" }] } },
        step: { error: expect.stringContaining("Invalid input") },
        // No relayer keys are configured in this test. If there are no relayer keys, the reconciler does its other work, and then reports
        // that the keys are missing.
        schedule:
          row.id === "payment-reconcile"
            ? { error: expect.stringContaining("could not be reconciled") }
            : { milliseconds: expect.any(Number) },
        operator: { error: expect.stringContaining(row.id === "relayer-sweep" ? "relayer" : "since") },
      };
      expect(outcome).toMatchObject(expected[row.trigger.kind]);
    },
  );

  test("a bundle checks a wallet's signature with the WebAssembly library that is packed beside the bundle", async () => {
    const account = privateKeyToAccount(`0x${"17".repeat(32)}`);
    const { address } = account;
    const post = async (id: string, body: object) => {
      const row = routes.find((route) => route.id === id);
      if (row === undefined) throw new TypeError(`There is no route ${id}`);
      const outcome = await call(row, { ...makeRequest(row), body: JSON.stringify(body) });
      return Answer.parse("answer" in outcome ? outcome.answer : outcome);
    };
    const asked = z.object({ nonce: z.string(), message: z.string() });
    const { nonce, message } = asked.parse(JSON.parse((await post("auth-nonce", { address })).body));
    const signature = await account.signMessage({ message });
    // The chain is unreachable in this test, so the wallet can sign in only by a signature of its key.
    expect(await post("auth-verify", { address, nonce, signature })).toMatchObject({ statusCode: 200 });
  });

  test("the bundle is one minified file below 1.3 MB, without a source map", () => {
    // The bundle for MCP may be larger than the other bundles, because it contains the MCP SDK. Apart from the bundle for MCP, the bundle
    // for drafts is the largest, because it contains the audit's rules.
    const chooseLimit = ({ id }: Route | Job) => (id === "mcp" ? 1_650_000 : 1_300_000);
    const large = rows.filter((row) => statSync(findBundle(row)).size > chooseLimit(row));
    expect(large.map((row) => `${row.id} ${statSync(findBundle(row)).size}`)).toEqual([]);
    expect(readdirSync(join(folder, "functions/http")).filter((file) => file.endsWith(".map"))).toEqual([]);
  });

  test("the bundle of a route that declares no access contains only the part of the AWS SDK that reads the edge's secret", () => {
    const documents = routes.filter(({ access }) => access.length === 0);
    expect(documents.map(({ id }) => id)).toContain("robots");
    expect(documents.filter((row) => statSync(findBundle(row)).size > 700_000)).toEqual([]);
    const others = documents.filter((row) =>
      /DynamoDB_20120810|TrentService/.test(readFileSync(findBundle(row), "utf8")),
    );
    expect(others.map(({ id }) => id)).toEqual([]);
  });
});

test("npm run trace finds the source lines of a stack trace from a deployed bundle", async () => {
  const alone = join(folder, "alone");
  await bundleHandler("functions/http/session.ts", alone);
  const code = readFileSync(join(alone, "functions/http/session.mjs"), "utf8");
  const before = code.slice(0, code.indexOf("The environment's ")).split("\n");
  const [line, column] = [before.length, (before.at(-1) ?? "").length + 1];
  const stack = [
    "Error: a fault of the deployment",
    `    at lt (file:///var/task/functions/http/session.mjs:${line}:${column})`,
    "    at AsyncLocalStorage.run (node:async_hooks:346:14)",
  ].join("\n");
  const source = readFileSync("functions/lib/environment.ts", "utf8").split("\n");
  const expected = source.findIndex((text) => text.includes("The environment's ")) + 1;
  const traced = execFileSync(process.execPath, ["infra/trace.ts"], { input: stack, encoding: "utf8" });
  expect(traced.split("\n")).toEqual([
    "Error: a fault of the deployment",
    expect.stringMatching(new RegExp(`^    at lt \\(functions/lib/environment\\.ts:${expected}:\\d+\\)$`)),
    "    at AsyncLocalStorage.run (node:async_hooks:346:14)",
  ]);
});
