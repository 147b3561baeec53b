import { testAccount } from "../../local/devnet/accounts.ts";
import { publishers } from "../../local/seed/articles.ts";
import { publish, signIn } from "../../local/seed/client.ts";
import type { TestService } from "./service.ts";

/** Publishes the first demo article on the service. Returns it with its text. */
export async function publishDemoPress({ origin, rpcUrl }: Pick<TestService, "origin" | "rpcUrl">) {
  const [publisher] = publishers;
  const [article] = publisher?.articles ?? [];
  if (publisher === undefined || article === undefined) throw new Error("There is no demo article.");
  const account = testAccount(publisher.account);
  const client = await signIn({ origin, signal: new AbortController().signal }, account);
  const press = await publish({ client, account, publisherName: "The Desk", rpcUrl }, article);
  return { ...press, text: article.body };
}
