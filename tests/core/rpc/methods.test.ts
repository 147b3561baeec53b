import { describe, expect, test } from "vitest";
import { allowedMethods } from "../../../core/rpc/schema.ts";
import { findDeadEndpoint, startUpstream, type UpstreamCall } from "../adapter/upstream.ts";
import { makeRequest, openRelayDesk, sign, transfer } from "./desk.ts";

const echo = ({ method, params }: UpstreamCall) => ({ result: { method, params } });

test("the allowed RPC methods are those of the specification, and no others", () => {
  expect(allowedMethods.toSorted()).toEqual(
    `eth_chainId, net_version, eth_blockNumber, eth_call, eth_estimateGas, eth_gasPrice, eth_maxPriorityFeePerGas,
     eth_feeHistory, eth_getBalance, eth_getCode, eth_getTransactionCount, eth_getTransactionByHash,
     eth_getTransactionReceipt, eth_getBlockByNumber, eth_getBlockByHash, eth_sendRawTransaction`
      .split(/,\s+/)
      .toSorted(),
  );
});

test.each([
  "eth_getLogs",
  "eth_newFilter",
  "eth_subscribe",
  "eth_sendTransaction",
  "eth_sendRawTransactionSync",
  "eth_accounts",
  "personal_sign",
  "debug_traceTransaction",
  "anvil_setBalance",
  "evm_mine",
  "ETH_CHAINID",
  "eth_chainId ",
  "__proto__",
  "constructor",
  "",
])("the method %j is refused as unavailable and never reaches the node", async (method) => {
  const node = await startUpstream(echo);
  for (const params of [undefined, [], ["0x"], { address: "0x" }]) {
    expect(await openRelayDesk([node]).ask(makeRequest(method, "a-1", params))).toEqual({
      jsonrpc: "2.0",
      id: "a-1",
      error: { code: -32601, message: "Method not available through this endpoint." },
    });
  }
  expect(node.calls).toEqual([]);
});

test("only the last of two JSON members with the same name is checked and sent", async () => {
  const node = await startUpstream(echo);
  const { text } = openRelayDesk([node]);
  const sendTwoMethods = (first: string, last: string) =>
    text(`{"jsonrpc":"2.0","id":1,"method":"${first}","params":[],"method":"${last}"}`);
  expect(await sendTwoMethods("eth_gasPrice", "eth_getLogs")).toMatchObject({
    body: { error: { code: -32601 } },
  });
  expect(node.calls).toEqual([]);
  await sendTwoMethods("eth_getLogs", "eth_gasPrice");
  expect(node.calls).toEqual([{ method: "eth_gasPrice", params: [] }]);
});

describe("some calls are answered from the relay's memory", () => {
  test("the chain's id and the network's version are answered without asking the chain", async () => {
    const { ask } = openRelayDesk([await findDeadEndpoint()]);
    expect(await ask([makeRequest("eth_chainId", 1), makeRequest("net_version", 2, [])])).toEqual([
      { jsonrpc: "2.0", id: 1, result: "0x1237" },
      { jsonrpc: "2.0", id: 2, result: "4663" },
    ]);
  });

  const hash = `0x${"aB".repeat(32)}`;
  const block = { hash: hash.toLowerCase(), number: "0x7", transactions: [] };

  test("a block with a given hash is fetched once with its full transactions and once without them", async () => {
    const node = await startUpstream(() => ({ result: block }));
    const { ask } = openRelayDesk([node]);
    const one = makeRequest("eth_getBlockByHash", 1, [hash, false]);
    for (let time = 0; time < 3; time += 1) expect(await ask(one)).toMatchObject({ result: block });
    expect(node.calls).toHaveLength(1);
    await ask(makeRequest("eth_getBlockByHash", 1, [hash, true]));
    expect(node.calls).toHaveLength(2);
  });

  test.each([
    ["that the node does not know yet", null],
    ["that is not the one asked for", { ...block, hash: `0x${"00".repeat(32)}` }],
    ["that is very large", { ...block, transactions: ["0".repeat(70_000)] }],
  ])("a block %s is fetched again when the same hash is requested again", async (_, result) => {
    const node = await startUpstream(() => ({ result }));
    const { ask } = openRelayDesk([node]);
    for (let time = 0; time < 2; time += 1) await ask(makeRequest("eth_getBlockByHash", 1, [hash, false]));
    expect(node.calls).toHaveLength(2);
  });

  test("a request for the newest block is never answered from memory, because the block changes every tenth of a second", async () => {
    let number = 6;
    const node = await startUpstream(() => ({ result: `0x${(number++).toString(16)}` }));
    const { ask } = openRelayDesk([node]);
    expect(await ask(makeRequest("eth_blockNumber", 1))).toMatchObject({ result: "0x6" });
    expect(await ask(makeRequest("eth_blockNumber", 1))).toMatchObject({ result: "0x7" });
  });

  test("an RPC call that appears twice in one batch is sent once and answered twice", async () => {
    const node = await startUpstream(echo);
    const answers = await openRelayDesk([node]).ask([
      makeRequest("eth_blockNumber", 1),
      makeRequest("eth_getBalance", 2, ["0x01"]),
      makeRequest("eth_blockNumber", 3, []),
      makeRequest("eth_getBalance", 4, ["0x02"]),
    ]);
    expect(node.calls).toHaveLength(3);
    expect(answers).toMatchObject([
      { id: 1, result: { method: "eth_blockNumber" } },
      { id: 2, result: { params: ["0x01"] } },
      { id: 3, result: { method: "eth_blockNumber" } },
      { id: 4, result: { params: ["0x02"] } },
    ]);
  });
});

