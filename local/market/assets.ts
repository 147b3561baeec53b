import { numberToHex } from "viem/utils";

const CHAIN_ID = 4663;
const ETHEREUM = 1;

export type Asset = {
  readonly symbol: string;
  readonly name: string;
  readonly address: string;
  readonly chainId: number;
  readonly status: "ASSET_STATUS_ACTIVE" | "ASSET_STATUS_INACTIVE";
  readonly multiplier: string;
  /** Middle price of the share in USD around which the walk goes, near the devnet's feed; without it the API has no quote. */
  readonly basePrice: number | undefined;
  /** Shares traded on an average day. */
  readonly dailyVolume: number;
  /** Upstream leaves the day's range out at times. */
  readonly hasDailyRange: boolean;
};

const active = { chainId: CHAIN_ID, status: "ASSET_STATUS_ACTIVE", hasDailyRange: true } as const;

/** The five stock tokens of Robinhood Chain, an inactive one, and one that lives on another chain only. */
export const ASSETS: readonly Asset[] = [
  {
    ...active,
    symbol: "AAPL",
    name: "Apple",
    address: "0xaF3D76f1834A1d425780943C99Ea8A608f8a93f9",
    multiplier: "1.000512",
    basePrice: 327.2,
    dailyVolume: 42_000_000,
  },
  {
    ...active,
    symbol: "NVDA",
    name: "NVIDIA",
    address: "0xd0601CE157Db5bdC3162BbaC2a2C8aF5320D9EEC",
    multiplier: "1.000104",
    basePrice: 188.45,
    dailyVolume: 168_000_000,
  },
  {
    ...active,
    symbol: "TSLA",
    name: "Tesla",
    address: "0x322F0929c4625eD5bAd873c95208D54E1c003b2d",
    multiplier: "1",
    basePrice: 431.1,
    dailyVolume: 81_000_000,
  },
  {
    ...active,
    symbol: "MSFT",
    name: "Microsoft",
    address: "0xe93237C50D904957Cf27E7B1133b510C669c2e74",
    multiplier: "1.001893",
    basePrice: 512.35,
    dailyVolume: 19_000_000,
  },
  {
    ...active,
    symbol: "GOOGL",
    name: "Alphabet Class A",
    address: "0x2e0847E8910a9732eB3fb1bb4b70a580ADAD4FE3",
    multiplier: "1.000731",
    basePrice: 284.6,
    dailyVolume: 27_000_000,
    hasDailyRange: false,
  },
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
 * So many assets that stand for the rest of the real list, which had 194 active ones in September 2026. They are active,
 * have prices, and have tokens of their own where `placeStockTokens` has put them.
 */
export function furtherAssets(count: number): readonly Asset[] {
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

/** One entry of `GET /rhj/assets`. */
export function assetReply({ symbol, name, address, chainId, status, multiplier }: Asset) {
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
