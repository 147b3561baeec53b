import { afterAll, beforeAll, expect, test } from "vitest";
import { handler as rpc } from "../../functions/http/rpc.ts";
import { startTestDevnet, type TestDevnet } from "../support/devnet.ts";
import type { TestTable } from "../support/table.ts";
import { call } from "./lib/call.ts";
import { startStage } from "./lib/stage.ts";

let devnet: TestDevnet;
let stored: TestTable;

beforeAll(async () => {
  devnet = await startTestDevnet();
  stored = await startStage({ CHAIN_RPC_URL: devnet.rpcUrl });
});
afterAll(async () => {
  await stored.stop();
  await devnet.stop();
});

const request = (method: string, id?: unknown, params: unknown[] = []) => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});

test("the chain answers through us, for any site", async () => {
  const headers = { origin: "https://wallet.example" };
  const answer = await call(rpc, "rpc", { headers, body: request("eth_chainId", "one") });
  expect(answer).toMatchObject({
    status: 200,
    headers: { "cache-control": "no-store" },
    body: { jsonrpc: "2.0", id: "one", result: "0x1237" },
  });
});

test("a batch is answered in its order", async () => {
  const { body } = await call(rpc, "rpc", {
    body: [request("net_version", 2), request("eth_getLogs", 1, [{}]), request("eth_chainId", 0)],
  });
  expect(body).toEqual([
    { jsonrpc: "2.0", id: 2, result: "4663" },
    {
      jsonrpc: "2.0",
      id: 1,
      error: { code: -32601, message: "Method not available through this endpoint." },
    },
    { jsonrpc: "2.0", id: 0, result: "0x1237" },
  ]);
});

test("a revert of the chain comes through with its data", async () => {
  // ownerOf of an identity that nobody has minted.
  const data = `0x6352211e${(1_000_000).toString(16).padStart(64, "0")}`;
  const to = "0x8004A169FB4a3325136EB29fA0ceB6D2e539a432";
  const { body } = await call(rpc, "rpc", { body: request("eth_call", 1, [{ to, data }, "latest"]) });
  expect(body).toMatchObject({ id: 1, error: { code: 3, data: expect.stringMatching(/^0x[0-9a-f]{8}/) } });
});

test("notifications alone are answered 204 without a body", async () => {
  const answer = await call(rpc, "rpc", { body: [request("eth_chainId"), request("net_version")] });
  expect(answer).toMatchObject({ status: 204, body: undefined });
});

test("26 calls are 400, and an empty batch a JSON-RPC error", async () => {
  const body = Array.from({ length: 26 }, (_, id) => request("eth_chainId", id));
  expect(await call(rpc, "rpc", { body })).toMatchObject({ status: 400, body: { code: "batch_too_large" } });
  expect(await call(rpc, "rpc", { body: [] })).toMatchObject({
    status: 200,
    body: { id: null, error: { code: -32600 } },
  });
});

test("malformed JSON is 400", async () => {
  const answer = await call(rpc, "rpc", { raw: "{", headers: { "content-type": "application/json" } });
  expect(answer).toMatchObject({ status: 400, body: { code: "malformed_json" } });
});
