import { AppError } from "../error.ts";
import type { Settings } from "../port/settings.ts";
import type { Table } from "../table.ts";
import type { PressItem } from "./entity.ts";
import { apiUrl, pageUrl, pathId, slugFor } from "./links.ts";
import { toUsdg } from "./price.ts";
import { Registration } from "./schema.ts";

/**
 * The registration file of an approved or live press; `id` is the path's text. Throws `missing` `unknown_press` for any
 * other: what is not approved has nothing to show yet.
 */
export async function registration(
  ports: { readonly table: Table; readonly settings: Settings },
  id: string | undefined,
): Promise<Registration> {
  const number = pathId(id);
  const press =
    number === undefined ? null : (await ports.table.entities.press.get({ id: number }).go()).data;
  if (press === null || (press.status !== "approved" && press.status !== "live")) {
    throw new AppError("missing", "unknown_press", "No approved press has this id.");
  }
  return describe(ports.settings, press);
}

function describe(settings: Settings, press: PressItem): Registration {
  const { origin, chainId, contracts } = settings;
  const slug = press.slug ?? slugFor(press.headline, press.id);
  return Registration.parse({
    type: "https://eips.ethereum.org/EIPS/eip-8004#registration-v1",
    name: press.headline,
    description: press.preview,
    image: `${origin}/press.svg`,
    services: [
      { name: "web", endpoint: pageUrl(origin, slug) },
      { name: "api", endpoint: apiUrl(origin, slug) },
      { name: "x402-fee", endpoint: `${origin}/api/pay/treasury` },
      { name: "x402-publisher", endpoint: `${origin}/api/pay/publisher` },
    ],
    x402Support: true,
    active: true,
    registrations:
      press.pressId === undefined
        ? []
        : [{ agentId: press.pressId, agentRegistry: `eip155:${chainId}:${contracts.identityRegistry}` }],
    supportedTrust: ["reputation"],
    contentHash: press.contentHash,
    audit: press.audit,
    price: {
      amount: toUsdg(press.priceUnits),
      units: press.priceUnits,
      asset: `eip155:${chainId}/erc20:${contracts.usdg}`,
    },
  });
}
