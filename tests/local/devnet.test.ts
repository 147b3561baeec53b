import { once } from "node:events";
import { connect } from "node:net";
import { parseGwei } from "viem";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { getTestAccount } from "../../local/devnet/accounts.ts";
import { startTestDevnet } from "../support/devnet.ts";
import { startPart } from "../support/provide.ts";

const sender = getTestAccount(7);

const devnet = startPart(startTestDevnet);

const Reply = z.object({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.number(), z.string(), z.null()]),
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() }).optional(),
});

async function post(body: unknown): Promise<unknown> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const response = await fetch(devnet.rpcUrl, { method: "POST", body: text });
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  return response.json();
}

const makeCall = (method: string, ...params: readonly unknown[]) => ({
  jsonrpc: "2.0",
  id: 7,
  method,
  params,
});
const ask = async (method: string, ...params: readonly unknown[]) =>
  Reply.parse(await post(makeCall(method, ...params)));

function signTransfer(nonce: number): Promise<`0x${string}`> {
  return sender.signTransaction({
    chainId: 4663,
    nonce,
    to: getTestAccount(8).address,
    value: 1n,
    gas: 21_000n,
    maxFeePerGas: parseGwei("10"),
    maxPriorityFeePerGas: 1n,
  });
}

describe("the devnet's JSON-RPC behaves like the JSON-RPC of the real chain", () => {
  test("the devnet's JSON-RPC has Robinhood Chain's id, and accounts 0 to 9 of the test mnemonic", async () => {
    expect(await devnet.client.getChainId()).toBe(4663);
    expect((await ask("eth_accounts")).result).toEqual(
      Array.from({ length: 10 }, (_, index) => getTestAccount(index).address.toLowerCase()),
    );
  });

  test("the devnet's JSON-RPC sends and confirms a transaction in one call, and after the timeout answers with error 4 and the hash", async () => {
    const nonce = await devnet.client.getTransactionCount({ address: sender.address });
    const sent = await ask("eth_sendRawTransactionSync", await signTransfer(nonce));
    expect(sent.result).toMatchObject({ status: "0x1", from: sender.address.toLowerCase() });

    const gap = await ask("eth_sendRawTransactionSync", await signTransfer(nonce + 2), 60);
    expect(gap.error?.code).toBe(4);
    const filled = await ask("eth_sendRawTransactionSync", await signTransfer(nonce + 1));
    expect(filled.result).toMatchObject({ status: "0x1" });
    expect((await ask("eth_getTransactionReceipt", gap.error?.data)).result).toMatchObject({ status: "0x1" });
  });

  test("the devnet's JSON-RPC shows a transaction as pending until a block contains it, and passes on the node's refusals", async () => {
    const nonce = await devnet.client.getTransactionCount({ address: sender.address });
    const raw = await signTransfer(nonce);
    const hash = await devnet.client.sendRawTransaction({ serializedTransaction: raw });
    expect((await devnet.client.waitForTransactionReceipt({ hash })).status).toBe("success");
    expect((await ask("eth_sendRawTransaction", raw)).error?.message).toMatch(/nonce too low/);
    expect((await ask("eth_sendRawTransaction", "0x1234")).error?.code).toBe(-32602);
  });

  test("the devnet's JSON-RPC answers the calls of a batch in order", async () => {
    const batch = [
      makeCall("eth_chainId"),
      { ...makeCall("eth_unheardOf"), id: "b" },
      { ...makeCall("net_version"), id: 3 },
    ];
    const replies = z.array(Reply).parse(await post(batch));
    expect(replies.map(({ id }) => id)).toEqual([7, "b", 3]);
    expect(replies.map(({ result }) => result)).toEqual(["0x1237", undefined, "4663"]);
    expect(replies[1]?.error?.code).toBe(-32601);
  });

  test("the devnet's JSON-RPC refuses a batch of more than 20 calls as a whole, as go-ethereum and Nitro do", async () => {
    const makeBatch = (size: number) =>
      Array.from({ length: size }, (_, id) => ({ ...makeCall("eth_chainId"), id }));
    expect(await post(makeBatch(20))).toHaveLength(20);
    expect(await post(makeBatch(21))).toEqual([
      { jsonrpc: "2.0", id: 0, error: { code: -32600, message: "batch too large" } },
    ]);
  });

  test.each([
    ["10,001 blocks", { fromBlock: "0x0", toBlock: "0x2710" }, -32614],
    ["blocks without an end", { fromBlock: "0x0" }, -32614],
    ["blocks up to the latest", { fromBlock: "0x0", toBlock: "latest" }, -32614],
    ["blocks from the earliest", { fromBlock: "earliest", toBlock: "0x1" }, -32614],
    ["10,000 blocks", { fromBlock: "0x0", toBlock: "0x270f" }, undefined],
  ])(
    "the devnet's JSON-RPC gives logs of at most 10,000 blocks, and only if the request names the first and the last block: %s",
    async (_, filter, code) => {
      const { error, result } = await ask("eth_getLogs", filter);
      expect(error?.code).toBe(code);
      expect(Array.isArray(result)).toBe(code === undefined);
    },
  );

  test("the devnet's JSON-RPC refuses invalid requests, and also refuses methods whose changes a restart of the devnet could not repeat", async () => {
    expect(Reply.parse(await post("{")).error?.code).toBe(-32700);
    expect(Reply.parse(await post({ method: "eth_chainId" })).error?.code).toBe(-32600);
    for (const method of [
      "evm_snapshot",
      "evm_revert",
      "anvil_reset",
      "anvil_loadState",
      "eth_sendUnsignedTransaction",
    ])
      expect((await ask(method)).error?.code, method).toBe(-32601);
    expect((await fetch(devnet.rpcUrl)).status).toBe(405);
  });

  test("the devnet makes no block while it is idle, and makes a new block when the latest block is too old", async () => {
    const before = await devnet.client.getBlock();
    await ask("evm_increaseTime", 3600);
    expect((await ask("eth_getTransactionCount", sender.address, "latest")).error).toBeUndefined();
    const after = await devnet.client.getBlock();
    expect(after.number).toBe(before.number + 1n);
    expect(after.timestamp).toBeGreaterThanOrEqual(before.timestamp + 3600n);
    await devnet.client.mine({ blocks: 3 });
    // If a second has passed since the third block, the request for the latest block makes one more block.
    const last = await devnet.client.getBlock();
    const third = last.number - after.number === 4n ? last.number - 1n : last.number;
    expect(third - after.number).toBe(3n);
    if (third !== last.number) {
      const { timestamp } = await devnet.client.getBlock({ blockNumber: third });
      expect(last.timestamp).toBeGreaterThan(timestamp);
    }
  });

  test("if the process pauses longer than an idle connection may last, the devnet still answers a request that arrived during the pause", async () => {
    const { hostname, port } = new URL(devnet.rpcUrl);
    const socket = connect(Number(port), hostname);
    const body = JSON.stringify(makeCall("eth_chainId"));
    for (const standstillMs of [0, 1_200]) {
      socket.write(`POST / HTTP/1.1\r\nhost: devnet\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, standstillMs);
      expect(String(await once(socket, "data"))).toMatch(/^HTTP\/1\.1 200 /);
    }
    socket.destroy();
  });
});
