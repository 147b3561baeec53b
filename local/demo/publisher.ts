import type { LocalAccount } from "viem";
import { getTransactionCount } from "viem/actions";
import { testAccount } from "../devnet/accounts.ts";
import type { Article } from "../seed/articles.ts";
import { publish, signIn } from "../seed/client.ts";
import type { RelayClient, Say } from "./wallet.ts";

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
  const session = await signIn(site, account);
  say.step("Signed in", "EIP-4361, by signature");
  const article = demoArticle(String(await getTransactionCount(client, { address: account.address })));
  const publisherName = "The Demo Desk";
  const live = await publish(
    { client: session, account, publisherName, rpcUrl: `${site.origin}/api/rpc`, place: client.place },
    article,
    (what, detail) => say.step(what, detail),
  );
  say.step("Live", `${site.origin}/press/${live.slug} (press id ${live.pressId})`);
  return { account, headline: article.headline, ...live };
}

/** What the demo's publisher writes; the number tells one run's press from another's. */
function demoArticle(run: string): Article {
  return {
    headline: `What the day's range of a stock token leaves out (${run})`,
    stock: "MSFT",
    priceUsdg: 0.25,
    preview:
      "A day's high and low look like a fence around the price. This note explains what the two numbers record, " +
      "what they leave out for a token that trades at all hours, and how to read them with care.",
    body: `A quote for a stock token such as MSFT comes with a high and a low for the day. They are easy to read as a fence: the price was inside it, so it will stay inside it. That is not what the numbers say.

The high is the largest price that one source saw during one trading session, and the low is the smallest. A session has a beginning and an end. A token on a chain has neither, because somebody can trade it at any hour. When the session is closed, the fence stands still while the token moves, and the next session may open on the other side of it.

The [FINRA page on market hours](https://www.finra.org/investors/insights/extended-hours-trading) tells what changes outside a session. The source matters as well. Two sources that watch different venues record different extremes for the same day, and a single odd trade is enough to widen one of them. The glossary of the [Securities and Exchange Commission](https://www.investor.gov/introduction-investing/investing-basics/glossary) is a plain place to look up what each term means before comparing them.

A careful reader therefore asks three things. Which session do the numbers belong to? Which source saw them? And when was the quote taken? A range without those three answers is a picture without a date.

None of this says what a price will do next. It says how much a range can tell, which is less than it seems, and where to look for the rest.`,
  };
}
