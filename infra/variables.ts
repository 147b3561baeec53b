import { parseGwei } from "viem/utils";
import type { StageSettings } from "./stages.ts";

/** What a stage's settings say to its functions, under the names of `functions/lib/environment.ts`. */
type Variables = Readonly<Record<string, string>>;

/** The chain, its contracts, the treasury and what gas may cost: for every function. */
export function chainVariables({
  chain,
  treasury,
  gas,
}: Pick<StageSettings, "chain" | "treasury" | "gas">): Variables {
  return {
    CHAIN_ID: String(chain.id),
    CHAIN_NAME: chain.name,
    USDG_ADDRESS: chain.contracts.usdg,
    PERMIT2_ADDRESS: chain.contracts.permit2,
    EXACT_PROXY_ADDRESS: chain.contracts.exactProxy,
    IDENTITY_REGISTRY_ADDRESS: chain.contracts.identityRegistry,
    REPUTATION_REGISTRY_ADDRESS: chain.contracts.reputationRegistry,
    TREASURY_ADDRESS: treasury,
    MAX_GAS_PRICE_WEI: String(parseGwei(String(gas.maxPriceGwei))),
    FAILED_GAS_PER_DAY: String(gas.failuresPerDay),
  };
}

/** Who lists and prices the stocks. Functions take the stock API's list where they are given no tokens. */
export function marketVariables({
  chain: { stocks },
  stockApiUrl,
}: Pick<StageSettings, "chain" | "stockApiUrl">): Variables {
  const { tokens = [] } = stocks;
  return {
    STOCK_API_URL: stockApiUrl,
    STOCK_BEACON_ADDRESS: stocks.beacon,
    ...(stocks.feeds.length > 0 && {
      STOCK_FEEDS: stocks.feeds.map(({ token, feed }) => `${token}=${feed}`).join(","),
    }),
    ...(tokens.length > 0 && { STOCK_TOKENS: tokens.join(",") }),
  };
}
