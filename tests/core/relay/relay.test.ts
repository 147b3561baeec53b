import { expect, test } from "vitest";
import { openChain } from "../../../core/adapter/chain.ts";
import { relay } from "../../../core/relay/index.ts";
import { relayedMethods } from "../../../core/relay/schema.ts";
import { upstream } from "./upstream.ts";

const echo = ({ method, params }: { method: string; params: readonly unknown[] }) => ({
  result: { method, params },
});
const request = (method: string, id?: unknown, params?: unknown) => ({ jsonrpc: "2.0", id, method, params });

test.each(relayedMethods)("%s is relayed with its parameters and answered under its id", async (method) => {
  const node = await upstream(echo);
  const params = ["0x01", { to: "0x02", data: "0x" }, true];
  expect(await relay(node, request(method, 7, params))).toEqual({
    jsonrpc: "2.0",
    id: 7,
    result: { method, params },
  });
  expect(node.calls).toEqual([{ method, params }]);
});

test.each([
  "eth_getLogs",
  "eth_newFilter",
  "eth_sendTransaction",
  "eth_accounts",
  "personal_sign",
  "debug_traceTransaction",
  "anvil_setBalance",
  "evm_mine",
  "ETH_CHAINID",
  "eth_chainId ",
  "__proto__",
  "",
])("%j is not available and never reaches the node", async (method) => {
  const node = await upstream(echo);
  expect(await relay(node, request(method, "a-1"))).toEqual({
    jsonrpc: "2.0",
    id: "a-1",
    error: { code: -32601, message: "Method not available through this endpoint." },
  });
  expect(node.calls).toEqual([]);
});

test.each([[0], [1.5], [-3], ["id"], [""], [null]])("the id %j comes back as it is", async (id) => {
  const node = await upstream(echo);
  expect(await relay(node, request("eth_chainId", id))).toMatchObject({ id, result: {} });
});

test.each([
  ["nothing", undefined, null],
  ["null", null, null],
  ["a number", 5, null],
  ["a text", "eth_chainId", null],
  ["no method", { jsonrpc: "2.0", id: 1 }, 1],
  ["a method that is no text", { jsonrpc: "2.0", id: "x", method: 1 }, "x"],
  ["another version", { jsonrpc: "1.0", id: 1, method: "eth_chainId" }, 1],
  ["no version", { id: 1, method: "eth_chainId" }, 1],
  ["an id of another type", { jsonrpc: "2.0", id: {}, method: "eth_chainId" }, null],
  ["parameters of another type", { jsonrpc: "2.0", id: 2, method: "eth_chainId", params: "0x" }, 2],
])("%s is an invalid request", async (_, body, id) => {
  const node = await upstream(echo);
  expect(await relay(node, body)).toMatchObject({ jsonrpc: "2.0", id, error: { code: -32600 } });
  expect(node.calls).toEqual([]);
});

test("parameters by name are refused as invalid parameters", async () => {
  const node = await upstream(echo);
  expect(await relay(node, request("eth_getBalance", 1, { address: "0x" }))).toMatchObject({
    id: 1,
    error: { code: -32602 },
  });
});

test("a call without parameters is relayed with none", async () => {
  const node = await upstream(echo);
  await relay(node, request("eth_blockNumber", 1));
  expect(node.calls).toEqual([{ method: "eth_blockNumber", params: [] }]);
});

test("a batch of 25 is answered in its order and in one round trip", async () => {
  const node = await upstream(echo);
  const ids = Array.from({ length: 25 }, (_, index) => 100 - index);
  const answers = await relay(
    node,
    ids.map((id) => request("eth_getBalance", id, [`0x${id}`])),
  );
  expect(answers).toEqual(
    ids.map((id) => ({ jsonrpc: "2.0", id, result: { method: "eth_getBalance", params: [`0x${id}`] } })),
  );
  expect(node.trips.count).toBe(1);
});

test("a batch of 26 is refused whole", async () => {
  const node = await upstream(echo);
  const batch = Array.from({ length: 26 }, (_, id) => request("eth_chainId", id));
  await expect(relay(node, batch)).rejects.toMatchObject({ kind: "input", code: "batch_too_large" });
  expect(node.calls).toEqual([]);
});

