import { bazaarOfBuying } from "../mcp/schema.ts";
import * as Payment from "../payment/index.ts";
import type { PaymentRequired } from "../payment/schema.ts";
import type { Settings } from "../port/settings.ts";
import type { Press } from "../press/schema.ts";

type NewestPress = Pick<Press, "pressId" | "priceUnits" | "publisher" | "publishedAt">;

/**
 * The document `/.well-known/x402.json`, in the form that the draft standard for this path demands. The document lists the endpoints of the
 * two payments for a text, and the MCP tool that buys a text. The document shows the prices and payees of the newest press. If there is no
 * live press, the document lists nothing. Only the terms in a live 402 answer are binding.
 */
export function makeManifest(settings: Settings, newest: NewestPress | undefined) {
  if (newest === undefined) return { x402Version: 2, lastUpdated: 0, items: [] };
  const fee = Payment.makeDirectoryTerms(settings, "fee", newest);
  const publisher = Payment.makeDirectoryTerms(settings, "publisher", newest);
  const tool = { ...fee, resource: { ...fee.resource, url: `${settings.origin}/mcp` } };
  return {
    x402Version: 2,
    lastUpdated: Math.floor(Date.parse(newest.publishedAt) / 1000),
    items: [
      makeItem("http", fee, readBazaar(fee)),
      makeItem("http", publisher, readBazaar(publisher)),
      makeItem("mcp", tool, bazaarOfBuying.info),
    ],
  };
}

type BazaarInfo = { readonly input?: unknown; readonly output?: unknown };

function readBazaar({ extensions }: PaymentRequired): BazaarInfo {
  return extensions.bazaar?.info ?? {};
}

function makeItem(
  type: "http" | "mcp",
  { resource, accepts }: PaymentRequired,
  { input, output }: BazaarInfo,
) {
  // A ticket is valid for one payment only, so this public document contains no tickets.
  const offered = accepts.map(({ extra: { ticket: _, ...extra }, ...entry }) => ({ ...entry, extra }));
  return { resource, type, accepts: offered, input, ...(output !== undefined && { output }) };
}
