import { encodeFunctionData, maxUint256 } from "viem";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { openChain } from "../../core/adapter/chain/index.ts";
import { nodeInterfaceAbi } from "../../core/chain/abi.ts";
import { RpcError } from "../../local/devnet/node.ts";
import { makeRandomFaults, type NodeFaults, startProvider } from "../../local/devnet/provider.ts";
import { type LocalServer, makeRandomSource, suppressFaults } from "../../local/stand-in.ts";
import { openDevnetClient, startTestDevnet } from "../support/devnet.ts";
import { approve, getTestAccount, readAllowance, usdg } from "../support/payment.ts";
import { startPart } from "../support/provide.ts";

const providers: LocalServer[] = [];
const devnet = startPart(startTestDevnet);
afterAll(() => Promise.all(providers.map((provider) => provider.stop())));

async function startProviderWith(faults: Partial<NodeFaults>): Promise<string> {
  const kind = { callsPerSecond: 1_000, refusal: () => undefined, lag: () => 0 };
  const provider = await startProvider(devnet.rpcUrl, { ...kind, ...faults });
  providers.push(provider);
  return provider.endpoint;
}

function makeBatch(length: number) {
  return Array.from({ length }, (_, id) => ({ jsonrpc: "2.0", id, method: "eth_chainId", params: [] }));
}

async function post(url: string, body: unknown) {
  const response = await fetch(url, { method: "POST", body: JSON.stringify(body) });
  return { status: response.status, type: response.headers.get("content-type"), text: await response.text() };
}

test("a provider passes single and batched calls on to the node, which limits a batch to 20 calls", async () => {
  const url = await startProviderWith({});
  expect(JSON.parse((await post(url, makeBatch(1)[0])).text)).toEqual({
    jsonrpc: "2.0",
    id: 0,
    result: "0x1237",
  });
  expect(JSON.parse((await post(url, makeBatch(20))).text)).toHaveLength(20);
  expect((await post(url, makeBatch(21))).text).toContain("batch too large");
  expect((await post(url, "nonsense")).text).toContain("-32600");
});

test("a provider refuses calls above its rate with a plain-text 429, which the service treats like a missing answer", async () => {
  const url = await startProviderWith({ callsPerSecond: 15 });
  // While the clock does not advance, the provider accepts no more calls, even if a request takes long.
  const clock = vi.spyOn(performance, "now").mockReturnValue(performance.now());
  onTestFinished(() => clock.mockRestore());
  expect(await post(url, makeBatch(12))).toMatchObject({ status: 200 });
  expect(await post(url, makeBatch(12))).toEqual({
    status: 429,
    type: "text/plain",
    text: "Too Many Requests",
  });
  const calls = makeBatch(12).map(({ method, params }) => ({ method, params }));
  await expect(openChain([url]).batch(calls)).rejects.toMatchObject({ code: "chain_unavailable" });
});

test("a provider refuses some calls of a batch and answers the others", async () => {
  let asked = 0;
  const refuseSecondCall = () => (asked++ === 1 ? new RpcError(-32005, "limit exceeded") : undefined);
  const answers = JSON.parse(
    (await post(await startProviderWith({ refusal: refuseSecondCall }), makeBatch(3))).text,
  );
  expect(answers).toEqual([
    { jsonrpc: "2.0", id: 0, result: "0x1237" },
    { jsonrpc: "2.0", id: 1, error: { code: -32005, message: "limit exceeded" } },
    { jsonrpc: "2.0", id: 2, result: "0x1237" },
  ]);
});

test("the provider's lagging backend shows a receipt at once, but the state, the blocks and the logs only later, and never returns to an older state", async () => {
  let lag = 60_000;
  const late = openDevnetClient(await startProviderWith({ lag: () => lag }));
  const account = getTestAccount(7);
  const { transactionHash: hash, blockNumber } = await approve(devnet, account);
  const readLateAllowance = () => readAllowance({ client: late }, account.address);
  const readLateLogs = () => late.getLogs({ address: usdg, fromBlock: 0n, toBlock: blockNumber });
  expect((await late.getTransactionReceipt({ hash })).status).toBe("success");
  expect(await readLateAllowance()).toBe(0n);
  expect(await late.getBlockNumber({ cacheTime: 0 })).toBeLessThan(blockNumber);
  await expect(late.getBlock({ blockNumber })).rejects.toThrow("could not be found");
  await expect(late.getBalance({ address: usdg, blockNumber })).rejects.toThrow("header not found");
  const before = (await readLateLogs()).length;
  lag = 1;
  await expect.poll(readLateAllowance).toBe(maxUint256);
  expect((await readLateLogs()).length).toBe(before + 1);
  expect(await late.getBalance({ address: usdg, blockNumber })).toBe(0n);
  lag = 60_000;
  expect(await readLateAllowance()).toBe(maxUint256);
});

test("gas estimates include the gas for L1, like the estimates of a Nitro node, and NodeInterface shows the part for L1", async () => {
  const data = encodeFunctionData({
    abi: nodeInterfaceAbi,
    functionName: "gasEstimateL1Component",
    args: [usdg, false, "0x"],
  });
  const estimateGas = async (l1Gas: bigint) => {
    const client = openDevnetClient(await startProviderWith({ l1Gas: () => l1Gas }));
    const to = "0x00000000000000000000000000000000000000C8";
    const found = await client.call({ to, data });
    const from = getTestAccount(7).address;
    const gas = BigInt(await client.request({ method: "eth_estimateGas", params: [{ from, to: from }] }));
    return { gas, part: found.data === undefined ? undefined : BigInt(found.data.slice(0, 66)) };
  };
  const none = await estimateGas(0n);
  expect(none.part).toBeUndefined();
  expect(await estimateGas(400_000n)).toEqual({ gas: none.gas + 400_000n, part: 400_000n });
});

test("a rough provider never fails while its faults are turned off", () => {
  const { refusal, lag } = makeRandomFaults(suppressFaults(makeRandomSource("a seed", "chain"), () => true));
  expect(Array.from({ length: 300 }, () => [refusal(), lag([])])).toEqual(Array(300).fill([undefined, 0]));
});
