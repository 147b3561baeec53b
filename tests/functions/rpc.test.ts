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
  stored = await startStage({ RELAY_RPC_URL: devnet.rpcUrl });
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

test("a contract's revert is returned with the revert data", async () => {
  // Calls ownerOf for an identity that does not exist.
  const data = `0x6352211e${(1_000_000).toString(16).padStart(64, "0")}`;
  const to = "0x8004A169FB4a3325136EB29fA0ceB6D2e539a432";
  const { body } = await call(rpc, "rpc", { body: request("eth_call", 1, [{ to, data }, "latest"]) });
  expect(body).toMatchObject({ id: 1, error: { code: 3, data: expect.stringMatching(/^0x[0-9a-f]{8}/) } });
});

test("a batch that contains only notifications is answered 204 without a body", async () => {
  const answer = await call(rpc, "rpc", { body: [request("eth_chainId"), request("net_version")] });
  expect(answer).toMatchObject({ status: 204, body: undefined });
});

test("a batch of 26 calls and an empty batch are refused with 400 and a JSON-RPC error", async () => {
  const body = Array.from({ length: 26 }, (_, id) => request("eth_chainId", id));
  expect(await call(rpc, "rpc", { body })).toMatchObject({
    status: 400,
    body: {
      jsonrpc: "2.0",
      id: null,
      error: { code: -32600, message: expect.stringMatching(/^A batch may hold up to 25 calls\./) },
    },
  });
  expect(await call(rpc, "rpc", { body: [] })).toMatchObject({
    status: 400,
    body: { id: null, error: { code: -32600 } },
  });
  expect(await call(rpc, "rpc", { body: 5 })).toMatchObject({
    status: 400,
    body: { error: { code: -32600 } },
  });
});

test("invalid JSON, also in base64, and a missing body are refused with 400 and a parse error", async () => {
  const headers = { "content-type": "application/json; charset=utf-8" };
  const refusal = {
    status: 400,
    body: {
      jsonrpc: "2.0",
      id: null,
      error: { code: -32700, message: expect.stringContaining("not valid JSON") },
    },
  };
  expect(await call(rpc, "rpc", { raw: "{", headers })).toMatchObject(refusal);
  expect(await call(rpc, "rpc", { raw: "{", headers, base64: true })).toMatchObject(refusal);
  expect(await call(rpc, "rpc", { headers })).toMatchObject(refusal);
});

test("a body in base64 is read like any other body, and a call's id comes back unchanged", async () => {
  const raw = '{"jsonrpc":"2.0","id":12345678901234567890,"method":"net_version"}';
  for (const base64 of [false, true]) {
    const { text } = await call(rpc, "rpc", { raw, base64, headers: { "content-type": "application/json" } });
    expect(text).toBe('{"jsonrpc":"2.0","id":12345678901234567890,"result":"4663"}');
  }
});

test("a body of another content type is refused with 415, and a body over 256 kB with 413", async () => {
  const raw = JSON.stringify(request("eth_chainId", 1));
  for (const type of ["text/plain", "application/jsonp", ""]) {
    const answer = await call(rpc, "rpc", { raw, headers: { "content-type": type } });
    expect(answer).toMatchObject({ status: 415, body: { code: "not_json" } });
  }
  const large = request("eth_call", 1, ["0".repeat(256 * 1024)]);
  expect(await call(rpc, "rpc", { body: large })).toMatchObject({ status: 413 });
});

test("a call's JSON-RPC error has the HTTP status 200, because the HTTP request was answered", async () => {
  for (const [method, code] of [
    ["eth_getLogs", -32601],
    ["eth_sendRawTransaction", -32602],
  ] as const) {
    const answer = await call(rpc, "rpc", { body: request(method, 1) });
    expect(answer).toMatchObject({ status: 200, body: { id: 1, error: { code } } });
  }
});
