import type { HDAccount } from "viem/accounts";
import { encodeFunctionData } from "viem/utils";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { systemClock } from "../../core/adapter/system.ts";
import { erc20Abi } from "../../core/chain/abi.ts";
import { lower } from "../../core/chain/hex.ts";
import type { RpcRequest } from "../../local/devnet/node.ts";
import { type NodeFaults, startProvider } from "../../local/devnet/provider.ts";
import type { LocalServer } from "../../local/stand-in.ts";
import { publishDemoPress } from "../support/demo-press.ts";
import { openDevnetClient } from "../support/devnet.ts";
import { type NodeProxy, startNodeProxy } from "../support/door.ts";
import { makeHttpClient } from "../support/http-payer.ts";
import { approve, encodeTransfer, getTestAccount, permit2, usdg } from "../support/payment.ts";
import { startPart } from "../support/provide.ts";
import { startTestService } from "../support/service.ts";
import { giveUsdg, makeAccount } from "../support/wallets.ts";

/**
 * A node may show an approval several seconds after the approval's receipt. The service therefore waits only if a wallet seems to lack the
 * balance or approval for a payment, and a recent change of this balance or approval is known. A wallet without money must not
 * cause waits. In the past, requests from 25 IP addresses occupied all concurrent runs of the function `pay-treasury` for three seconds
 * each.
 */
let provider: LocalServer;
let door: NodeProxy;
let pressId: number;
/** The milliseconds for which the service waits for a node that lags, and the milliseconds of one pause in this wait. */
const longestWait = 10_000;
const lookPause = 1_500;
const slept = vi.spyOn(systemClock, "sleep");
let node: string;
let readLag: NodeFaults["lag"] = () => 0;

const service = startPart(() =>
  startTestService({
    environment: { STATE_LAG_MS: String(longestWait) },
    detours: {
      async chain(endpoint) {
        node = endpoint;
        const faults = {
          callsPerSecond: 10_000,
          refusal: () => undefined,
          lag: (calls: readonly RpcRequest[]) => readLag(calls),
        };
        provider = await startProvider(node, faults);
        door = await startNodeProxy(provider.endpoint);
        return door.endpoint;
      },
      // In this test the RPC relay has its own node, which is not the payments' node.
      relay: async () => node,
    },
  }),
);
beforeAll(async () => {
  ({ pressId } = await publishDemoPress(service));
  // Each process asks its node once for the chain's id.
  await payFee(makeAccount());
});
afterEach(() => {
  readLag = () => 0;
});
afterAll(async () => {
  slept.mockRestore();
  await door.stop();
  await provider.stop();
});

/** A client that reaches the chain through the public RPC relay. */
const openRelayClient = () => ({ client: openDevnetClient(`${service.origin}/api/rpc`) });

async function fundWallet(to: HDAccount, dollars: bigint): Promise<void> {
  await giveEther(to);
  await giveUsdg(service, to.address, dollars);
}

/** Approves Permit2 through our RPC relay, which sends the approval and shows its receipt to a program that knows no other node. */
async function approveByRelay(account: HDAccount, amount = 10_000_000n): Promise<`0x${string}`> {
  const { client } = openRelayClient();
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [permit2, amount] });
  const hash = await client.sendTransaction({ account, to: usdg, data });
  expect(await client.waitForTransactionReceipt({ hash })).toMatchObject({ status: "success" });
  return hash;
}

/** Sends USDG to the account through our RPC relay, which shows the transfer's receipt. */
async function receiveByRelay({ address }: HDAccount): Promise<void> {
  const { client } = openRelayClient();
  const data = encodeTransfer(address, 1_000_000n);
  const hash = await client.sendTransaction({ account: getTestAccount(0), to: usdg, data });
  await client.waitForTransactionReceipt({ hash });
}

/** The batches that check payments. The node also gets calls of the service's jobs, for example for the verdict on the press. */
const listChecks = () =>
  door.takeMethods().filter((batch) => batch.includes("eth_estimateGas") && batch.includes("eth_getCode"));

/** The number of pauses in which the service waited for a node. */
const countPauses = () => slept.mock.calls.filter(([milliseconds]) => milliseconds === lookPause).length;

/** Sends one payment of the fee. Returns the node calls and pauses that the payment took. */
async function payFee(account: HDAccount, header?: string) {
  const http = makeHttpClient(service.origin);
  const signed = header ?? (await http.signed(account, "treasury", pressId)).header;
  door.takeMethods();
  slept.mockClear();
  const answer = await http.pay("treasury", pressId, signed);
  const batches = listChecks();
  return { answer, pauses: countPauses(), batches: batches.length, calls: batches.flat().length };
}

async function signEip3009Header(account: HDAccount): Promise<string> {
  return (await makeHttpClient(service.origin).signTransfer(account, "treasury", pressId)).header;
}

const makeRefusal = (code: string) => ({ status: 402, body: { code } });

/**
 * Expects that a request makes no pause, and makes no more node calls than two checks need. The second check is made at another node. A
 * payment that waits until the node shows the wallet's balance or approval would make more than two checks.
 */
function expectNoWait({ batches, calls, pauses }: Awaited<ReturnType<typeof payFee>>): void {
  expect({ batches, calls, pauses }).toEqual({
    batches: expect.toSatisfy((count) => count <= 2),
    calls: expect.toSatisfy((count) => count <= 26),
    pauses: 0,
  });
}

