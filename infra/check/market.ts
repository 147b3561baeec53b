import * as z from "zod";
import { makeRobinhoodMarket } from "../../core/adapter/market.ts";
import { makeFeedUrl, makeUserAgent, readFeed } from "../../core/adapter/news.ts";
import { priceFeedAbi, stockTokenAbi } from "../../core/chain/abi.ts";
import type { Address } from "../../core/chain/hex.ts";
import type { ChainSettings } from "../chains.ts";
import type { StageSettings } from "../stages.ts";
import { openClient } from "./chain.ts";
import { checkValue, describeDifference, type Finding, reportCheck, runCheck } from "./finding.ts";

/** A ticker that every source of prices and news knows. */
const symbol = "AAPL";

/** Whether the stock API gives a stock's price in the form that the service reads. */
export function checkPrice({ stockApiUrl, chain }: StageSettings): Promise<Finding> {
  return runCheck(`the stock API prices ${symbol}`, async () => {
    const market = makeRobinhoodMarket({ url: stockApiUrl, chainId: chain.id });
    try {
      await market.fetchQuote({ symbol, name: symbol, address: chain.contracts.usdg, multiplier: 1 });
      return undefined;
    } catch (error) {
      return findLastCause(error);
    }
  });
}

/**
 * Whether the news feeds answer the service's requests. A feed that fails is always reported, but counts as a fault only if all feeds fail,
 * because a draft does not need every feed.
 */
export async function checkFeeds({ newsFeeds, alarms, domain }: StageSettings): Promise<readonly Finding[]> {
  const agent = makeUserAgent(domain && `https://${domain.name}`, alarms?.email);
  const told = await Promise.all(newsFeeds.map((feed) => checkFeed(feed, agent)));
  const answering = told.filter(({ fault }) => fault === undefined).length;
  return [
    ...told.map(({ what, fault }) => ({
      what: fault === undefined ? what : `${what}: no, drafts go without it (${fault})`,
      fault: undefined,
    })),
    { what: "a news feed answers", fault: answering > 0 ? undefined : "none does: drafts have no headlines" },
  ];
}

async function checkFeed(feed: string, agent: string): Promise<Finding> {
  const [, own, url = feed] = /^(?:([A-Z][A-Z0-9.]*)=)?(https?:.+)$/.exec(feed) ?? [];
  const address = makeFeedUrl({ symbol: own, url }, own ?? symbol);
  const what = `the feed ${address.host} tells of ${own ?? symbol}`;
  return reportCheck(what, async () => `${what}, ${(await readFeed(address, { agent })).length} reports`);
}

/** The innermost cause of an error; the service hides this cause from its callers. */
function findLastCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : findLastCause(error.cause);
}

const abi = [...stockTokenAbi, ...priceFeedAbi];

/** keccak256("eip1967.proxy.beacon") - 1: the storage slot in which a proxy stores the address of its beacon (EIP-1967). */
const beaconSlot = "0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50";

/** If a price feed has no update for this number of seconds, the service treats the feed as stopped. */
const longestSilence = 25 * 3_600;

/** The fields in the stock API's list that decide whether the service lists a token. */
const Assets = z.object({
  assets: z.array(
    z.object({
      status: z.string(),
      deployments: z.array(z.object({ chainId: z.number(), contractAddress: z.string() })),
    }),
  ),
});
const AnyAddress = z.templateLiteral(["0x", z.string().regex(/^[0-9a-fA-F]{40}$/)]);

/**
 * Checks whether the stage has stocks, because no draft can be saved without a stock. On a test chain, each token in the settings is
 * checked; on other chains, the list of the stock API is checked. `urls` are the addresses of the nodes, with the preferred node first.
 */
