import { zeroHash } from "viem";
import { writeContract } from "viem/actions";
import { reputationAbi } from "../../core/chain/abi.ts";
import { toAddress } from "../../core/chain/hex.ts";
import { DiscoveryDocument } from "../../core/discovery/schema.ts";
import { History } from "../../core/history/schema.ts";
import { pageUrl } from "../../core/press/links.ts";
import { Tally } from "../../core/vote/schema.ts";
import { openClient, type Place } from "../seed/client.ts";
import { type Published, playPublisher } from "./publisher.ts";
import { type Purchase, playReader, playReaderWithoutGas } from "./reader.ts";
import type { Say } from "./wallet.ts";
import { confirmed, type RelayClient, relayClient } from "./wallet.ts";

/**
 * Plays a publisher, then a reader, who votes in the end, and a reader whose wallet has no ETH, against a service on this machine, over its public API
 * alone. Throws an Error at the first thing that is not as it should be.
 */
export async function playDemo(
  site: { readonly origin: string; readonly signal: AbortSignal },
  say: Say,
): Promise<{ readonly press: Published; readonly purchase: Purchase }> {
  const client = relayClient(site.origin, await discover(site.origin));
  const press = await playPublisher(site, client, say);
  const purchase = await playReader(site, client, press, say);
  await playVoter(site, client, press, purchase, say);
  await playReaderWithoutGas(site, client, press, say);
  return { press, purchase };
}

/** What the service says of its chain in its discovery document. */
async function discover(origin: string): Promise<Place> {
  const answer = await fetch(`${origin}/.well-known/x402`);
  if (!answer.ok) throw new Error(`The discovery document was answered ${answer.status}.`);
  const { network, x402, erc8004 } = DiscoveryDocument.parse(await answer.json());
  return {
    chainId: Number(network.caip2.split(":")[1]),
    name: network.name,
    contracts: {
      usdg: toAddress(network.asset.address),
      permit2: toAddress(x402.permit2),
      identityRegistry: toAddress(erc8004.identityRegistry),
      reputationRegistry: toAddress(erc8004.reputationRegistry),
    },
  };
}

type Site = { readonly origin: string; readonly signal: AbortSignal };

/**
 * The reader's last part: vote on the chain, have it counted, and find vote and unlock in the history. Throws an Error
 * where anything differs.
 */
async function playVoter(
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
  const { votes, tags } = await openClient(site).post("/api/votes/record", { txHash }, Tally);
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
