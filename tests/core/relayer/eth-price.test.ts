import { encodeFunctionResult, numberToHex } from "viem/utils";
import { expect, test } from "vitest";
import { priceFeedAbi } from "../../../core/chain/abi.ts";
import { listEthPriceCalls, parseEthPrice } from "../../../core/gas/index.ts";

const now = Date.UTC(2026, 10, 24, 12);
const feed = `0x${"fe".repeat(20)}` as const;
const settings = { gas: { ethFeed: feed, ethPrice: 2_000_000_000 } };

/** Makes the answer of a price feed, with 8 decimals and the given age in hours. */
function makeAnswer(price: bigint, hours: number) {
  const updatedAt = BigInt(now / 1000 - hours * 3600);
  const result = encodeFunctionResult({
    abi: priceFeedAbi,
    functionName: "latestRoundData",
    result: [1n, price, updatedAt, updatedAt, 1n],
  });
  return { status: "ok", result } as const;
}

test("a stage with a price feed takes the price of one ETH from the feed, and converts the price to USDG base units", () => {
  expect(listEthPriceCalls(settings)).toMatchObject([
    { method: "eth_call", params: [{ to: feed }, "latest"] },
  ]);
  expect(parseEthPrice(settings, [makeAnswer(3_123_45000000n, 1)], now)).toBe(3_123_450_000);
  expect(parseEthPrice(settings, [makeAnswer(3_123_45000000n, 26)], now)).toBe(3_123_450_000);
});

test("a stage without a price feed uses the ETH price in its settings and asks no feed", () => {
  expect(listEthPriceCalls({ gas: { ethPrice: 1 } })).toEqual([]);
  expect(parseEthPrice({ gas: { ethPrice: 1 } }, [], now)).toBe(1);
});

test.each([
  ["stale", makeAnswer(3_123_45000000n, 27)],
  ["without a price", makeAnswer(0n, 1)],
  ["below zero", makeAnswer(-1n, 1)],
  ["no feed at all", { status: "ok", result: "0x" } as const],
  ["of another form", { status: "ok", result: numberToHex(1, { size: 32 }) } as const],
  ["an error", { status: "failed", code: -32000, message: "no" } as const],
  ["missing", undefined],
])("the ETH price in the stage's settings is used when the price feed's answer is %s", (_, outcome) => {
  expect(parseEthPrice(settings, [outcome], now)).toBe(2_000_000_000);
});