test("an empty batch is an invalid request", async () => {
  const node = await upstream(echo);
  expect(await relay(node, [])).toMatchObject({ jsonrpc: "2.0", id: null, error: { code: -32600 } });
});

test("good and bad calls of one batch are answered each for itself", async () => {
  const node = await upstream(({ method }) =>
    method === "eth_call"
      ? { error: { code: 3, message: "execution reverted", data: "0x08c379a0" } }
      : { result: "0x1" },
  );
  const batch = [
    request("eth_chainId", 1),
    request("eth_getLogs", 2),
    5,
    request("eth_call", "four", [{}]),
    request("eth_gasPrice"),
    [],
  ];
  expect(await relay(node, batch)).toEqual([
    { jsonrpc: "2.0", id: 1, result: "0x1" },
    {
      jsonrpc: "2.0",
      id: 2,
      error: { code: -32601, message: "Method not available through this endpoint." },
    },
    { jsonrpc: "2.0", id: null, error: { code: -32600, message: "Not a JSON-RPC 2.0 request." } },
    { jsonrpc: "2.0", id: "four", error: { code: 3, message: "execution reverted", data: "0x08c379a0" } },
    { jsonrpc: "2.0", id: null, error: { code: -32600, message: "Not a JSON-RPC 2.0 request." } },
  ]);
});

test("notifications are carried out and not answered", async () => {
  const node = await upstream(echo);
  expect(await relay(node, request("eth_sendRawTransaction", undefined, ["0xf8"]))).toBeUndefined();
  expect(await relay(node, [request("eth_chainId"), request("eth_getLogs")])).toBeUndefined();
  expect(node.calls.map(({ method }) => method)).toEqual(["eth_sendRawTransaction", "eth_chainId"]);
});

test.each([
  ["a revert", { code: 3, message: "execution reverted: Self-feedback not allowed", data: "0x08c379a0" }],
  ["a revert without data", { code: -32000, message: "execution reverted" }],
  ["a refusal", { code: -32000, message: "nonce too low: next nonce 5, tx nonce 4" }],
  ["a limit", { code: -32005, message: "rate limited", data: { retry: 5 } }],
  ["an error in the node", { code: -32603, message: "internal" }],
])("%s of the node comes through with code, message and data", async (_, error) => {
  const node = await upstream(() => ({ error }));
  expect(await relay(node, request("eth_call", 9, [{}]))).toEqual({ jsonrpc: "2.0", id: 9, error });
});

test.each([[null], [false], ["0x"], [[]], [{ deep: [{ number: 12.5, none: null }] }]])(
  "the result %j goes through as it is",
  async (result) => {
    const node = await upstream(() => ({ result }));
    expect(await relay(node, request("eth_getTransactionReceipt", 1))).toEqual({
      jsonrpc: "2.0",
      id: 1,
      result,
    });
  },
);

test("a node that hangs up is an internal error under the call's id", async () => {
  const node = await upstream(() => "hang up");
  expect(await relay(node, request("eth_chainId", 5))).toEqual({
    jsonrpc: "2.0",
    id: 5,
    error: { code: -32603, message: "The chain cannot be reached right now. Try again shortly." },
  });
});

test("a node that is not there is an internal error for each call of a batch", async () => {
  const batch = [request("eth_chainId", 1), request("net_version", 2)];
  expect(await relay({ chain: openChain(["http://127.0.0.1:1"]) }, batch)).toMatchObject([
    { id: 1, error: { code: -32603 } },
    { id: 2, error: { code: -32603 } },
  ]);
});

test("a signed transaction is sent once and unchanged, also when the node's answer is lost", async () => {
  const node = await upstream(() => "hang up");
  const raw = `0x02${"aB".repeat(150)}`;
  await relay(node, request("eth_sendRawTransaction", 1, [raw]));
  expect(node.calls).toEqual([{ method: "eth_sendRawTransaction", params: [raw] }]);
});

test("answers beyond four megabytes are errors under their ids", async () => {
  const node = await upstream(() => ({ result: "0".repeat(1_500_000) }));
  const batch = [1, 2, 3, 4].map((id) => request("eth_getCode", id));
  expect(await relay(node, batch)).toMatchObject([
    { id: 1, result: expect.any(String) },
    { id: 2, result: expect.any(String) },
    { id: 3, error: { code: -32005 } },
    { id: 4, error: { code: -32005 } },
  ]);
});
