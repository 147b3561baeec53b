import { beforeEach, describe, expect, test } from "vitest";
import { mainnet } from "../../../core/chain/deployment.ts";
import { startPart } from "../../support/provide.ts";
import { apple, endless, heard, type MarketState, silent, startMarketDevnet } from "./chainside.ts";

let state: MarketState;
const side = startPart(startMarketDevnet);
beforeEach(() => {
  state = side.begin();
});

const refused = { kind: "upstream" };

describe("a quote comes from the price feed if the stock API refuses", () => {
  test("if the stock API refuses, the quote from the price feed on the chain contains the price and leaves out unknown fields", async () => {
    state.quote = undefined;
    const moment = await side.setFeed(330_12345678n);
    expect(await side.makeSources(state).fetchQuote(apple)).toEqual({
      symbol: "AAPL",
      mid: 330.1235,
      dayHigh: 330.1235,
      dayLow: 330.1235,
      volume: 0,
      halted: false,
      asOf: new Date(moment).toISOString(),
    });
    expect(state.trips).toHaveLength(1);
    expect(state.lines).toEqual([["quote_from_feed", { symbol: "AAPL", error: expect.any(Error) }]]);
  });

  test("a quote from the price feed is not multiplied by the token's multiplier, because the feed's answer already includes the multiplier", async () => {
    state.quote = undefined;
    await side.setFeed(654_40000000n);
    expect(await side.makeSources(state).fetchQuote({ ...apple, multiplier: 2 })).toMatchObject({
      mid: 654.4,
    });
  });

  test("a quote from the price feed keeps the known values of the same day, and its daily range grows to include the new price", async () => {
    state.quote = undefined;
    const moment = await side.setFeed(329_00000000n);
    const earlier = { ...heard, asOf: new Date(moment - 1).toISOString() };
    const sameDay = new Date(moment).toISOString().slice(0, 10) === earlier.asOf.slice(0, 10);
    expect(sameDay).toBe(true);
    expect(await side.makeSources(state).fetchQuote(apple, earlier)).toMatchObject({
      mid: 329,
      dayHigh: 329,
      dayLow: 326.82,
      volume: 37_225_806,
      halted: true,
    });
    const yesterday = { ...heard, asOf: new Date(moment - 86_400_000).toISOString() };
    expect(await side.makeSources(state).fetchQuote(apple, yesterday)).toMatchObject({
      dayHigh: 329,
      dayLow: 329,
      volume: 0,
      halted: false,
    });
  });

  test("a stored quote that is newer than the price feed's quote is kept", async () => {
    state.quote = undefined;
    const moment = await side.setFeed(329_00000000n);
    const known = { ...heard, asOf: new Date(moment).toISOString() };
    await expect(side.makeSources(state).fetchQuote(apple, known)).rejects.toMatchObject(refused);
    expect(state.lines.map(([event]) => event)).toEqual(["quote_from_feed", "quote_failed"]);
  });

  test("a quote is refused when the price feed's last answer is more than 25 hours old", async () => {
    state.quote = undefined;
    await side.setFeed(329_00000000n);
    state.ahead = 25 * 3_600_000 - 60_000;
    expect(await side.makeSources(state).fetchQuote(apple)).toMatchObject({ mid: 329 });
    state.ahead = 25 * 3_600_000 + 60_000;
    await expect(side.makeSources(state).fetchQuote(apple)).rejects.toMatchObject({
      code: "market_unavailable",
    });
  });

  test.each([
    ["no answer", silent],
    ["no answer in time", endless],
    ["an answer of no feed", { batch: async () => Array(2).fill({ status: "ok", result: "0x" }) }],
    ["a price of zero", { batch: async () => [makeUintAnswer(8n), makeRoundAnswer(0n)] }],
  ])("a quote is refused when the stock API and the price feed fail: %s", async (_, node) => {
    state.quote = undefined;
    await expect(side.makeSources(state, { node }).fetchQuote(apple)).rejects.toMatchObject(refused);
    expect(state.lines.map(([event]) => event)).toEqual(["quote_from_feed", "quote_failed"]);
  });

  test("a quote of a token without a price feed is refused with the stock API's own reason", async () => {
    state.quote = undefined;
    const other = { ...apple, address: mainnet.contracts.usdg };
    await expect(side.makeSources(state).fetchQuote(other)).rejects.toMatchObject({
      cause: { message: "refused" },
    });
    expect(state.lines).toEqual([["quote_failed", { symbol: "AAPL", error: expect.any(Error) }]]);
  });
});

const encodeWords = (...values: readonly bigint[]) =>
  values.map((value) => value.toString(16).padStart(64, "0")).join("");
const makeUintAnswer = (value: bigint) => ({ status: "ok", result: `0x${encodeWords(value)}` }) as const;
function makeRoundAnswer(answer: bigint) {
  const now = BigInt(Math.floor(Date.now() / 1000));
  return { status: "ok", result: `0x${encodeWords(1n, answer, now, now, 1n)}` } as const;
}