describe("the parameters of a call are checked", () => {
  test("parameters that are given by name are refused as invalid", async () => {
    const node = await startUpstream(echo);
    const answer = await openRelayDesk([node]).ask(makeRequest("eth_getBalance", 1, { address: "0x" }));
    expect(answer).toMatchObject({ id: 1, error: { code: -32602 } });
    expect(node.calls).toEqual([]);
  });

  test("the parameters of a call with overrides of state and block are passed on unchanged", async () => {
    const node = await startUpstream(echo);
    const params = [
      { to: "0x01", data: "0x", accessList: [{ address: "0x02", storageKeys: ["0x03"] }] },
      { blockHash: `0x${"11".repeat(32)}`, requireCanonical: true },
      {
        "0x01": { balance: "0x1", code: "0x60", stateDiff: { "0x00": "0x01" } },
        ["__proto__"]: { nonce: "0x1" },
      },
      { number: "0x10" },
    ];
    await openRelayDesk([node]).ask(makeRequest("eth_call", 1, params));
    const [transaction, ...others] = params;
    const bounded = { ...transaction, gas: "0x4c4b40" };
    expect(node.calls).toEqual([{ method: "eth_call", params: [bounded, ...others] }]);
  });

  test.each([
    ["less", { to: "0x01", gas: "0x5208" }, { to: "0x01", gas: "0x5208" }],
    ["as much", { gas: "0x4c4b40" }, { gas: "0x4c4b40" }],
    ["more", { gas: "0x4c4b41", to: "0x01" }, { to: "0x01", gas: "0x4c4b40" }],
    ["more than a double holds", { gas: `0x${"f".repeat(40)}` }, { gas: "0x4c4b40" }],
    ["a number", { gas: 30_000_000 }, { gas: "0x4c4b40" }],
    ["decimal text", { gas: "30000000" }, { gas: "0x4c4b40" }],
    ["null", { gas: null }, { gas: "0x4c4b40" }],
    ["none", {}, { gas: "0x4c4b40" }],
    // Go's encoding/json accepts a member name in any casing, and uses the last of several members with the same name.
    ["more in capitals", { gas: "0x1", GAS: "0x1c9c380" }, { GAS: "0x1c9c380", gas: "0x1" }],
  ])("the gas of a call is capped at five million units: %s", async (_, given, carried) => {
    for (const method of ["eth_call", "eth_estimateGas"]) {
      const node = await startUpstream(echo);
      await openRelayDesk([node]).ask(makeRequest(method, 1, [given, "latest"]));
      expect(JSON.stringify(node.calls)).toBe(JSON.stringify([{ method, params: [carried, "latest"] }]));
    }
  });

  test.each([
    ["0x400", true],
    [1024, true],
    ["4", true],
    ["0x401", false],
    [1025, false],
    ["1e9", false],
    [0, false],
    [-1, false],
    [1.5, false],
    [null, false],
  ])("a request of eth_feeHistory for %j blocks is relayed as: %j", async (blocks, relayed) => {
    const node = await startUpstream(echo);
    const answer = await openRelayDesk([node]).ask(
      makeRequest("eth_feeHistory", 1, [blocks, "latest", [25, 75]]),
    );
    expect(answer).toMatchObject(relayed ? { result: {} } : { id: 1, error: { code: -32602 } });
    expect(node.calls).toHaveLength(relayed ? 1 : 0);
  });

  test("the parameters of eth_feeHistory may omit percentiles, and may have a hundred percentiles at most", async () => {
    const node = await startUpstream(echo);
    const { ask } = openRelayDesk([node]);
    expect(await ask(makeRequest("eth_feeHistory", 1, ["0x4", "latest"]))).toMatchObject({ result: {} });
    const many = Array.from({ length: 101 }, (_, index) => index / 2);
    expect(await ask(makeRequest("eth_feeHistory", 1, ["0x4", "latest", many]))).toMatchObject({
      error: { code: -32602 },
    });
  });

  test("parameters that are nested more deeply than the limit are refused, whether they exceed it slightly or are a hundred thousand levels deep", async () => {
    const node = await startUpstream(echo);
    const { text } = openRelayDesk([node]);
    const sendNested = (depth: number) =>
      text(`{"jsonrpc":"2.0","id":1,"method":"eth_call","params":${"[".repeat(depth)}${"]".repeat(depth)}}`);
    expect(await sendNested(16)).toMatchObject({ kind: "answered", body: { result: {} } });
    expect(await sendNested(18)).toMatchObject({ body: { id: 1, error: { code: -32602 } } });
    expect(await sendNested(100_000)).toMatchObject({ body: { id: null, error: { code: -32700 } } });
    expect(node.calls).toHaveLength(1);
  });
});

test("a JSON-RPC notification gets no answer; the relay sends a notification with a transaction to the node, and drops a notification that only reads", async () => {
  const node = await startUpstream(echo);
  const { ask } = openRelayDesk([node]);
  const raw = await sign(transfer);
  expect(await ask(makeRequest("eth_sendRawTransaction", undefined, [raw]))).toBeUndefined();
  expect(
    await ask([
      makeRequest("eth_gasPrice"),
      makeRequest("eth_getLogs"),
      makeRequest("eth_call", undefined, {}),
    ]),
  ).toBeUndefined();
  expect(new Set(node.calls.map(({ method }) => method))).not.toContain("eth_gasPrice");
  expect(node.calls[0]).toEqual({ method: "eth_sendRawTransaction", params: [raw] });
});
