import { systemClock } from "../../../core/adapter/system.ts";
import { type MarketData, makeMarketError } from "../../../core/market/port.ts";
import type { Listing } from "../../../core/market/schema.ts";
import { publishPress } from "../../../core/mint/publish.ts";
import { SaveInput } from "../../../core/press/input.ts";
import { save } from "../../../core/press/own.ts";
import type { PressItem } from "../../../core/record/press.ts";
import type { Table } from "../../../core/table.ts";

export const publisher = "0x00000000000000000000000000000000000000a1";
export const stranger = "0x00000000000000000000000000000000000000b2";

/** Makes a text with this number of words. */
export function makeWords(count: number): string {
  return Array.from({ length: count }, (_, index) => `word${index}`).join(" ");
}

/** A publisher's valid input to a save. `changes` may make the input invalid. */
export function makeArticle(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    headline: "Apple's margins widen again",
    stock: "AAPL",
    priceUsdg: 1.5,
    publisherName: "Margin Notes",
    preview: "What the last quarter says about services, and what it leaves out of the picture entirely.",
    body: `# Margins\n\n${makeWords(160)}`,
    ...changes,
  };
}

export function makeDraft(changes: Readonly<Record<string, unknown>> = {}): SaveInput {
  return SaveInput.parse(makeArticle(changes));
}

export const makeListing = (symbol: string): Listing => ({
  symbol,
  name: `${symbol} token`,
  address: "0xaf3d76f1834a1d425780943c99ea8a608f8a93f9",
  multiplier: 1,
});
const listings = ["AAPL", "NVDA"].map(makeListing);

/** A market source that has the current price of AAPL and NVDA. If the price is `undefined`, the source is down. */
export function makeMarket(mid: { now: number | undefined }): MarketData {
  return {
    listTokens: async () => listings,
    async fetchQuote({ symbol }) {
      if (mid.now === undefined) throw makeMarketError(new Error("down"));
      const day = { dayHigh: mid.now, dayLow: mid.now, volume: 1, halted: false };
      return { symbol, mid: mid.now, ...day, asOf: "2026-11-20T12:00:00.000Z" };
    },
  };
}

/** A clock whose time changes only when `pass` or `sleep` is called. */
export function makeManualClock(start = "2026-11-20T12:00:00.000Z") {
  let now = Date.parse(start);
  return {
    now: () => now,
    async sleep(milliseconds: number, how?: "upTo") {
      now += milliseconds;
      // A table request that conflicts with another request takes some time on the machine's own clock too.
      if (how === "upTo") await systemClock.sleep(Math.min(milliseconds, 30), how);
    },
    pass(milliseconds: number) {
      now += milliseconds;
    },
  };
}

export type Newsroom = {
  readonly table: Table;
  readonly clock: ReturnType<typeof makeManualClock>;
  readonly market: MarketData;
};

/** A report in the form in which the audit stores reports. The report has the score that `approve` uses. */
export const report = {
  verdict: "approve",
  score: 88,
  summary: "Sound and sourced: naïve readers are told so.",
  issues: [{ severity: "low", check: "sources", detail: "One source only." }],
  facts: {
    quote: {
      symbol: "AAPL",
      mid: 327.2,
      dayHigh: 328.5,
      dayLow: 326.82,
      volume: 37_225_806,
      halted: false,
      asOf: "2026-11-20T12:00:00.000Z",
    },
    publisherHolds: true,
    publisherBalance: "1500000000000000000",
  },
  engine: "rules 1",
  auditedAt: "2026-11-20T12:00:00.000Z",
};

/** Stores the result of an audit that approves the press. */
export async function approve({ table }: Pick<Newsroom, "table">, id: number): Promise<void> {
  const audit = {
    verdict: "approve",
    score: 88,
    summary: "Sound and sourced.",
    engine: "rules 1",
    auditedAt: "2026-11-20T12:00:00.000Z",
  } as const;
  await table.entities.press
    .patch({ id })
    .set({ status: "approved", audit, publisherHolds: true, auditCount: 1 })
    .go();
}

/** Reads a press that must exist. */
export async function readPress(table: Table, id: number): Promise<PressItem> {
  const { data } = await table.entities.press.get({ id }).go({ consistent: true });
  if (data === null) throw new Error(`No press ${id}`);
  return data;
}

/** Saves, approves and publishes a press with the given agent id. */
export async function publish(
  room: Newsroom,
  agentId: number,
  changes: Readonly<Record<string, unknown>> = {},
): Promise<{ readonly id: number; readonly slug: string }> {
  const { id } = await save(room, publisher, makeDraft(changes));
  await approve(room, id);
  const press = await readPress(room.table, id);
  const txHash = `0x${agentId.toString(16).padStart(64, "0")}` as const;
  await publishPress(room, press, { txHash, agentId, mark: 327.2 });
  const { data: live } = await room.table.entities.press.get({ id }).go({ consistent: true });
  if (live?.slug === undefined) throw new Error("The press did not go live");
  return { id, slug: live.slug };
}
