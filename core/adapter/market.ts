import * as z from "zod";
import { AddressInput, lower } from "../chain/hex.ts";
import { type MarketData, makeMarketError } from "../market/port.ts";
import { type Listing, type Quote, toPrice } from "../market/schema.ts";

/** The maximum number of milliseconds that one whole answer of the stock API may take. */
const timeout = 4_000;

/** A decimal number in the form of a text. The number must not be negative. */
const Decimal = z
  .string()
  .regex(/^\d+(?:\.\d+)?$/)
  .transform(Number);
const Positive = Decimal.refine((value) => value > 0, "must be positive");

const Assets = z.object({
  assets: z.array(
    z.object({
      tokenSymbol: z.string(),
      tokenName: z.string(),
      status: z.string(),
      currentMultiplier: z.string(),
      deployments: z.array(z.object({ chainId: z.number(), contractAddress: z.string() })),
    }),
  ),
});

const Prices = z.object({
  quotes: z.array(
    z.object({
      tokenSymbol: z.string(),
      bid: Positive,
      ask: Positive,
      dailyTradingVolume: Decimal.catch(0),
      isTradingHalt: z.boolean(),
      generatedAt: z.iso.datetime({ offset: true }),
      /** Before the day's first trade, the stock API omits `dailyHigh` and `dailyLow`, or leaves them empty. */
      dailyHigh: Positive.optional().catch(undefined),
      dailyLow: Positive.optional().catch(undefined),
    }),
  ),
});

/**
 * Robinhood's keyless stock API. The API's refusals are plain text with status 200 or 429, so an answer that does not parse counts as a
 * refusal. The API gives prices per share, and one token stands for `multiplier` shares.
 */
export function makeRobinhoodMarket({
  url,
  chainId,
}: {
  readonly url: string;
  readonly chainId: number;
}): MarketData {
  return {
    async listTokens() {
      const { assets } = await getJson(new URL("/rhj/assets", url), Assets);
      return assets.flatMap((asset) => readListing(asset, chainId));
    },
    async fetchQuote({ symbol, multiplier }) {
      const { quotes } = await getJson(new URL(`/rhj/prices/${encodeURIComponent(symbol)}`, url), Prices);
      const price = quotes.find(({ tokenSymbol }) => tokenSymbol === symbol);
      if (price === undefined) throw makeMarketError(new Error(`The source has no price of ${symbol}`));
      return toTokenQuote(price, multiplier);
    },
  };
}

async function getJson<Output>(url: URL, form: z.ZodType<Output>): Promise<Output> {
  try {
    const response = await fetch(url, {
      headers: { accept: "application/json" },
      signal: AbortSignal.timeout(timeout),
    });
    if (!response.ok) throw new Error(`Status ${response.status}`);
    return form.parse(JSON.parse(await response.text()));
  } catch (cause) {
    throw makeMarketError(new Error(`${url.pathname} gave no usable answer`, { cause }));
  }
}

/**
 * An asset counts as active if its status is "ASSET_STATUS_ACTIVE" and it is deployed on our chain. Assets without a positive multiplier or
 * a valid address are left out of the list.
 */
function readListing(asset: z.infer<typeof Assets>["assets"][number], chainId: number): readonly Listing[] {
  const deployment = asset.deployments.find((candidate) => candidate.chainId === chainId);
  const address = AddressInput.safeParse(deployment?.contractAddress);
  const multiplier = Positive.safeParse(asset.currentMultiplier);
  if (asset.status !== "ASSET_STATUS_ACTIVE" || !address.success || !multiplier.success) return [];
  return [
    {
      symbol: asset.tokenSymbol,
      name: asset.tokenName,
      address: lower(address.data),
      multiplier: multiplier.data,
    },
  ];
}

function toTokenQuote(price: z.infer<typeof Prices>["quotes"][number], multiplier: number): Quote {
  const mid = (price.bid + price.ask) / 2;
  const computeTokenPrice = (share: number) => toPrice(share * multiplier);
  // The stock API's range contains only trades, so outside the session the mid price may lie beyond it.
  return {
    symbol: price.tokenSymbol,
    mid: computeTokenPrice(mid),
    dayHigh: computeTokenPrice(Math.max(mid, price.dailyHigh ?? mid)),
    dayLow: computeTokenPrice(Math.min(mid, price.dailyLow ?? mid)),
    volume: price.dailyTradingVolume,
    halted: price.isTradingHalt,
    asOf: new Date(price.generatedAt).toISOString(),
  };
}
