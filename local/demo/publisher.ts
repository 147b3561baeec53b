import type { LocalAccount } from "viem";
import { signIn } from "../seed/client.ts";
import { publish } from "../seed/publish.ts";
import { demoArticle } from "./article.ts";
import type { Say } from "./say.ts";
import { newWallet, type RelayClient } from "./wallet.ts";

export type Published = {
  readonly account: LocalAccount;
  readonly headline: string;
  readonly slug: string;
  readonly pressId: number;
};

/** The publisher's part: sign in, save, audit, mint, confirm. Throws an Error with whatever was refused. */
export async function playPublisher(
  site: { readonly origin: string; readonly signal: AbortSignal },
  client: RelayClient,
  say: Say,
): Promise<Published> {
  const account = await newWallet(client, 0n);
  say.part("A publisher");
  say.step("A new wallet", account.address);
  const desk = await signIn(site, account);
  say.step("Signed in", "EIP-4361, by signature");
  const article = demoArticle(account.address.slice(2, 8).toLowerCase());
  const publisherName = "The Demo Desk";
  const live = await publish(
    { client: desk, account, publisherName, rpcUrl: `${site.origin}/api/rpc` },
    article,
    (what, detail) => say.step(what, detail),
  );
  say.step("Live", `${site.origin}/press/${live.slug} (press id ${live.pressId})`);
  return { account, headline: article.headline, ...live };
}