describe("the service does not wait for a wallet if no recent change of its balance or approval is known", () => {
  test("a wallet without USDG, ETH or approval makes no request wait, even if it asks again and again", async () => {
    const account = makeAccount();
    const { header } = await makeHttpClient(service.origin).signed(account, "treasury", pressId);
    for (let repeat = 0; repeat < 3; repeat += 1) {
      const asked = await payFee(account, header);
      expect(asked.answer).toMatchObject(makeRefusal("permit2_insufficient_balance"));
      expectNoWait(asked);
    }
  });

  test("a wallet without USDG that signs by EIP-3009 causes no wait", async () => {
    const account = makeAccount();
    const asked = await payFee(account, await signEip3009Header(account));
    expect(asked.answer).toMatchObject(makeRefusal("invalid_exact_evm_insufficient_balance"));
    expectNoWait(asked);
  });

  test("a wallet that has USDG but has never approved Permit2 causes no wait", async () => {
    const account = makeAccount();
    await fundWallet(account, 1_000_000n);
    const asked = await payFee(account);
    expect(asked.answer).toMatchObject(makeRefusal("permit2_allowance_required"));
    expectNoWait(asked);
  });

  test("a wallet's approval causes no wait if the node already shows the approval's block, even if the wallet requests the receipt again and again", async () => {
    const account = makeAccount();
    await service.client.setBalance({ address: account.address, value: 10n ** 18n });
    const hash = await approveByRelay(account);
    for (let repeat = 0; repeat < 3; repeat += 1) {
      await openRelayClient().client.getTransactionReceipt({ hash });
      const asked = await payFee(account);
      expect(asked.answer).toMatchObject(makeRefusal("permit2_insufficient_balance"));
      expectNoWait(asked);
    }
  });
});

/** Makes the node show the present state, and show newer blocks only after the service has waited once. */
async function holdBackNewBlocks(): Promise<void> {
  readLag = () => 1;
  await payFee(makeAccount());
  readLag = () => (countPauses() > 0 ? 1 : 60_000);
}

describe("the node shows a new state later than the receipt of the transaction", () => {
  test("the service waits for a wallet whose approval our RPC relay has shown, and the wallet's payment succeeds", async () => {
    const account = makeAccount();
    await fundWallet(account, 1_000_000n);
    await holdBackNewBlocks();
    await approveByRelay(account);
    const { answer, pauses } = await payFee(account);
    expect(answer).toMatchObject({ status: 200, body: { paid: true } });
    expect(pauses).toBeGreaterThan(0);
  });

  test("if a wallet has just received USDG and our RPC relay has shown the transfer, the service waits for the wallet", async () => {
    const account = makeAccount();
    await approve(service, await giveEther(account));
    await holdBackNewBlocks();
    await receiveByRelay(account);
    expect((await payFee(account)).answer).toMatchObject({ status: 200, body: { paid: true } });
  });

  test("if a node answers the calls of one request from the states of different blocks, the service asks again, and the payment succeeds", async () => {
    const account = makeAccount();
    await approve(service, await giveEther(account));
    await receiveByRelay(account);
    // The first two simulations of the payment use an old state without the wallet's money. All other answers of the node use the new
    // state, which contains the wallet's money.
    let old = 2;
    readLag = ([call]) => (call?.method === "eth_estimateGas" && old-- > 0 ? 60_000 : 0);
    expect((await payFee(account)).answer).toMatchObject({ status: 200, body: { paid: true } });
  });

  test("if a node shows the block of the wallet's last change, a payment whose simulation keeps failing causes no wait", async () => {
    const account = makeAccount();
    await approve(service, await giveEther(account));
    await receiveByRelay(account);
    readLag = ([call]) => (call?.method === "eth_estimateGas" ? 60_000 : 0);
    const { answer, pauses, batches } = await payFee(account);
    expect(answer).toMatchObject(makeRefusal("permit2_simulation_failed"));
    expect({ batches, pauses }).toEqual({ batches: 3, pauses: 0 });
  });

  test("if a wallet still lacks balance or approval, the service waits a few times for each transaction of the wallet, not with every request", async () => {
    const account = makeAccount();
    await service.client.setBalance({ address: account.address, value: 10n ** 18n });
    // A node that is stuck never shows the block of this approval.
    readLag = () => 60_000;
    await approveByRelay(account);
    const { header } = await makeHttpClient(service.origin).signed(account, "treasury", pressId);
    door.takeMethods();
    slept.mockClear();
    const http = makeHttpClient(service.origin);
    let requests = 0;
    const askUntilAnswered = async (): Promise<number> => {
      requests += 1;
      const { status } = await http.pay("treasury", pressId, header);
      // On a busy machine, the node may need longer for the calls of all requests than the service waits for a node.
      return status === 503 && requests < 100 ? askUntilAnswered() : status;
    };
    const statuses = await Promise.all(Array.from({ length: 12 }, askUntilAnswered));
    expect(statuses).toEqual(statuses.map(() => 402));
    const change = await service.table.entities.fundsChange.get({ holder: lower(account.address) }).go();
    // A request that the node answers too late does not wait for the node's new state.
    expect([1, 2, 3, 4]).toContain(change.data?.waits);
    // Each request costs two checks, and each of the four requests that wait costs one more check after each pause.
    const mostPauses = 4 * Math.ceil(longestWait / lookPause);
    expect(countPauses()).toBeLessThanOrEqual(mostPauses);
    expect(listChecks().length).toBeLessThanOrEqual(requests * 2 + mostPauses);
  });
});

/** Gives the account some ETH, so that the account can send transactions. */
async function giveEther(account: HDAccount): Promise<HDAccount> {
  await service.client.setBalance({ address: account.address, value: 10n ** 18n });
  return account;
}
