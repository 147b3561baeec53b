import type { LocalAccount } from "viem";
import { waitForTransactionReceipt, writeContract } from "viem/actions";
import * as z from "zod";
import { identityAbi } from "../../core/chain/abi.ts";
import { mainnet } from "../../core/chain/deployment.ts";
import type { Article } from "./articles.ts";
import type { Client } from "./client.ts";
import { chainClient, type Place } from "./client.ts";

export type Desk = {
  readonly client: Client;
  readonly account: LocalAccount;
  readonly publisherName: string;
  /** The chain on which the press is minted. */
  readonly rpcUrl: string;
  /** Which chain that is; mainnet, as the devnet calls itself, unless told. */
  readonly place?: Place;
};

const Saved = z.object({ id: z.int() });
const Audited = z.object({
  status: z.string(),
  audit: z.object({
    score: z.int(),
    summary: z.string(),
    issues: z.array(z.object({ severity: z.string(), check: z.string(), detail: z.string() })),
  }),
  metaUrl: z.string(),
});
const Minted = z.object({ slug: z.string(), pressId: z.int() });

/**
 * Takes an article from its first save to the shelf (specification §4.8), telling of each step. Throws an Error where
 * the audit does not approve it.
 */
export async function publish(
  desk: Desk,
  article: Article,
  tell: (what: string, detail: string) => void = () => undefined,
): Promise<z.infer<typeof Minted>> {
  const { client, account, publisherName, rpcUrl, place = mainnet } = desk;
  const { id } = await client.post("/api/press/save", { ...article, publisherName }, Saved);
  tell("Saved a draft", article.headline);
  const { status, audit, metaUrl } = await client.post("/api/press/audit", { id }, Audited);
  if (status !== "approved") {
    throw new Error(`The audit of "${article.headline}" says ${status}: ${JSON.stringify(audit.issues)}`);
  }
  const chain = chainClient(rpcUrl, place);
  tell("Audited", `${status}, score ${audit.score}: ${audit.summary}`);
  const txHash = await writeContract(chain, {
    account,
    address: place.contracts.identityRegistry,
    abi: identityAbi,
    functionName: "register",
    args: [metaUrl],
  });
  await waitForTransactionReceipt(chain, { hash: txHash });
  tell("Minted", txHash);
  return client.post("/api/press/minted", { id, txHash }, Minted);
}
