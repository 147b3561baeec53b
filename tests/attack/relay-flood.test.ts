import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import * as z from "zod";
import { systemClock } from "../../core/adapter/system.ts";
import { lower } from "../../core/chain/hex.ts";
import { measurePurchase } from "../functions/observed/visitor.ts";
import { publishDemoPress } from "../support/demo-press.ts";
import { makeHttpClient } from "../support/http-payer.ts";
import { encodeTransfer, getTestAccount, send, usdg } from "../support/payment.ts";
import { startProxy } from "../support/post.ts";
import { startPart } from "../support/provide.ts";
import { startServiceBehind } from "../support/service.ts";
import { startTally } from "../support/tally.ts";
import { makeAccount } from "../support/wallets.ts";

/** A call whose code loops until the call's gas is burned: JUMPDEST PUSH1 0 JUMP. */
const endless = { data: "0x5b600056", gas: "0x1c9c380" };
let calls = 0;

/** 25 calls that differ from each other and from the calls of other batches. */
function makeBatch() {
  return Array.from({ length: 25 }, (_, id) => {
    calls += 1;
    return makeCall("eth_call", id, [
      { ...endless, data: `${endless.data}${calls.toString(16).padStart(8, "0")}` },
    ]);
  });
}

let pressId: number;
/** The total gas of the RPC relay's calls, the highest gas total of a single request, and a switch that makes the relay's node fail. */
let gas = 0n;
let most = 0n;
let isDown = false;

function makeCall(method: string, id: number, params: readonly unknown[] = []) {
  return { jsonrpc: "2.0", id, method, params };
}

const Calls = z.array(z.object({ params: z.array(z.unknown()) }));
const Gas = z.object({ gas: z.string() });

/** The RPC relay's own connection to the chain. The test counts the gas of the calls on this connection. */
function startWatch(endpoint: string) {
  return startProxy(endpoint, async (body, ask) => {
    if (isDown) return { status: 503, text: "" };
    const asked: unknown = JSON.parse(body);
    const calls = Calls.parse([asked].flat());
    const sum = calls.reduce(
      (total, { params }) => total + BigInt(Gas.safeParse(params[0]).data?.gas ?? 0),
      0n,
    );
    gas += sum;
    if (sum > most) most = sum;
    return ask();
  });
}

const service = startPart(() => startServiceBehind("relay", startWatch));
beforeAll(async () => {
  ({ pressId } = await publishDemoPress(service));
});
beforeEach(() => {
  gas = 0n;
  most = 0n;
  isDown = false;
});
afterEach(() => {
  vi.restoreAllMocks();
});

/**
 * The RPC relay limits requests per window of ten seconds. This function stops the clock at the start of a window that no test has used.
 */
function startNextWindow(): void {
  windows += 1;
  const now = Math.ceil(Date.now() / 10_000) * 10_000 + windows * 10_000;
  vi.spyOn(systemClock, "now").mockReturnValue(now);
}
let windows = 0;

const relay = (body: unknown) => makeHttpClient(service.origin).ask("/api/rpc", { body });

const buyPress = (index: number) => measurePurchase(service, pressId, index);

test("payments stay within their time limit while three clients send batches of endless calls", async () => {
  await buyPress(2);
  const alone = [await buyPress(3), await buyPress(4)].flat();
  const firstWindow = Math.floor(Date.now() / 10_000);
  let flooding = true;
  const statuses: number[] = [];
  const flood = [1, 2, 3].map(async () => {
    while (flooding) {
      const { status } = await relay(makeBatch());
      statuses.push(status);
      // Refusals cost the node nothing. The firewall limits clients that ignore refusals.
      if (status === 429) await sleep(20);
    }
  });
  try {
    await expect.poll(() => statuses.length).toBeGreaterThan(2);
    const beside = [await buyPress(5), await buyPress(6), await buyPress(7)].flat();
    // Other programs on the machine slow down some payments, but a flood of calls without a limit would slow down every payment.
    expect(Math.min(...beside)).toBeLessThan(3 * Math.max(...alone) + 200);
  } finally {
    flooding = false;
    await Promise.all(flood);
  }
  expect(most).toBeLessThanOrEqual(25n * 5_000_000n);
  // In each window of ten seconds, the IP address that the clients share may use the gas of four batches.
  const windows = Math.floor(Date.now() / 10_000) - firstWindow + 1;
  expect(gas).toBeLessThanOrEqual(BigInt(windows) * 4n * 25n * 5_000_000n);
});

test("payments have their own nodes and continue while the RPC relay's nodes are down", async () => {
  isDown = true;
  await buyPress(8);
  startNextWindow();
  const answer = await relay(makeCall("eth_blockNumber", 1));
  expect(JSON.parse(answer.text)).toMatchObject({ error: { code: -32603 } });
});

test("an address is limited by the total cost of its calls in ten seconds, not by the number of its calls", async () => {
  startNextWindow();
  const statuses: number[] = [];
  for (let round = 0; round < 30; round += 1) statuses.push((await relay(makeBatch())).status);
  // A batch of 25 contract calls costs 500 of the 2,400 units that an IP address may use in a window.
  expect(statuses).toEqual(statuses.map((_, round) => (round < 4 ? 200 : 429)));
  expect(gas).toBe(4n * 25n * 5_000_000n);
  const refused = await relay(makeBatch());
  expect(refused.headers.get("retry-after")).toBe("10");
  expect(JSON.parse(refused.text)).toMatchObject({ code: "relay_limit", retryAfter: 10 });
  // Calls that need no node cost no units.
  const free = Array.from({ length: 25 }, (_, id) => makeCall("eth_chainId", id));
  for (let round = 0; round < 20; round += 1) expect((await relay(free)).status).toBe(200);
  startNextWindow();
  expect((await relay(makeBatch())).status).toBe(200);
});

test("a batch of receipts that show changes of many wallets causes only nine writes to the table", async () => {
  const holders = Array.from({ length: 25 }, () => lower(makeAccount().address));
  const batch: unknown[] = [];
  for (const [id, holder] of holders.entries()) {
    const { transactionHash } = await send(service, getTestAccount(0), usdg, encodeTransfer(holder, 1n));
    batch.push(makeCall("eth_getTransactionReceipt", id, [transactionHash]));
  }
  startNextWindow();
  const tally = startTally(service.endpoints);
  try {
    // Eight writes store changes of wallets, and one write counts the use of the RPC relay.
    const { database } = await tally.countRequests("rpc", async () => {
      expect((await relay(batch)).status).toBe(200);
    });
    expect(database).toBe(9);
  } finally {
    tally.stop();
  }
  const { fundsChange } = service.table.entities;
  const { data } = await fundsChange.get(holders.map((holder) => ({ holder }))).go({ consistent: true });
  expect(data.map(({ holder }) => holder).sort()).toEqual(holders.slice(0, 8).sort());
});
