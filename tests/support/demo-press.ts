import type { LocalAccount } from "viem";
import { Minted } from "../../core/mint/schema.ts";
import { Saved } from "../../core/press/schema.ts";
import { getTestAccount } from "../../local/devnet/accounts.ts";
import { type Article, filings } from "../../local/seed/articles.ts";
import { publish, signIn } from "../../local/seed/client.ts";
import { approve, report } from "../core/press/newsroom.ts";
import { register } from "./payment.ts";
import type { TestService } from "./service.ts";

type ServiceAccess = Pick<TestService, "origin" | "rpcUrl" | "table" | "client">;
type SignedArticle = Article & { readonly publisherName: string };

/**
 * Publishes an article over HTTP and the chain, and writes the approval into the table, because an audit takes a second of processor time.
 */
export async function publishApproved(
  { origin, table, client }: ServiceAccess,
  account: LocalAccount,
  article: SignedArticle,
): Promise<Minted> {
  const author = await signIn({ origin, signal: new AbortController().signal }, account);
  const { id } = await author.post("/api/press/save", article, Saved);
  await approveSaved({ table }, id);
  const { txHash } = await register({ client }, account, `${origin}/api/meta/${id}`);
  return author.post("/api/press/minted", { id, txHash }, Minted);
}

/** Writes the approval of a saved draft, and the audit's report, into the table. */
export async function approveSaved({ table }: Pick<ServiceAccess, "table">, id: number): Promise<void> {
  await approve({ table }, id);
  await table.entities.audit.create({ id, number: 1, revision: 1, run: "run", report }).go();
}

/** Publishes an article over HTTP and the chain, with an audit. */
export async function publishAudited(place: ServiceAccess, account: LocalAccount, article: SignedArticle) {
  const { origin, rpcUrl } = place;
  const client = await signIn({ origin, signal: new AbortController().signal }, account);
  return publish({ client, account, publisherName: article.publisherName, rpcUrl }, article);
}

/** Publishes the first demo article on the service, with an audit if the test reads the audit. Returns the press with its text. */
export async function publishDemoPress(place: ServiceAccess, { audited = false } = {}) {
  const publishArticle = audited ? publishAudited : publishApproved;
  const press = await publishArticle(place, getTestAccount(4), { ...filings, publisherName: "The Desk" });
  return { ...press, text: filings.body };
}
