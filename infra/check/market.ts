import { robinhoodMarket } from "../../core/adapter/market.ts";
import { addressOf, newsAgent, readFeed } from "../../core/adapter/news.ts";
import type { StageSettings } from "../stages.ts";
import { type Finding, failing, finding } from "./finding.ts";

/** A ticker that every source knows. */
const symbol = "AAPL";

/** Whether the stock API prices a stock, in the form that the service reads. */
export function checkPrice({ stockApiUrl, chain }: StageSettings): Promise<Finding> {
  return finding(`the stock API prices ${symbol}`, async () => {
    const market = robinhoodMarket({ url: stockApiUrl, chainId: chain.id });
    try {
      await market.quote({ symbol, name: symbol, address: chain.contracts.usdg, multiplier: 1 });
      return undefined;
    } catch (error) {
      return lastCause(error);
    }
  });
}

/**
 * Whether the news feeds answer what the service asks. A feed that does not is told and is no fault, for drafts do without
 * it; it is one when there is no other.
 */
export async function checkFeeds({ newsFeeds, alarms, domain }: StageSettings): Promise<readonly Finding[]> {
  const agent = newsAgent(domain && `https://${domain.name}`, alarms?.email);
  const told = await Promise.all(newsFeeds.map((feed) => askFeed(feed, agent)));
  const answering = told.filter(({ fault }) => fault === undefined).length;
  return [
    ...told.map(({ what, fault }) => ({
      what: fault === undefined ? what : `${what}: no, drafts go without it (${fault})`,
      fault: undefined,
    })),
    { what: "a news feed answers", fault: answering > 0 ? undefined : "none does: drafts have no headlines" },
  ];
}

async function askFeed(feed: string, agent: string): Promise<Finding> {
  const [, own, url = feed] = /^(?:([A-Z][A-Z0-9.]*)=)?(https?:.+)$/.exec(feed) ?? [];
  const address = addressOf({ symbol: own, url }, own ?? symbol);
  const what = `the feed ${address.host} tells of ${own ?? symbol}`;
  const [found] = await failing(what, async () => {
    const headlines = await readFeed(address, { agent });
    return [{ what: `${what}, ${headlines.length} reports`, fault: undefined }];
  });
  return found;
}

/** What lies at the bottom of an error that callers of the service are not told. */
function lastCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : lastCause(error.cause);
}
