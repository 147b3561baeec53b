import { createServer } from "node:http";
import { createServer as createHttp2Server } from "node:http2";
import { ConverseCommand } from "@aws-sdk/client-bedrock-runtime";
import { StartSyncExecutionCommand } from "@aws-sdk/client-sfn";
import { DynamoDBDocumentClient, GetCommand } from "@aws-sdk/lib-dynamodb";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import * as z from "zod";
import { makeAuditMachine } from "../../../functions/audit.asl.ts";
import { jobs } from "../../../functions/jobs.ts";
import {
  makeBedrockClient,
  makeDynamoDbClient,
  makeKmsClient,
  makeS3Client,
  makeSqsClient,
  makeStepFunctionsClient,
  readOriginSecrets,
} from "../../../functions/lib/clients.ts";
import { routes } from "../../../functions/routes.ts";
import { type StoredSecret, startSecrets } from "../../../local/secrets.ts";
import { AwsFailure, listen } from "../../../local/stand-in.ts";

beforeEach(() => {
  for (const name of ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"]) vi.stubEnv(name, "local");
  vi.stubEnv("AWS_REGION", "us-east-1");
});

const Waiting = z.object({
  connectionTimeout: z.number(),
  requestTimeout: z.number(),
  throwOnRequestTimeout: z.literal(true),
  httpsAgent: z.object({ options: z.object({ timeout: z.number() }) }),
});

/**
 * Returns two times in milliseconds: how long a handler's AWS client waits for an answer, and how long it keeps an idle connection open.
 */
async function readTimeouts({ config }: { readonly config: { readonly requestHandler: object } }) {
  return Waiting.parse(await Reflect.get(config.requestHandler, "configProvider"));
}

/** A service that leaves the first `times` requests unanswered, and answers the others with `body`. */
async function startSilentService(times: number, body = "{}") {
  let requests = 0;
  const server = createServer((request, response) => {
    request.resume();
    requests += 1;
    if (requests > times) response.setHeader("content-type", "application/x-amz-json-1.0").end(body);
  });
  const { endpoint, stop } = await listen(server);
  onTestFinished(stop);
  return { endpoint, requests: () => requests };
}

describe("a client of AWS retries within limits", () => {
  test.each([
    ["DynamoDB", makeDynamoDbClient],
    ["KMS", makeKmsClient],
    ["SQS", makeSqsClient],
    ["S3", makeS3Client],
  ])(
    "the AWS client for %s waits two seconds for an answer, and closes idle connections soon",
    async (_name, open) => {
      const client = open();
      expect(await readTimeouts(client)).toMatchObject({
        connectionTimeout: 1_000,
        requestTimeout: 2_000,
        httpsAgent: { options: { timeout: 4_000 } },
      });
      const tries = await client.config.maxAttempts();
      const shortest = [...routes, ...jobs].filter(({ access }) => access.length > 0);
      const seconds = Math.min(...shortest.map(({ timeoutSeconds }) => timeoutSeconds));
      expect(tries * 2).toBeLessThan(seconds);
    },
  );

  test("an AWS client stops retrying at its limit", async () => {
    vi.stubEnv("SDK_TIMEOUT_MS", "500");
    const { endpoint, requests } = await startSilentService(100);
    vi.stubEnv("AWS_ENDPOINT_URL_DYNAMODB", endpoint);
    const client = makeDynamoDbClient();
    onTestFinished(() => client.destroy());
    const read = DynamoDBDocumentClient.from(client).send(
      new GetCommand({ TableName: "market", Key: { pk: "x" } }),
    );
    await expect(read).rejects.toMatchObject({ name: "TimeoutError" });
    expect(requests()).toBe(4);
  });
});

test("a table read that gets no answer is retried, and ends within every function's time limit", async () => {
  const rows = [...routes, ...jobs].filter(({ access }) => access.length > 0);
  const shortest = Math.min(...rows.map(({ timeoutSeconds }) => timeoutSeconds));
  const { endpoint, requests } = await startSilentService(1);
  vi.stubEnv("AWS_ENDPOINT_URL_DYNAMODB", endpoint);
  vi.stubEnv("SDK_TIMEOUT_MS", undefined);
  vi.stubEnv("TABLE_NAME", "market");
  const { table } = await import("../../../functions/lib/runtime.ts");
  const begun = performance.now();
  const { data } = await table().entities.generation.get({ wallet: "0xaa", id: 1 }).go();
  expect([data, requests()]).toEqual([null, 2]);
  expect(performance.now() - begun).toBeLessThan(shortest * 1_000);
});

describe("the client of Step Functions sends each request once", () => {
  test("the client of Step Functions waits longer than the state machine's time limit, and stops before the endpoint's time limit", async () => {
    const { requestTimeout } = await readTimeouts(makeStepFunctionsClient({ disableHostPrefix: true }));
    expect(requestTimeout).toBeGreaterThan(makeAuditMachine(() => "").TimeoutSeconds * 1_000);
    const endpoint = routes.find(({ id }) => id === "press-audit");
    expect(requestTimeout).toBeLessThan((endpoint?.timeoutSeconds ?? 0) * 1_000);
  });

  test("the client of Step Functions starts no second execution when the answer to the first start is lost", async () => {
    let requests = 0;
    const server = createServer((request) => {
      requests += 1;
      request.socket.destroy();
    });
    const { endpoint, stop } = await listen(server);
    onTestFinished(stop);
    vi.stubEnv("AWS_ENDPOINT_URL_SFN", endpoint);
    const client = makeStepFunctionsClient({ disableHostPrefix: true });
    onTestFinished(() => client.destroy());
    const started = client.send(
      new StartSyncExecutionCommand({ stateMachineArn: "arn:aws:states:x", input: "{}" }),
    );
    await expect(started).rejects.toThrow();
    expect(requests).toBe(1);
  });
});

test("a new container skips a deleted secret of the edge, but fails if no secret is left or if a read fails for another reason", async () => {
  const makeSecret = (name: string): StoredSecret => ({
    name,
    arn: `arn:aws:secretsmanager:us-east-1:123456789012:secret:${name}-AbCdEf`,
    value: `the ${name} secret`,
  });
  const [old, renewed] = [makeSecret("old"), makeSecret("renewed")];
  let stored: readonly StoredSecret[] = [];
  let failures: string[] = [];
  const { endpoint, stop } = await startSecrets({
    secrets: () => stored,
    runBefore: () => {
      const name = failures.pop();
      if (name !== undefined) throw new AwsFailure(name, "No.");
    },
  });
  onTestFinished(stop);
  vi.stubEnv("AWS_ENDPOINT_URL_SECRETS_MANAGER", endpoint);
  vi.stubEnv("ORIGIN_SECRET_IDS", [old, renewed].map(({ arn }) => arn).join(","));
  await expect(readOriginSecrets()).rejects.toMatchObject({ code: "temporarily_unavailable", retryAfter: 2 });
  stored = [renewed];
  expect(await readOriginSecrets()).toEqual(["the renewed secret"]);
  // The value of the renewed secret is kept, so only the old secret is requested again.
  failures = ["AccessDeniedException"];
  expect(await readOriginSecrets()).toEqual(["the renewed secret"]);
  failures = ["DecryptionFailure"];
  await expect(readOriginSecrets()).rejects.toMatchObject({ code: "temporarily_unavailable" });
  stored = [old, renewed];
  expect(await readOriginSecrets()).toEqual(["the old secret", "the renewed secret"]);
});

test("each request to a model opens its own connection, so that no request uses a dead connection", async () => {
  let sessions = 0;
  const server = createHttp2Server((request, response) => {
    request.resume();
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ stopReason: "end_turn" }));
  });
  server.on("session", () => {
    sessions += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = z.object({ port: z.number() }).parse(server.address());
  vi.stubEnv("AWS_ENDPOINT_URL_BEDROCK_RUNTIME", `http://127.0.0.1:${port}`);
  const client = makeBedrockClient();
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  const ask = new ConverseCommand({ modelId: "m", messages: [{ role: "user", content: [{ text: "x" }] }] });
  for (const _ of [1, 2, 3]) await client.send(ask);
  expect(sessions).toBe(3);
});
