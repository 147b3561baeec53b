import { zeroHash } from "viem";
import { writeContract } from "viem/actions";
import { reputationAbi } from "../../core/chain/abi.ts";
import { History } from "../../core/history/schema.ts";
import { pageUrl } from "../../core/press/links.ts";
import { Tally } from "../../core/vote/schema.ts";
import { visit } from "../seed/client.ts";
import type { Published } from "./publisher.ts";
import type { Purchase } from "./reader.ts";
import type { Say } from "./say.ts";
import { confirmed, type RelayClient } from "./wallet.ts";

type Site = { readonly origin: string; readonly signal: AbortSignal };

/**
 * The reader's last part: vote on the chain, have it counted, and find vote and unlock in the history. Throws an Error
 * where anything differs.
 */
export async function playVoter(
  site: Site,
  client: RelayClient,
  press: Published,
  { account, cookie, transactions }: Purchase,
  say: Say,
): Promise<void> {
  const txHash = await writeContract(client, {
    account,
    address: client.place.contracts.reputationRegistry,
    abi: reputationAbi,
    functionName: "giveFeedback",
    args: [BigInt(press.pressId), 1n, 0, "insightful", "", pageUrl(site.origin, press.slug), "", zeroHash],
  });
  await confirmed(client, txHash);
  const { votes, tags } = await visit(site).post("/api/votes/record", { txHash }, Tally);
  if (votes.up !== 1 || votes.down !== 0 || tags.insightful !== 1)
    throw new Error("The vote was not counted.");
  say.step("Voted", `${votes.up} up, ${votes.down} down, insightful`);
  say.step("", txHash);

  const { votes: cast, unlocks } = await history(site, cookie);
  if (!cast.some(({ tx }) => tx === txHash) || !unlocks.some(({ tx }) => transactions.includes(tx))) {
    throw new Error("The history does not show the vote and the unlock.");
  }
  say.step("History", `${unlocks.length} unlock, ${cast.length} vote`);
}

async function history({ origin, signal }: Site, cookie: string): Promise<History> {
  const answer = await fetch(`${origin}/api/me/history`, { signal, headers: { cookie } });
  if (!answer.ok) throw new Error(`The history was answered ${answer.status}: ${await answer.text()}`);
  return History.parse(await answer.json());
}
