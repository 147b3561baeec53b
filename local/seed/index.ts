import * as z from "zod";
import { testAccount } from "../devnet/accounts.ts";
import { publishers } from "./articles.ts";
import { type Site, signIn } from "./client.ts";
import { publish } from "./publish.ts";
import { voteOn } from "./vote.ts";

const Shelf = z.object({ presses: z.array(z.unknown()) });

/**
 * Publishes the demo presses through the API itself, publishers at the same time, and lets readers vote on them, where
 * no press is live yet. Answers how many were published. Throws an Error with the refusal when one is refused.
 */
export async function seedPresses(site: Site & { readonly rpcUrl: string }): Promise<number> {
  const { signal, origin, rpcUrl } = site;
  const shelf = await fetch(`${origin}/api/presses?limit=1`, { signal });
  if (!shelf.ok) throw new Error(`/api/presses answered ${shelf.status}: ${await shelf.text()}`);
  if (Shelf.parse(await shelf.json()).presses.length > 0) return 0;

  const published = await Promise.all(
    publishers.map(async ({ account: index, publisherName, articles }) => {
      const account = testAccount(index);
      const desk = { client: await signIn(site, account), account, publisherName, rpcUrl };
      // One wallet's transactions go one after another, so that their nonces do.
      const live = [];
      for (const article of articles) live.push(await publish(desk, article));
      return live;
    }),
  );
  await voteOn(site, published.flat());
  return published.flat().length;
}
