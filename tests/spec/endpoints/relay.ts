import { encodeFunctionData, keccak256, parseAbi } from "viem/utils";
import { expect } from "vitest";
import { mainnet } from "../../../core/chain/deployment.ts";
import { getTestAccount } from "../../../local/devnet/accounts.ts";
import { prove, proveEach } from "../holds.ts";
import { ask } from "../world/ask.ts";
import { makeOnce } from "../world/scene.ts";
import { chain } from "../world/service.ts";
import { makeVoter, press } from "./town.ts";

const hex = /^0x[0-9a-f]+$/;
const wallet = getTestAccount(2).address;
const { usdg } = mainnet.contracts;
const decimals = encodeFunctionData({
  abi: parseAbi(["function decimals() view returns (uint8)"]),
  functionName: "decimals",
});
const question = { to: usdg, data: decimals };

function makeRpcRequest(method: string, params: readonly unknown[] = [], id: unknown = "an id") {
  return { jsonrpc: "2.0", id, method, params };
}

async function sendToRelay(method: string, params: readonly unknown[] = []): Promise<unknown> {
  return (await ask("/api/rpc", { body: makeRpcRequest(method, params) })).body;
}

/** A transaction on the chain, and the block that contains it. */
const mined = makeOnce(async () => {
  const hash = (await press()).mintTx;
  const { blockHash } = await (await chain()).getTransactionReceipt({ hash });
  return { hash, blockHash };
});

/** A signed transfer of some wei from a new wallet; the transfer has not been sent yet. */
async function sign(value: bigint) {
  const account = await makeVoter();
  const client = await chain();
  const fees = await client.estimateFeesPerGas();
  const [nonce, gas] = [0, 50_000n];
  return account.signTransaction({ type: "eip1559", chainId: 4663, to: wallet, value, nonce, gas, ...fees });
}

type RelayedCall = readonly [method: string, params: () => Promise<readonly unknown[]>, result: unknown];
const makeNoParams = async () => [];

proveEach<RelayedCall>(
  {
    "4.5 eth_chainId": ["eth_chainId", makeNoParams, "0x1237"],
    "4.5 net_version": ["net_version", makeNoParams, "4663"],
    "4.5 eth_blockNumber": ["eth_blockNumber", makeNoParams, expect.stringMatching(hex)],
    "4.5 eth_call": ["eth_call", async () => [question, "latest"], `0x${"6".padStart(64, "0")}`],
    "4.5 eth_estimateGas": ["eth_estimateGas", async () => [question], expect.stringMatching(hex)],
    "4.5 eth_gasPrice": ["eth_gasPrice", makeNoParams, expect.stringMatching(hex)],
    "4.5 eth_maxPriorityFeePerGas": ["eth_maxPriorityFeePerGas", makeNoParams, expect.stringMatching(hex)],
    "4.5 eth_feeHistory": [
      "eth_feeHistory",
      async () => ["0x1", "latest", []],
      expect.objectContaining({ baseFeePerGas: expect.any(Array) }),
    ],
    "4.5 eth_getBalance": ["eth_getBalance", async () => [wallet, "latest"], expect.stringMatching(hex)],
    "4.5 eth_getCode": ["eth_getCode", async () => [usdg, "latest"], expect.stringMatching(/^0x.{100}/)],
    "4.5 eth_getTransactionCount": [
      "eth_getTransactionCount",
      async () => [wallet, "latest"],
      expect.stringMatching(hex),
    ],
    "4.5 eth_getTransactionByHash": [
      "eth_getTransactionByHash",
      async () => [(await mined()).hash],
      expect.objectContaining({ input: expect.stringMatching(hex) }),
    ],
    "4.5 eth_getTransactionReceipt": [
      "eth_getTransactionReceipt",
      async () => [(await mined()).hash],
      expect.objectContaining({ status: "0x1" }),
    ],
    "4.5 eth_getBlockByNumber": [
      "eth_getBlockByNumber",
      async () => ["latest", false],
      expect.objectContaining({ number: expect.stringMatching(hex) }),
    ],
    "4.5 eth_getBlockByHash": [
      "eth_getBlockByHash",
      async () => [(await mined()).blockHash, false],
      expect.objectContaining({ number: expect.stringMatching(hex) }),
    ],
    "4.5 eth_sendRawTransaction": [
      "eth_sendRawTransaction",
      async () => [await sign(1n)],
      expect.stringMatching(/^0x[0-9a-f]{64}$/),
    ],
  },
  async ([method, params, result]) => {
    expect(await sendToRelay(method, await params())).toEqual({ jsonrpc: "2.0", id: "an id", result });
  },
);

prove("4.5 JSON-RPC 2.0", async () => {
  for (const id of [7, "seven"]) {
    const { body } = await ask("/api/rpc", { body: makeRpcRequest("eth_chainId", [], id) });
    expect(body).toEqual({ jsonrpc: "2.0", id, result: `0x${(4663).toString(16)}` });
  }
});

function sendBatch(size: number) {
  return ask("/api/rpc", {
    body: Array.from({ length: size }, (_, id) => makeRpcRequest("eth_chainId", [], id)),
  });
}

proveEach<number>({ "4.5 batch": 25, "8 RPC batch size": 25 }, async (most) => {
  const { status, body } = await sendBatch(most);
  expect(status).toBe(200);
  const answers = Array.from({ length: most }, (_, id) => ({ jsonrpc: "2.0", id, result: "0x1237" }));
  expect(body).toEqual(answers);
  const longer = await sendBatch(most + 1);
  expect(longer.status).toBe(400);
  expect(longer.text).not.toContain("0x1237");
});

proveEach<readonly string[]>(
  {
    "4.5 other methods": ["eth_accounts", "eth_sendTransaction", "debug_traceTransaction", "anvil_mine", "x"],
    "4.5 eth_getLogs": ["eth_getLogs"],
    "7 -32601 rpc": ["eth_subscribe"],
  },
  async (methods) => {
    for (const method of methods) {
      expect(await sendToRelay(method)).toEqual({
        jsonrpc: "2.0",
        id: "an id",
        error: { code: -32601, message: "Method not available through this endpoint." },
      });
    }
  },
);

prove("4.5 unchanged", async () => {
  const raw = await sign(2n);
  expect(await sendToRelay("eth_sendRawTransaction", [raw])).toMatchObject({ result: keccak256(raw) });
  const client = await chain();
  const receipt = await client.waitForTransactionReceipt({ hash: keccak256(raw) });
  expect(receipt.status).toBe("success");
  expect((await client.getTransaction({ hash: keccak256(raw) })).value).toBe(2n);
});