export async function checkStocks(
  { chain, stockApiUrl }: Pick<StageSettings, "chain" | "stockApiUrl">,
  urls: readonly string[],
): Promise<readonly Finding[]> {
  const client = openClient(urls, { batch: { batchSize: 20 } });
  const { tokens } = chain.stocks;
  if (tokens === undefined) return [await checkList(client, chain, stockApiUrl)];
  const found = await Promise.all([
    runCheck(`the stage has stocks on chain ${chain.id}`, async () =>
      tokens.length > 0 ? undefined : "there are none: run npm run testnet for the stage",
    ),
    ...tokens.flatMap((token) => checkToken(client, chain, token)),
    runCheck("every stock has a symbol of its own", async () => {
      const symbols = await Promise.all(
        tokens.map((address) => client.readContract({ abi, address, functionName: "symbol" })),
      );
      const twice = symbols.filter((symbol, index) => symbols.indexOf(symbol) !== index);
      return twice.length > 0 ? `${twice.join(", ")} is there twice` : undefined;
    }),
  ]);
  return found;
}

type FeedClient = ReturnType<typeof openClient>;

function checkList(client: FeedClient, { id, stocks }: ChainSettings, stockApiUrl: string): Promise<Finding> {
  return runCheck(`the stock API lists genuine tokens of chain ${id}`, async () => {
    const tokens = (await fetchAssets(stockApiUrl))
      .filter(({ status }) => status === "ASSET_STATUS_ACTIVE")
      .flatMap(({ deployments }) => deployments.filter(({ chainId }) => chainId === id))
      .flatMap(({ contractAddress }) => AnyAddress.safeParse(contractAddress).data ?? []);
    if (tokens.length === 0) return "it lists none";
    const beacons = await Promise.all(tokens.map((token) => readBeacon(client, token)));
    return beacons.includes(stocks.beacon.toLowerCase())
      ? undefined
      : `none of the ${tokens.length} is a proxy of the beacon ${stocks.beacon}`;
  });
}

/**
 * When the stock API refuses a request, it answers with plain text and with status 200 or 429. Throws an Error with the text of the API's
 * refusal.
 */
async function fetchAssets(stockApiUrl: string): Promise<z.infer<typeof Assets>["assets"]> {
  const answer = await fetch(new URL("/rhj/assets", stockApiUrl), { signal: AbortSignal.timeout(10_000) });
  const text = await answer.text();
  try {
    return Assets.parse(JSON.parse(text)).assets;
  } catch (cause) {
    throw new Error(`it gives no list, but ${answer.status} ${text.slice(0, 80)}`, { cause });
  }
}

function checkToken(
  client: FeedClient,
  { stocks }: ChainSettings,
  token: Address,
): readonly Promise<Finding>[] {
  return [
    checkValue(`the stock ${token} is a proxy of the beacon`, stocks.beacon.toLowerCase(), () =>
      readBeacon(client, token),
    ),
    runCheck(`the stock ${token} counts its shares, with 18 decimals`, async () => {
      const multiplier = await client.readContract({ abi, address: token, functionName: "uiMultiplier" });
      if (multiplier === 0n) return "a token stands for no share";
      const decimals = await client.readContract({ abi, address: token, functionName: "decimals" });
      return describeDifference(decimals, 18);
    }),
    runCheck(`the stock ${token} has a price`, async () => {
      const feed = stocks.feeds.find((one) => one.token.toLowerCase() === token.toLowerCase())?.feed;
      if (feed === undefined) return "it has no feed";
      const [, answer, , updatedAt] = await client.readContract({
        abi,
        address: feed,
        functionName: "latestRoundData",
      });
      if (answer <= 0n) return `its feed ${feed} answers ${answer}`;
      const { timestamp } = await client.getBlock();
      return timestamp - updatedAt > longestSilence ? `its feed ${feed} has stopped` : undefined;
    }),
  ];
}

async function readBeacon(client: FeedClient, token: Address): Promise<string> {
  const word = await client.getStorageAt({ address: token, slot: beaconSlot });
  return `0x${(word ?? "").slice(-40)}`;
}
