import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Chain } from "../../../core/port/chain.ts";
import { openAllowance, openBlockCache, relayRpcBody } from "../../../core/rpc/index.ts";
import { startPart } from "../../support/provide.ts";
import { startTestTable } from "../../support/table.ts";
import { makeManualClock } from "../press/newsroom.ts";
import { makeRequest } from "./desk.ts";

const storage = startPart(startTestTable);

const clock = makeManualClock();
const log = { warn: vi.fn() };
const open = () => openAllowance({ table: storage.table, clock, log });

beforeEach(() => {
  clock.pass(10_000);
  log.warn.mockClear();
});

describe("a caller's address has a limited allowance", () => {
  test("an IP address's allowance is 2,400 cost units in ten seconds, and afterwards the address gets a new allowance", async () => {
    const spend = open();
    expect(await spend("192.0.2.1", 2_400)).toBeUndefined();
    clock.pass(3_000);
    expect(await spend("192.0.2.1", 1)).toBe(7);
    clock.pass(7_000);
    expect(await spend("192.0.2.1", 1)).toBeUndefined();
  });

  test("an IP address's allowance is shared by all processes", async () => {
    const processes = [open(), open(), open()];
    const waits = await Promise.all(
      Array.from({ length: 30 }, (_, index) => processes[index % 3]?.("192.0.2.2", 100)),
    );
    expect(waits.filter((wait) => wait === undefined)).toHaveLength(24);
  });

  test("an IP address has its own allowance, and the addresses of one IPv6 network share an allowance", async () => {
    const spend = open();
    await spend("192.0.2.3", 2_401);
    expect(await spend("192.0.2.4", 1)).toBeUndefined();
    expect(await spend("::ffff:192.0.2.3", 1)).toBe(10);
    await spend("2001:db8:0:1::7", 2_401);
    for (const same of ["2001:db8::1:aaaa:bbbb:cccc:dddd", "2001:DB8:0:1:2:3:4:5", "2001:db8:0:1::"])
      expect([same, await spend(same, 1)]).toEqual([same, 10]);
    for (const other of ["2001:db8::7", "2001:db8:0:2::7", "::1"])
      expect([other, await spend(other, 1)]).toEqual([other, undefined]);
  });

  test("while the table gives no answer, no IP address is limited, and the log reports that the allowances are not enforced", async () => {
    const broken = await startTestTable();
    await broken.stop();
    const spend = openAllowance({ table: broken.table, clock, log });
    expect(await spend("192.0.2.5", 9_999)).toBeUndefined();
    expect(log.warn).toHaveBeenCalledWith("relay_use_uncounted", expect.anything());
  });
});

describe("the cost of a request depends on its calls", () => {
  const chain: Chain = { batch: async (calls) => calls.map(() => ({ status: "ok", result: null })) };
  const block = `0x${"7".repeat(64)}`;

  async function computeCost(body: unknown): Promise<number> {
    let cost = 0;
    const spend = async (more: number) => {
      cost += more;
      return undefined;
    };
    await relayRpcBody(
      { chain, clock, chainId: 4663, blocks: openBlockCache(), spend },
      JSON.stringify(body),
    );
    return cost;
  }

  test.each([
    ["eth_chainId", [], 0],
    ["eth_getLogs", [{}], 0],
    ["eth_blockNumber", [], 1],
    ["eth_getBlockByHash", [block, true], 5],
    ["eth_feeHistory", ["0x1", "latest", []], 10],
    ["eth_call", [{}, "latest"], 20],
    ["eth_estimateGas", [{}], 60],
  ])("the cost of %s is counted", async (method, params, cost) => {
    expect(await computeCost(makeRequest(method, 1, params))).toBe(cost);
  });

  test("the cost of a batch is the sum of the costs of its distinct calls", async () => {
    const calls = Array.from({ length: 24 }, (_, id) =>
      makeRequest("eth_call", id, [{ data: `0x0${id % 8}` }]),
    );
    expect(await computeCost([...calls, makeRequest("eth_gasPrice", 24)])).toBe(8 * 20 + 1);
  });
});

test("a caller who has used up the allowance gets the number of seconds to wait, and the chain is not asked", async () => {
  const chain: Chain = {
    batch: () => Promise.reject(new Error("The chain was asked")),
  };
  const ports = { chain, clock, chainId: 4663, blocks: openBlockCache(), spend: async () => 4 };
  const body = [
    makeRequest("eth_chainId", 1),
    makeRequest("eth_call", 2, [{}]),
    makeRequest("eth_gasPrice", 3),
  ];
  for (const asked of [body, body[1]]) {
    await expect(relayRpcBody(ports, JSON.stringify(asked))).rejects.toMatchObject({
      kind: "limit",
      code: "relay_limit",
      message: "Too many calls from your address. Try again in 4 s.",
      retryAfter: 4,
    });
  }
  expect(await relayRpcBody(ports, JSON.stringify(body[0]))).toMatchObject({ body: { result: "0x1237" } });
});
