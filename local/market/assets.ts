import { createHash } from "node:crypto";
import { getAddress, numberToHex } from "viem/utils";
import { mainnet } from "../../core/chain/deployment.ts";
import { devnetStocks } from "../devnet/accounts.ts";

const CHAIN_ID = mainnet.chainId;
const ETHEREUM = 1;

export type Asset = {
  readonly symbol: string;
  readonly name: string;
  readonly address: string;
  readonly chainId: number;
  readonly status: "ASSET_STATUS_ACTIVE" | "ASSET_STATUS_INACTIVE";
  readonly multiplier: string;
  /**
   * The share's price moves pseudo-randomly around this USD price. For a stock of the devnet, the base price is the first price in the
   * stock's feed on the devnet. For an asset without a base price, the API has no quote.
   */
  readonly basePrice: number | undefined;
  readonly dailyVolume: number;
  /** The real API sometimes omits the day's highest and lowest price. */
  readonly hasDailyRange: boolean;
};

const active = { chainId: CHAIN_ID, status: "ASSET_STATUS_ACTIVE", hasDailyRange: true } as const;

/** The multiplier and the daily volume that the API gives for each stock of the devnet. */
const traded: Readonly<Record<string, readonly [multiplier: string, dailyVolume: number]>> = {
  AAPL: ["1.000512", 42_000_000],
  NVDA: ["1.000104", 168_000_000],
  TSLA: ["1", 81_000_000],
  MSFT: ["1.001893", 19_000_000],
  GOOGL: ["1.000731", 27_000_000],
};

/** The five stock tokens of Robinhood Chain, an inactive token, and a token of another chain. */
export const ASSETS: readonly Asset[] = [
  ...devnetStocks.map(({ symbol, company: name, token, price }) => {
    const [multiplier, dailyVolume] = traded[symbol] ?? ["1", 0];
    const basePrice = Number(price) / 1e8;
    const hasDailyRange = symbol !== "GOOGL";
    const address = getAddress(token);
    return { ...active, symbol, name, address, multiplier, basePrice, dailyVolume, hasDailyRange };
  }),
  {
    ...active,
    symbol: "TWTR",
    name: "Twitter",
    address: "0x00000000000000000000000000000000000A11A5",
    multiplier: "1",
    status: "ASSET_STATUS_INACTIVE",
    basePrice: undefined,
    dailyVolume: 0,
  },
  {
    ...active,
    symbol: "AMZN",
    name: "Amazon",
    address: "0x00000000000000000000000000000000000A11A6",
    multiplier: "1",
    chainId: ETHEREUM,
    basePrice: 241.3,
    dailyVolume: 38_000_000,
  },
];

/**
 * These additional assets replace the rest of the real list, which had 194 active assets in September 2026. The additional assets are
 * active and have prices. If `placeStockTokens` has run, the additional assets also have token contracts on the devnet.
 */
export function makeExtraAssets(count: number): readonly Asset[] {
  return Array.from({ length: count }, (_, index) => ({
    ...active,
    symbol: `X${String(index + 1).padStart(3, "0")}`,
    name: `Example ${index + 1}`,
    address: numberToHex(0x57_00000000n + BigInt(index + 1), { size: 20 }),
    multiplier: "1",
    basePrice: 10 + index,
    dailyVolume: 1_000_000,
  }));
}

export function makeAssetReply({ symbol, name, address, chainId, status, multiplier }: Asset) {
  return {
    id: `0x${Buffer.from(symbol).toString("hex").padEnd(64, "0")}`,
    tokenSymbol: symbol,
    tokenName: `${name} • Robinhood Token`,
    deployments: [{ contractAddress: address, chainId }],
    currentMultiplier: multiplier,
    pendingMultiplier: "",
    status,
    tokenDecimals: 18,
    logoUrl: `https://logos.example.com/${symbol}.png`,
  };
}

const MINUTES_A_DAY = 1440;
const MINUTE = 60_000;
const HALF_SPREAD = 0.0006;

/**
 * The quote of an asset at a time (milliseconds since the epoch); `undefined` if the asset has no base price. The quote changes once a
 * minute. The quote's daily high, daily low and volume are those of the UTC day.
 */
export function makeQuote(asset: Asset, now: number) {
  const { symbol, basePrice, dailyVolume } = asset;
  if (basePrice === undefined) return undefined;
  const minute = Math.floor(now / MINUTE);
  const today = minute - (minute % MINUTES_A_DAY);
  const spread = basePrice * HALF_SPREAD;
  const mid = makePriceCurve(symbol, basePrice);
  const mids = Array.from({ length: minute - today + 1 }, (_, index) => mid(today + index));
  const last = mid(minute);
  const range = {
    dailyHigh: formatCents(Math.max(...mids) + spread),
    dailyLow: formatCents(Math.min(...mids) - spread),
  };
  return {
    tokenSymbol: symbol,
    bid: formatCents(last - spread),
    ask: formatCents(last + spread),
    currency: "USD",
    dailyTradingVolume: String(Math.round((dailyVolume * mids.length) / MINUTES_A_DAY)),
    isTradingHalt: false,
    generatedAt: new Date(now).toISOString(),
    ...(asset.hasDailyRange && range),
  };
}

/** A token's middle price at a time (milliseconds since the epoch), from the same random walk as the quotes of its share. */
export function computeTokenPrice(
  { symbol, basePrice, multiplier }: Asset,
  moment: number,
): number | undefined {
  if (basePrice === undefined) return undefined;
  return makePriceCurve(symbol, basePrice)(Math.floor(moment / MINUTE)) * Number(multiplier);
}

/**
 * The middle price for each minute: the base price, changed by a slow wave over days, a faster wave over an hour and a half, and a little
 * noise. The middle price changes by less than 0.1 % a minute.
 */
function makePriceCurve(symbol: string, basePrice: number): (minute: number) => number {
  const seeds = createHash("md5").update(symbol).digest();
  const [slow, quick, noise] = [seeds.readUInt32BE(0), seeds.readUInt32BE(4), seeds.readUInt32BE(8)];
  const computeWave = (minute: number, period: number, seed: number) =>
    Math.sin(2 * Math.PI * (minute / period + seed / 2 ** 32));
  return (minute) =>
    basePrice *
    (1 +
      0.02 * computeWave(minute, 5 * MINUTES_A_DAY, slow) +
      0.003 * computeWave(minute, 97, quick) +
      0.0004 * (computePseudoRandom(minute ^ noise) - 0.5));
}

/** A pseudo-random number from 0 to 1 (the finalizer of MurmurHash3). */
function computePseudoRandom(value: number): number {
  const first = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  const second = Math.imul(first ^ (first >>> 13), 0xc2b2ae35);
  return ((second ^ (second >>> 16)) >>> 0) / 2 ** 32;
}

function formatCents(amount: number): string {
  return amount.toFixed(2);
}
