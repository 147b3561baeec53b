import { beforeAll, describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { makeHandler } from "../../functions/lib/endpoint.ts";
import { type Metric, type MetricName, metrics, namespace } from "../../functions/metrics.ts";
import { getPlatformAccount, platformIndexes, platformMnemonic } from "../../local/devnet/accounts.ts";
import { startPart } from "../support/provide.ts";
import { invoke } from "./lib/call.ts";
import { runEveryActivity } from "./observed/day.ts";
import { startObservedService } from "./observed/house.ts";
import { nodeKeys } from "./observed/node.ts";
import type { Line, Measurement } from "./observed/output.ts";
import { privateWords } from "./observed/press.ts";

let day: Awaited<ReturnType<typeof runEveryActivity>>;
let text: string;
let lines: readonly Line[];
let written: readonly Measurement[];
const house = startPart(startObservedService);
beforeAll(async () => {
  day = await runEveryActivity(house);
  text = house.output.readText();
  lines = house.output.listLines();
  written = house.output.listMeasurements();
});

/** The service's own secrets, without the secrets of visitors. */
function listServiceSecrets(): ReadonlyMap<string, string> {
  const { user, password, path } = nodeKeys;
  const relayerKeys = platformIndexes.relayers.map((index) => {
    const key = getPlatformAccount(index).getHdKey().privateKey ?? new Uint8Array();
    return [`key of relayer ${index}`, Buffer.from(key).toString("hex")] as const;
  });
  return new Map([
    ["the relayers' phrase", platformMnemonic],
    ["the node's user", user],
    ["the node's password", password],
    ["the node's credentials", Buffer.from(`${user}:${password}`).toString("base64")],
    ["the node's key", path],
    ["a draft's text", privateWords],
    ...relayerKeys,
    ...house.node.sent.map((raw, index) => [`raw transaction ${index}`, raw.slice(2)] as const),
  ]);
}

/** Tells whether a text contains the secret, or a part that is long enough to identify the secret. */
function containsSecret(said: string, secret: string): boolean {
  const starts = Array.from(
    { length: Math.max(1, Math.ceil((secret.length - piece) / 16)) },
    (_, at) => at * 16,
  );
  return starts.some((start) => said.includes(secret.slice(start, start + piece)));
}
const piece = 48;

describe("secrets are not logged", () => {
  test("the log contains no signature, nonce, cookie or payment header, even at its most verbose level", () => {
    const kinds = ["sign-in nonce", "sign-in signature", "cookie", "treasury header", "publisher signature"];
    for (const kind of kinds)
      expect([...day.secrets.keys()].some((name) => name.startsWith(kind))).toBe(true);
    for (const secret of day.secrets.values()) expect(secret.length).toBeGreaterThan(10);
    expect(
      [...day.secrets].filter(([, secret]) => containsSecret(text, secret)).map(([name]) => name),
    ).toEqual([]);
  });

  test("the log contains no private key, raw transaction, draft text or secret part of a node's address", () => {
    expect(house.node.sent.length).toBeGreaterThan(2);
    for (const secret of listServiceSecrets().values()) expect(secret.length).toBeGreaterThan(10);
    expect(
      [...listServiceSecrets()].filter(([, secret]) => containsSecret(text, secret)).map(([name]) => name),
    ).toEqual([]);
  });

  test("the log of the test day contains one warning for each answer with status 503", () => {
    const failures = [...day.answers].filter(([, { status }]) => status === 503);
    expect(failures.map(([name]) => name)).toEqual([
      "model down, generate",
      "model down, audit",
      "model spent, audit",
      "relayers busy",
      "pending",
      "chain down",
      "table down",
    ]);
    const warned = lines.filter(({ level, code }) => level === "WARN" && code !== undefined);
    expect(warned.map(({ requestId }) => requestId)).toEqual(failures.map(([, { requestId }]) => requestId));
  });
});

describe("the ids in the log connect related lines", () => {
  test("every log line names its function and the ids of the request, the call and the event that caused the call", () => {
    expect(lines.length).toBeGreaterThan(100);
    const said = text.split("\n").filter((line) => line !== "");
    expect(said.length).toBe(lines.length);
    const without = lines.filter((line) =>
      ["function", "requestId", "invocationId", "correlationId"].some(
        (name) => typeof line[name] !== "string",
      ),
    );
    expect(without).toEqual([]);
  });

  test("each error answer can be found in the log by the requestId in its body", () => {
    const refused = [...day.answers.values()].flatMap(({ requestId, status }) =>
      requestId === undefined ? [] : [{ requestId, status }],
    );
    expect(refused.length).toBeGreaterThan(7);
    for (const { requestId, status } of refused) {
      expect(lines.filter((line) => line.requestId === requestId)).toContainEqual(
        expect.objectContaining({ message: "Answered", status }),
      );
    }
  });

  test.each([
    ["press-audit", ["audit-facts", "audit-review", "audit-rules", "audit-store", "press-audit"]],
    ["press-minted", ["mint-confirm", "press-minted", "press-push", "verdict-post"]],
  ])(
    "the log shows which functions ran because of %s, across the state machine and the queues",
    (first, functions) => {
      const answered = lines.filter((line) => line.function === first && line.status === 200).at(-1);
      const moved = lines.filter(({ correlationId }) => correlationId === answered?.requestId);
      expect([...new Set(moved.map((line) => line.function))].sort()).toEqual(functions);
    },
  );

  test("a press can be traced in the log by its id, from the draft to the transaction on the chain", () => {
    const about = lines.filter(({ press }) => String(press) === String(day.live.id));
    expect([...new Set(about.map((line) => line.function))]).toEqual(
      expect.arrayContaining(["press-save", "press-audit", "press-minted", "mint-confirm", "verdict-post"]),
    );
  });

  test("each log line names the X-Ray trace of its call", async () => {
    vi.stubEnv(
      "_X_AMZN_TRACE_ID",
      "Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1",
    );
    await invoke(
      makeHandler("me", z.undefined(), async () => ({ statusCode: 204 })),
      "me",
    );
    vi.stubEnv("_X_AMZN_TRACE_ID", undefined);
    expect(house.output.listLines().at(-1)).toMatchObject({ traceId: "1-5759e988-bd862e3fe1be46a994272793" });
  });
});

describe("an outside error that quotes our request is logged without secrets", () => {
  const signature = `0x${"5f".repeat(65)}`;
  const rawTx = `0x02f8${"c4".repeat(180)}`;
  const header = Buffer.from(JSON.stringify({ payload: { signature } })).toString("base64");
  const nonce = "7".repeat(77);
  const secrets = [signature, rawTx, header, nonce, "v2/key-1", "Wk3xY9_token", "a draft"];

  test.each([
    [
      "in its words",
      new Error(`No: ${signature} ${nonce} at https://u:p@node.example/v2/key-1, session=Wk3xY9_token`),
    ],
    ["in its cause's", new Error("No", { cause: new TypeError(`No: ${rawTx} ${header}`) })],
    ["in those that it gathers", new AggregateError([new Error(signature), new Error(rawTx)], "No")],
    ["in its fields", Object.assign(new Error("No"), { request: { body: "a draft" }, input: signature })],
  ])("an outside error that quotes our request %s is logged without the quotation", async (_, error) => {
    const before = house.output.readText().length;
    const failing = makeHandler("rpc", z.undefined(), () => Promise.reject(error));
    expect(await invoke(failing, "rpc")).toMatchObject({ status: 500 });
    const said = house.output.readText().slice(before);
    expect(said).toContain("Unexpected error");
    expect(said).toContain("No");
    for (const secret of secrets) expect(said).not.toContain(secret);
  });

  test("hashes, addresses and ids stay in the log for diagnosis", async () => {
    const before = house.output.readText().length;
    const found = [`0x${"ab".repeat(32)}`, `0x${"cd".repeat(20)}`, "https://node.example"];
    const failing = makeHandler("rpc", z.undefined(), () => Promise.reject(new Error(found.join(" "))));
    await invoke(failing, "rpc");
    const said = house.output.readText().slice(before);
    for (const one of found) expect(said).toContain(one);
  });
});

const table: Readonly<Record<string, Metric>> = metrics;

/** Returns the sums of a metric's values for each of the metric's dimensions. */
function computeSums(name: MetricName): Readonly<Record<string, number>> {
  const found = written.filter((one) => one.name === name);
  const groups = Map.groupBy(found, ({ dimensions: { service: _, ...rest } }) =>
    Object.values(rest).join(" "),
  );
  return Object.fromEntries(
    [...groups].map(([key, all]) => [key, all.reduce((sum, { value }) => sum + value, 0)]),
  );
}

test("a test day that includes every activity of the service writes exactly the metrics in the table of metrics", () => {
  expect([...new Set(written.map(({ name }) => name))].sort()).toEqual(Object.keys(metrics).sort());
});

test("each metric is written in the unit that the table of metrics states, per dimension and in total", () => {
  for (const one of written) {
    const { unit = "Count", dimensions = [] } = table[one.name] ?? {};
    expect(one).toMatchObject({ namespace, unit });
    const expected = dimensions.length === 0 ? [["service"]] : [["service", ...dimensions], ["service"]];
    expect(one.sets).toEqual(expected);
  }
});

test("no dimension of a metric identifies a wallet, a transaction, a press or a request", () => {
  const values = new Set(written.flatMap(({ dimensions: { service: _, ...rest } }) => Object.values(rest)));
  expect(values.size).toBeLessThan(50);
  for (const value of values) expect(value).toMatch(/^([a-z0-9_.-]{1,40}|127\.0\.0\.1:\d+)$/);
  for (const value of values) expect(value).not.toMatch(/0x|[0-9a-f]{8}-/);
});

describe("on a test day that includes every activity of the service, the metrics count each event", () => {
  test.each<[MetricName, Readonly<Record<string, number>>]>([
    ["SignIn", { "": 1 }],
    ["DraftSaved", { "": 1 }],
    ["GenerationEnded", { written: 1, refunded: 1 }],
    ["AuditEnded", { approve: 1, outage: 1 }],
    ["ModelErrors", { draft: 2, audit: 2 }],
    ["Misquotes", { "": 0 }],
    ["MintRefused", { wrong_identity_uri: 1 }],
    ["MintConfirmed", { "": 1 }],
    ["WentLive", { "": 1 }],
    ["VerdictPosted", { posted: 1 }],
    ["VoteRecorded", { "": 1 }],
    ["AuditRefused", { "": 1 }],
    ["Postponed", { "": 1 }],
    ["RelayErrors", { "": 0 }],
    ["RelayedCalls", { "": 1 }],
    ["LegSettled", { fee: 1, publisher: 1 }],
    ["TextDelivered", { "": 1 }],
    ["SettlementFailed", { permit2_allowance_required: 1, released: 1 }],
    ["GasBurned", { plain: expect.any(Number) }],
    ["RelayersBusy", { "": 1 }],
    ["Defects", { "": 1 }],
    [
      "Unavailable",
      {
        audit_unavailable: 1,
        chain_unavailable: 1,
        model_budget_spent: 1,
        model_unavailable: 1,
        payments_unavailable: 1,
        settlement_pending: 1,
        temporarily_unavailable: 1,
      },
    ],
  ])("the metric %s has the values %j", (name, expected) => {
    expect(computeSums(name)).toEqual(expected);
  });

  test("each refused payment is counted by its code, and a first answer with terms is counted as payment_required", () => {
    expect(computeSums("PaymentRefused")).toEqual({
      payment_required: expect.any(Number),
      malformed_payment_header: 1,
      permit2_allowance_required: 1,
    });
  });

  test("the time of round trips is measured separately for each node's host, and unanswered round trips count as errors", () => {
    const host = new URL(house.node.endpoint).host;
    expect(computeSums("RpcTime")[host]).toBeGreaterThan(0);
    expect(Object.keys(computeSums("RpcErrors"))).toEqual([host]);
    const failed = written
      .filter(({ name, value }) => name === "RpcErrors" && value > 0)
      .map(({ line }) => line.function);
    // If the node's answer to a sent transaction is lost, the service sends the transaction once more.
    const paying = ["pay-treasury", "pay-treasury", "pay-publisher"];
    expect(failed.filter((id) => id?.startsWith("pay-"))).toEqual(paying);
    // Scheduled jobs may run while the chain is down.
    expect(failed).toContain("payment-watch");
    const answered = written.filter(({ name, value }) => name === "RpcErrors" && value === 0);
    expect(answered.length).toBeGreaterThan(10);
  });

  test("the cost of the model's tokens is counted by task, at the stage's prices", () => {
    const tokens = computeSums("ModelTokens");
    for (const task of ["audit", "draft"]) {
      const [input = 0, output = 0] = [tokens[`${task} input`], tokens[`${task} output`]];
      expect(Math.min(input, output)).toBeGreaterThan(10);
      expect(computeSums("ModelCost")[task]).toBeCloseTo((input * 0.5 + output * 1.5) / 1000, 9);
    }
  });

  test("a settlement that the node has not answered is counted as pending, and the number of settlements that each key can pay for is reported", () => {
    const findLatest = (name: MetricName) => written.filter((one) => one.name === name).at(-1)?.value;
    expect(findLatest("SettlementsUnderWay")).toBe(1);
    expect(findLatest("SettlementAge")).toBeGreaterThan(0);
    expect(findLatest("SettledNotDelivered")).toBe(0);
    const relayers = new Set(
      written.flatMap(({ name, dimensions }) => (name === "RelayerRunway" ? [dimensions.relayer] : [])),
    );
    expect([...relayers]).toEqual(["0", "1", "2", "3", "4", "5", "6", "7"]);
    expect(findLatest("AuditorRunway")).toBeGreaterThan(100);
  });

  test("each metric is written in the log line of its event, together with the ids of the call", () => {
    for (const { line } of written) expect(line.requestId).toEqual(expect.any(String));
    const live = written.find(({ name }) => name === "WentLive")?.line;
    expect(live).toMatchObject({ function: "mint-confirm", press: "1" });
  });
});
