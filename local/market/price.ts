import { createHash } from "node:crypto";
import type { Asset } from "./assets.ts";

const MINUTES_A_DAY = 1440;
const MINUTE = 60_000;
const HALF_SPREAD = 0.0006;

/** One entry of `quotes` in `GET /rhj/prices/{symbol}`. */
export type Quote = {
  readonly tokenSymbol: string;
  readonly bid: string;
  readonly ask: string;
  readonly currency: "USD";
  readonly dailyTradingVolume: string;
  readonly isTradingHalt: boolean;
  readonly generatedAt: string;
  readonly dailyHigh?: string;
  readonly dailyLow?: string;
};

/**
 * The quote of an asset at a moment (milliseconds since the epoch), or `undefined` when it has no price.
 * It changes once a minute and is the same for the same minute; the day is the UTC day.
 */
export function quoteAt(asset: Asset, now: number): Quote | undefined {
  const { symbol, basePrice, dailyVolume } = asset;
  if (basePrice === undefined) return undefined;
  const minute = Math.floor(now / MINUTE);
  const today = minute - (minute % MINUTES_A_DAY);
  const spread = basePrice * HALF_SPREAD;
  const mid = walk(symbol, basePrice);
  const mids = Array.from({ length: minute - today + 1 }, (_, index) => mid(today + index));
  const last = mid(minute);
  const range = { dailyHigh: cents(Math.max(...mids) + spread), dailyLow: cents(Math.min(...mids) - spread) };
  return {
    tokenSymbol: symbol,
    bid: cents(last - spread),
    ask: cents(last + spread),
    currency: "USD",
    dailyTradingVolume: String(Math.round((dailyVolume * mids.length) / MINUTES_A_DAY)),
    isTradingHalt: false,
    generatedAt: new Date(now).toISOString(),
    ...(asset.hasDailyRange && range),
  };
}

/**
 * The middle price by the minute: a slow wave over days, a quicker one over an hour and a half, and a little noise;
 * under 0.1 % from minute to minute.
 */
function walk(symbol: string, basePrice: number): (minute: number) => number {
  const seeds = createHash("md5").update(symbol).digest();
  const [slow, quick, noise] = [seeds.readUInt32BE(0), seeds.readUInt32BE(4), seeds.readUInt32BE(8)];
  const wave = (minute: number, period: number, seed: number) =>
    Math.sin(2 * Math.PI * (minute / period + seed / 2 ** 32));
  return (minute) =>
    basePrice *
    (1 +
      0.02 * wave(minute, 5 * MINUTES_A_DAY, slow) +
      0.003 * wave(minute, 97, quick) +
      0.0004 * (scatter(minute ^ noise) - 0.5));
}

/** A number from 0 to 1 that looks random beside its neighbours' (the finalizer of MurmurHash3). */
function scatter(value: number): number {
  const first = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  const second = Math.imul(first ^ (first >>> 13), 0xc2b2ae35);
  return ((second ^ (second >>> 16)) >>> 0) / 2 ** 32;
}

function cents(amount: number): string {
  return amount.toFixed(2);
}
