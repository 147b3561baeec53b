import { type LocalAccount, zeroHash } from "viem";
import { getTransactionCount, waitForTransactionReceipt, writeContract } from "viem/actions";
import * as z from "zod";
import { reputationAbi } from "../../core/chain/abi.ts";
import { mainnet } from "../../core/chain/deployment.ts";
import type { Hex } from "../../core/chain/hex.ts";
import { pageUrl } from "../../core/press/links.ts";
import { Tally, type VoteTag, type VoteValue } from "../../core/vote/schema.ts";
import { testAccount } from "../devnet/accounts.ts";
import { publishers } from "./articles.ts";
import { chainClient, openClient, publish, type Site, signIn } from "./client.ts";

const List = z.object({ presses: z.array(z.unknown()) });

/**
 * Publishes the demo presses through the API itself, publishers at the same time, and lets readers vote on them, where
 * no press is live yet; `onBegin` is called before the first. Answers how many were published. Throws an Error with the
 * refusal when one is refused.
 */
export async function seedPresses(
  site: Site & { readonly rpcUrl: string; readonly onBegin?: () => void },
): Promise<number> {
  const { signal, origin, rpcUrl } = site;
  const answer = await fetch(`${origin}/api/presses?limit=1`, { signal });
  if (!answer.ok) throw new Error(`/api/presses answered ${answer.status}: ${await answer.text()}`);
  if (List.parse(await answer.json()).presses.length > 0) return 0;
  site.onBegin?.();

  const published = await Promise.all(
    publishers.map(async ({ account: index, publisherName, articles }) => {
      const account = testAccount(index);
      const publisher = { client: await signIn(site, account), account, publisherName, rpcUrl };
      // One wallet's transactions go one after another, so that their nonces do.
      const live = [];
      for (const article of articles) live.push(await publish(publisher, article));
      return live;
    }),
  );
  await voteOn(site, published.flat());
  return published.flat().length;
}

type VotedPress = { readonly slug: string; readonly pressId: number };

type Opinion = { readonly value: VoteValue; readonly tag: VoteTag };

const up = (tag: VoteTag): Opinion => ({ value: 1, tag });
const down = (tag: VoteTag): Opinion => ({ value: -1, tag });
const silent = undefined;

/** What readers think of each demo press, in the order in which they are listed: test accounts that publish none. */
const readers: readonly { readonly account: number; readonly opinions: readonly (Opinion | undefined)[] }[] =
  [
    {
      account: 1,
      opinions: [
        up("well-sourced"),
        up("accurate"),
        up("insightful"),
        silent,
        up("insightful"),
        up("accurate"),
      ],
    },
    {
      account: 2,
      opinions: [up("well-sourced"), up("accurate"), silent, up(""), down("biased"), up("insightful")],
    },
    {
      account: 3,
      opinions: [up("accurate"), silent, up("accurate"), down("outdated"), up("insightful"), silent],
    },
  ];

/** Lets the readers vote on the chain, all at once, and records what they said (specification §4.6). */
async function voteOn(
  site: Site & { readonly rpcUrl: string },
  presses: readonly VotedPress[],
): Promise<void> {
  const visitor = openClient(site);
  const chain = chainClient(site.rpcUrl);
  await Promise.all(
    readers.map(async ({ account, opinions }) => {
      const votes = presses.flatMap((press, place) => {
        const opinion = opinions[place];
        return opinion === undefined
          ? []
          : [{ ...press, ...opinion, page: pageUrl(site.origin, press.slug) }];
      });
      for (const txHash of await cast(chain, testAccount(account), votes)) {
        await waitForTransactionReceipt(chain, { hash: txHash });
        await visitor.post("/api/votes/record", { txHash }, Tally);
      }
    }),
  );
}

/** Gas units: twice what a vote takes. Asking for it takes longer than voting. */
const gas = 120_000n;

/** Sends a wallet's votes without waiting for one before the next. */
async function cast(
  chain: ReturnType<typeof chainClient>,
  account: LocalAccount,
  votes: readonly (VotedPress & Opinion & { readonly page: string })[],
): Promise<readonly Hex[]> {
  const nonce = await getTransactionCount(chain, { address: account.address });
  const hashes: Hex[] = [];
  for (const [index, { pressId, value, tag, page }] of votes.entries()) {
    const args = [BigInt(pressId), BigInt(value), 0, tag, "", page, "", zeroHash] as const;
    hashes.push(
      await writeContract(chain, {
        account,
        address: mainnet.contracts.reputationRegistry,
        abi: reputationAbi,
        functionName: "giveFeedback",
        args,
        nonce: nonce + index,
        gas,
      }),
    );
  }
  return hashes;
}
