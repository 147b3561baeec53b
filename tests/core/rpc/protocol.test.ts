import { describe, expect, test } from "vitest";
import * as z from "zod";
import { findDeadEndpoint, startUpstream, type UpstreamCall } from "../adapter/upstream.ts";
import { makeRequest, openRelayDesk } from "./desk.ts";

const echo = ({ method, params }: UpstreamCall) => ({ result: { method, params } });
const failIfAsked = () => {
  throw new Error("The node was asked");
};

describe("the id of a request comes back in its answer", () => {
  test.each([
    "0",
    "1.5",
    "-3",
    "-0",
    "1.0",
    "1e2",
    "1E+2",
    "9007199254740993",
    "123456789012345678901234567890",
    "0.1000000000000000055511151231257827",
    "null",
    '""',
    '"id"',
    '"\\ud83d\\ude00"',
    '"0x1"',
  ])("the id of a request comes back exactly as it was written: %s", async (id) => {
    const { text } = openRelayDesk([await startUpstream(echo)]);
    for (const method of ["eth_chainId", "eth_gasPrice", "eth_getLogs"]) {
      const relayed = await text(`{"jsonrpc":"2.0","id":${id},"method":"${method}"}`);
      const written = JSON.stringify(relayed.kind === "nothing" ? undefined : relayed.body);
      expect(written).toContain(`"id":${id === '"\\ud83d\\ude00"' ? '"😀"' : id},`);
    }
  });

  test("each call of a batch gets its own answer, even if several calls have the same id", async () => {
    const answers = await openRelayDesk([await startUpstream(echo)]).ask([
      makeRequest("eth_getBalance", 1, ["0x01"]),
      makeRequest("eth_getBalance", 1, ["0x02"]),
      makeRequest("eth_getBalance", "1", ["0x03"]),
    ]);
    expect(answers).toMatchObject([
      { id: 1, result: { params: ["0x01"] } },
      { id: 1, result: { params: ["0x02"] } },
      { id: "1", result: { params: ["0x03"] } },
    ]);
  });

  test("numbers in parameters reach the node with exactly the digits of the request", async () => {
    const node = await startUpstream(echo);
    const { text } = openRelayDesk([node]);
    await text(
      '{"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["0x01",9007199254740993,{"n":1.0}]}',
    );
    expect(node.bodies).toEqual([
      '{"jsonrpc":"2.0","id":0,"method":"eth_getBalance","params":["0x01",9007199254740993,{"n":1.0}]}',
    ]);
  });
});

test.each([
  ["null", null, null],
  ["a number", 5, null],
  ["a text", "eth_chainId", null],
  ["an empty object", {}, null],
  ["no method", { jsonrpc: "2.0", id: 1 }, 1],
  ["a method that is no text", { jsonrpc: "2.0", id: "x", method: 1 }, "x"],
  ["another version", { jsonrpc: "1.0", id: 1, method: "eth_chainId" }, 1],
  ["no version", { id: 1, method: "eth_chainId" }, 1],
  ["an id of another type", { jsonrpc: "2.0", id: {}, method: "eth_chainId" }, null],
  ["an id that is true", { jsonrpc: "2.0", id: true, method: "eth_chainId" }, null],
  ["parameters of another type", { jsonrpc: "2.0", id: 2, method: "eth_chainId", params: "0x" }, 2],
])(
  "an invalid request is answered with an error, and the error has the request's id if this id is valid: %s",
  async (_, body, id) => {
    const { text, ask } = openRelayDesk([await startUpstream(failIfAsked)]);
    const refusal = { jsonrpc: "2.0", id, error: { code: -32600, message: "Not a JSON-RPC 2.0 request." } };
    expect(await text(JSON.stringify(body))).toEqual({ kind: "refused", body: refusal });
    expect(await ask([body])).toEqual([refusal]);
  },
);

test("an empty batch is answered as an invalid request", async () => {
  expect(await openRelayDesk([await startUpstream(failIfAsked)]).text("[]")).toMatchObject({
    kind: "refused",
    body: { jsonrpc: "2.0", id: null, error: { code: -32600 } },
  });
});

