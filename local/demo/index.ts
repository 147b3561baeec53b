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
  const client = relayClient(site.origin);
  const press = await playPublisher(site, client, say);
  const purchase = await playReader(site, client, press, say);
  await playVoter(site, client, press, purchase, say);
  return { press, purchase };
}
