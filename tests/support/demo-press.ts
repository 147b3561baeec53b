import type { HDAccount } from "viem/accounts";
import * as z from "zod";
import { getTestAccount } from "../../local/devnet/accounts.ts";
import { type Article, publishers } from "../../local/seed/articles.ts";
import { publish, signIn } from "../../local/seed/client.ts";
import { approve, report } from "../core/press/newsroom.ts";
import { register } from "./payment.ts";
import type { TestService } from "./service.ts";

export type ServiceAccess = Pick<TestService, "origin" | "rpcUrl" | "table" | "client">;

const Saved = z.object({ id: z.int() });
const Minted = z.object({ slug: z.string(), pressId: z.int() });

/**
 * Publishes an article over HTTP and the chain, and writes the approval into the table, because an audit takes a second of processor time.
 */
export async function publishApproved(
  { origin, table, client }: ServiceAccess,
  account: HDAccount,
  article: Article & { readonly publisherName: string },
): Promise<z.infer<typeof Minted>> {
  const author = await signIn({ origin, signal: new AbortController().signal }, account);
  const { id } = await author.post("/api/press/save", article, Saved);
  await approve({ table }, id);
  await table.entities.audit.create({ id, number: 1, revision: 1, run: "run", report }).go();
  const { txHash } = await register({ client }, account, `${origin}/api/meta/${id}`);
  return author.post("/api/press/minted", { id, txHash }, Minted);
}

/** Publishes the first demo article on the service, with an audit if the test reads the audit. Returns the press with its text. */
export async function publishDemoPress(place: ServiceAccess, { audited = false } = {}) {
  const [publisher] = publishers;
  const [article] = publisher?.articles ?? [];
  if (publisher === undefined || article === undefined) throw new Error("There is no demo article.");
  const account = getTestAccount(publisher.account);
  const publisherName = "The Desk";
  if (!audited) {
    return { ...(await publishApproved(place, account, { ...article, publisherName })), text: article.body };
  }
  const client = await signIn({ origin: place.origin, signal: new AbortController().signal }, account);
  const press = await publish({ client, account, publisherName, rpcUrl: place.rpcUrl }, article);
  return { ...press, text: article.body };
}
