import { type MarketData, makeMarketError } from "../../../core/market/port.ts";
import type { Quote } from "../../../core/market/schema.ts";
import { makeListing, makeManualClock } from "../press/newsroom.ts";

/** A clock that only `pass` moves; the clock's `sleep` takes real time and does not move the clock. */
export const makeSteadyClock = () => ({ ...makeManualClock(), sleep: waitFor });

/** The duration of a request in milliseconds. During the first request, all other readers in a test also make their requests. */
const answerTime = 30;

/** A market source that counts the requests to it. Tests set the source's state. */
export function makeSource() {
  const calls = { stocks: 0, quote: 0 };
  const told: (Quote | undefined)[] = [];
  const state = { down: false, mid: 100, listings: [makeListing("TSLA"), makeListing("AAPL")] };
  const market: MarketData = {
    async listTokens() {
      calls.stocks += 1;
      await waitFor(answerTime);
      if (state.down) throw makeMarketError(new Error("down"));
      return state.listings;
    },
    async fetchQuote({ symbol }, last) {
      calls.quote += 1;
      told.push(last);
      await waitFor(answerTime);
      if (state.down) throw makeMarketError(new Error("down"));
      return makeQuote(symbol, state.mid);
    },
  };
  return { market, calls, told, state };
}

function makeQuote(symbol: string, mid: number): Quote {
  const asOf = "2026-11-20T11:59:58.000Z";
  return { symbol, mid, dayHigh: mid, dayLow: mid, volume: 1000, halted: false, asOf };
}

function waitFor(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
