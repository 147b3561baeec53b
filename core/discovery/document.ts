import { getAddress } from "viem/utils";
import type { Settings } from "../port/settings.ts";
import { pageSize } from "../press/schema.ts";
import { flow, rules } from "./guide.ts";
import { links } from "./links.ts";
import type { DiscoveryDocument } from "./schema.ts";

export const serviceName = "Press Market";

/** What the service is, in two sentences. */
export const serviceDescription =
  "Short news articles (presses) about tokenized stocks. Headline, preview, audit and votes are free; the full text is unlocked by two x402 payments in USDG. Nothing published here is investment advice.";

/** The service told to programs (specification §2.11). */
export function document(settings: Settings): DiscoveryDocument {
  const { chainId, chainName, contracts, origin } = settings;
  const { developers, openapi, llms, feed } = links(settings);
  return {
    name: serviceName,
    description: serviceDescription,
    docs: developers,
    network: {
      caip2: `eip155:${chainId}`,
      name: chainName,
      asset: { symbol: "USDG", address: getAddress(contracts.usdg), decimals: 6 },
    },
    x402: {
      version: 2,
      scheme: "exact",
      assetTransferMethod: "permit2",
      permit2: getAddress(contracts.permit2),
      header: "payment-signature",
    },
    erc8004: {
      identityRegistry: getAddress(contracts.identityRegistry),
      reputationRegistry: getAddress(contracts.reputationRegistry),
    },
    documents: { openapi, llms, feed },
    endpoints: endpoints(origin),
    flow: flow(settings),
    rules,
  };
}

/** The endpoints by the names that the flow calls them by, a line each. */
export function endpointLines({ origin }: Pick<Settings, "origin">): readonly string[] {
  return Object.entries(endpoints(origin)).map(
    ([name, { method, url, share }]) =>
      `${name}: ${method} ${url}${share === undefined ? "" : ` (${share})`}`,
  );
}

function endpoints(origin: string): DiscoveryDocument["endpoints"] {
  const pressId = { pressId: "Integer: the onchain identity id of the press, from list. 0 is one." };
  return {
    list: {
      method: "GET",
      url: `${origin}/api/presses`,
      paid: false,
      query: {
        stock: "Ticker of a stock token, such as AAPL. Optional.",
        limit: `Presses in the answer, 1 to ${pageSize}. Optional.`,
        cursor: "The cursor of the answer before, for the next page. Optional.",
      },
      returns: `{ presses }: up to ${pageSize} live presses, newest first, each with pressId, slug, preview and priceUnits.`,
    },
    read: {
      method: "GET",
      url: `${origin}/api/presses/{slug}`,
      paid: false,
      returns:
        "{ press, audit, unlocked, body } for a slug from list. body is null unless the session is the publisher's or that of a wallet that has unlocked the press.",
    },
    stocks: {
      method: "GET",
      url: `${origin}/api/stocks`,
      paid: false,
      returns:
        "{ stocks: [{ symbol, name, address }] }: every active stock token on the chain, sorted by symbol.",
    },
    payFee: {
      method: "POST",
      url: `${origin}/api/pay/treasury`,
      paid: true,
      body: pressId,
      share: "10% of priceUnits, rounded down, to the platform.",
      returns: "{ paid, tx }; with already: true when this wallet had paid the fee before.",
    },
    payPublisher: {
      method: "POST",
      url: `${origin}/api/pay/publisher`,
      paid: true,
      body: pressId,
      share: "The rest of priceUnits, to the wallet that owns the press NFT.",
      returns: "{ paid, tx, body }: body is the full text. Also sets a session cookie for the paying wallet.",
    },
  };
}
