import type { LocalAccount } from "viem";
import { getTransactionCount } from "viem/actions";
import { testAccount } from "../devnet/accounts.ts";
import { signIn } from "../seed/client.ts";
import { publish } from "../seed/publish.ts";
import { demoArticle } from "./article.ts";
import type { Say } from "./say.ts";
import type { RelayClient } from "./wallet.ts";

export type Published = {
  readonly account: LocalAccount;
  readonly headline: string;
  readonly slug: string;
  readonly pressId: number;
};

/** The publisher's part: sign in, save, audit, mint, confirm; twenty times a day, as the daily limit has it. Throws an Error with whatever was refused. */
export async function playPublisher(
  site: { readonly origin: string; readonly signal: AbortSignal },
  client: RelayClient,
  say: Say,
): Promise<Published> {
  // Always the same one: to the auditor, the same text from another wallet is a copy of somebody's press.
  const account = testAccount(8);
  say.part("A publisher");
  say.step("Devnet account 8", account.address);
  const desk = await signIn(site, account);
  say.step("Signed in", "EIP-4361, by signature");
  const article = demoArticle(String(await getTransactionCount(client, { address: account.address })));
  const publisherName = "The Demo Desk";
  const live = await publish(
    { client: desk, account, publisherName, rpcUrl: `${site.origin}/api/rpc`, place: client.place },
    article,
    (what, detail) => say.step(what, detail),
  );
  say.step("Live", `${site.origin}/press/${live.slug} (press id ${live.pressId})`);
  return { account, headline: article.headline, ...live };
}