test("a batch of 25 requests is answered in order, and goes to the node in two batches of at most 20 calls", async () => {
  const node = await startUpstream(echo);
  const ids = Array.from({ length: 25 }, (_, index) => 100 - index);
  const answers = await openRelayDesk([node]).ask(
    ids.map((id) => makeRequest("eth_getBalance", id, [`0x${id}`])),
  );
  expect(answers).toEqual(
    ids.map((id) => ({ jsonrpc: "2.0", id, result: { method: "eth_getBalance", params: [`0x${id}`] } })),
  );
  expect(node.bodies.map((body) => z.array(z.unknown()).parse(JSON.parse(body)).length)).toEqual([20, 5]);
});

test("valid and invalid calls of one batch are answered separately", async () => {
  const node = await startUpstream(({ method }) =>
    method === "eth_call"
      ? { error: { code: 3, message: "execution reverted", data: "0x08c379a0" } }
      : { result: "0x1" },
  );
  const invalid = {
    jsonrpc: "2.0",
    id: null,
    error: { code: -32600, message: "Not a JSON-RPC 2.0 request." },
  };
  const batch = [
    makeRequest("eth_gasPrice", 1),
    makeRequest("eth_getLogs", 2),
    5,
    makeRequest("eth_call", "four", [{}]),
    makeRequest("eth_gasPrice"),
    [],
  ];
  expect(await openRelayDesk([node]).ask(batch)).toEqual([
    { jsonrpc: "2.0", id: 1, result: "0x1" },
    {
      jsonrpc: "2.0",
      id: 2,
      error: { code: -32601, message: "Method not available through this endpoint." },
    },
    invalid,
    { jsonrpc: "2.0", id: "four", error: { code: 3, message: "execution reverted", data: "0x08c379a0" } },
    invalid,
  ]);
});

describe("the node's answer is passed on to the caller", () => {
  test.each([
    ["a revert", { code: 3, message: "execution reverted: Self-feedback not allowed", data: "0x08c379a0" }],
    ["a revert without data", { code: -32000, message: "execution reverted" }],
    ["a refusal", { code: -32000, message: "nonce too low: next nonce 5, tx nonce 4" }],
    ["a limit", { code: -32005, message: "rate limited", data: { retry: 5 } }],
    ["an error in the node", { code: -32603, message: "internal" }],
  ])("a node's %s is passed on with code, message and data", async (_, error) => {
    const { ask } = openRelayDesk([await startUpstream(() => ({ error }))]);
    expect(await ask(makeRequest("eth_call", 9, [{}]))).toEqual({ jsonrpc: "2.0", id: 9, error });
  });

  test.each([[null], [false], ["0x"], [[]], [{ deep: [{ number: 12.5, none: null }] }]])(
    "a node's result %j is returned unchanged",
    async (result) => {
      const { ask } = openRelayDesk([await startUpstream(() => ({ result }))]);
      const answer = await ask(makeRequest("eth_getTransactionReceipt", 1));
      expect(answer).toEqual({ jsonrpc: "2.0", id: 1, result });
    },
  );

  test("each call of a request gets an internal error with its id when the node does not answer", async () => {
    const error = { code: -32603, message: "The chain cannot be reached right now. Try again shortly." };
    for (const node of [await startUpstream(() => "hang up"), await findDeadEndpoint()]) {
      expect(
        await openRelayDesk([node]).ask([makeRequest("eth_gasPrice", 5), makeRequest("eth_chainId", 6)]),
      ).toEqual([
        { jsonrpc: "2.0", id: 5, error },
        { jsonrpc: "2.0", id: 6, result: "0x1237" },
      ]);
    }
  });

  test("if the answers of a batch exceed four megabytes in total, the remaining calls get errors with their ids, and a letter that takes three bytes counts as three bytes", async () => {
    const { ask } = openRelayDesk([await startUpstream(() => ({ result: "字".repeat(500_000) }))]);
    const batch = [1, 2, 3, 4].map((id) => makeRequest("eth_getCode", id, [`0x${id}`]));
    expect(await ask(batch)).toMatchObject([
      { id: 1, result: expect.any(String) },
      { id: 2, result: expect.any(String) },
      { id: 3, error: { code: -32005 } },
      { id: 4, error: { code: -32005 } },
    ]);
  });

  test("the size limit for answers also applies to a single call, such as a call for a block with all its transactions", async () => {
    const { ask } = openRelayDesk([
      await startUpstream(() => ({ result: { transactions: ["0".repeat(5_000_000)] } })),
    ]);
    expect(await ask(makeRequest("eth_getBlockByNumber", 1, ["latest", true]))).toEqual({
      jsonrpc: "2.0",
      id: 1,
      error: { code: -32005, message: "The answer is too large. Ask for less in one request." },
    });
  });
});
