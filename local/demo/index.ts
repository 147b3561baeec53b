import { toAddress } from "../../core/chain/hex.ts";
import { DiscoveryDocument } from "../../core/discovery/schema.ts";
import type { Place } from "../seed/client.ts";
import { type Published, playPublisher } from "./publisher.ts";
import { type Purchase, playReader } from "./reader.ts";
import type { Say } from "./say.ts";
import { playVoter } from "./voter.ts";
import { relayClient } from "./wallet.ts";

/**
 * Plays a publisher and then a reader, who votes in the end, against a service on this machine, over its public API
 * alone. Throws an Error at the first thing that is not as it should be.
 */
export async function playDemo(
  site: { readonly origin: string; readonly signal: AbortSignal },
  say: Say,
): Promise<{ readonly press: Published; readonly purchase: Purchase }> {
  const client = relayClient(site.origin, await discover(site.origin));
  const press = await playPublisher(site, client, say);
  const purchase = await playReader(site, client, press, say);
  await playVoter(site, client, press, purchase, say);
  return { press, purchase };
}

/** What the service says of its chain in its discovery document. */
async function discover(origin: string): Promise<Place> {
  const answer = await fetch(`${origin}/.well-known/x402`);
  if (!answer.ok) throw new Error(`The discovery document was answered ${answer.status}.`);
  const { network, x402, erc8004 } = DiscoveryDocument.parse(await answer.json());
  return {
    chainId: Number(network.caip2.split(":")[1]),
    name: network.name,
    contracts: {
      usdg: toAddress(network.asset.address),
      permit2: toAddress(x402.permit2),
      identityRegistry: toAddress(erc8004.identityRegistry),
      reputationRegistry: toAddress(erc8004.reputationRegistry),
    },
  };
}
