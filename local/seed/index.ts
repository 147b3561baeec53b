import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { type LocalAccount, zeroHash } from "viem";
import { getTransactionCount, waitForTransactionReceipt, writeContract } from "viem/actions";
import * as z from "zod";
import { reputationAbi } from "../../core/chain/abi.ts";
import { mainnet } from "../../core/chain/deployment.ts";
import type { Hex } from "../../core/chain/hex.ts";
import { toPrice } from "../../core/market/schema.ts";
import {
  addPrice,
  drawOutline,
  findItemKey,
  formatDay,
  type OverviewStocks,
  overviewKey,
  yearPart,
} from "../../core/market/series.ts";
import { makePageUrl } from "../../core/press/links.ts";
import { openTable, type Table } from "../../core/table.ts";
import { Tally, type VoteTag, type VoteValue } from "../../core/vote/schema.ts";
import { getTestAccount } from "../devnet/accounts.ts";
import { ASSETS, computeTokenPrice, makeAssetReply } from "../market/assets.ts";
import { tableName } from "../settings.ts";
import { publishers } from "./articles.ts";
import { type LocalSite, makeChainClient, openClient, publish, signIn } from "./client.ts";

const List = z.object({ presses: z.array(z.unknown()) });

/**
 * If no press is live yet, publishes the demo presses through the API, for all publishers at the same time. Then readers vote on the
 * presses. `onBegin` is called before the first press is published. Returns the number of published presses. Throws an Error that contains
 * the refusal if a press or a vote is refused.
 */
export async function seedPresses(
  site: LocalSite & { readonly rpcUrl: string; readonly onBegin?: () => void },
): Promise<number> {
  const { signal, origin, rpcUrl } = site;
  const answer = await fetch(`${origin}/api/presses?limit=1`, { signal });
  if (!answer.ok) throw new Error(`/api/presses answered with ${answer.status}: ${await answer.text()}`);
  if (List.parse(await answer.json()).presses.length > 0) return 0;
  site.onBegin?.();

  const published = await Promise.all(
    publishers.map(async ({ account: index, publisherName, articles }) => {
      const account = getTestAccount(index);
      const publisher = { client: await signIn(site, account), account, publisherName, rpcUrl };
      // The transactions of one wallet are sent one after another, because their nonces must be in order.
      const live = [];
      for (const article of articles) live.push(await publish(publisher, article));
      return live;
    }),
  );
  await castVotes(site, published.flat());
  return published.flat().length;
}

type VotedPress = { readonly slug: string; readonly pressId: number };

type SeedVote = { readonly value: VoteValue; readonly tag: VoteTag };

const makeUpVote = (tag: VoteTag): SeedVote => ({ value: 1, tag });
const makeDownVote = (tag: VoteTag): SeedVote => ({ value: -1, tag });
const sourced = makeUpVote("well-sourced");
const accurate = makeUpVote("accurate");
const insightful = makeUpVote("insightful");
const none = undefined;

/**
 * The readers' votes. Each reader's `opinions` have one entry for each demo press, in the order of the presses: a vote, or `undefined` for
 * no vote. The readers are test accounts that publish nothing.
 */
const readers: readonly { readonly account: number; readonly opinions: readonly (SeedVote | undefined)[] }[] =
  [
    { account: 1, opinions: [sourced, accurate, insightful, none, insightful, accurate] },
    { account: 2, opinions: [sourced, accurate, none, makeUpVote(""), makeDownVote("biased"), insightful] },
    { account: 3, opinions: [accurate, none, accurate, makeDownVote("outdated"), insightful, none] },
  ];

/** Lets the readers send their votes to the chain in parallel, and records these votes through the API (specification §4.6). */
async function castVotes(
  site: LocalSite & { readonly rpcUrl: string },
  presses: readonly VotedPress[],
): Promise<void> {
  const visitor = openClient(site);
  const chain = makeChainClient(site.rpcUrl);
  await Promise.all(
    readers.map(async ({ account, opinions }) => {
      const votes = presses.flatMap((press, place) => {
        const opinion = opinions[place];
        return opinion === undefined
          ? []
          : [{ ...press, ...opinion, page: makePageUrl(site.origin, press.slug) }];
      });
      for (const txHash of await sendVotes(chain, getTestAccount(account), votes)) {
        await waitForTransactionReceipt(chain, { hash: txHash });
        await visitor.post("/api/votes/record", { txHash }, Tally);
      }
    }),
  );
}

/** The gas limit of a vote: twice the maximum that a vote needs. Estimating the gas would take longer than the vote itself. */
const gas = 450_000n;

/** Sends a wallet's votes one after another, without waiting for each vote to be confirmed. */
async function sendVotes(
  chain: ReturnType<typeof makeChainClient>,
  account: LocalAccount,
  votes: readonly (VotedPress & SeedVote & { readonly page: string })[],
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

const minute = 60_000;
const day = 24 * 60 * minute;

/**
 * Writes the prices of the market stand-in for the last week and the last year into the table, in the form in which `market-record` stores
 * prices. Charts need these past prices, and the source of prices does not have them. If the table already has prices, no price is written.
 * `now` is the time in milliseconds since the epoch.
 */
export async function seedPrices(endpoint: string, now: number): Promise<void> {
  const client = new DynamoDBClient({
    endpoint,
    region: "us-east-1",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
  });
  try {
    const table = openTable(DynamoDBDocumentClient.from(client), tableName);
    const { data } = await table.entities.overview.get(overviewKey).go({ consistent: true });
    if (data === null) await writePrices(table, now);
  } finally {
    client.destroy();
  }
}

async function writePrices(table: Table, now: number): Promise<void> {
  const courses: Record<string, OverviewStocks[string]> = {};
  for (const asset of ASSETS) {
    const { symbol, address, chainId, status } = asset;
    const computePrice = (moment: number) => toPrice(computeTokenPrice(asset, moment) ?? 0);
    if (chainId !== ASSETS[0]?.chainId || status !== "ASSET_STATUS_ACTIVE") continue;
    const listing = {
      symbol,
      name: makeAssetReply(asset).tokenName,
      address: address.toLowerCase(),
      multiplier: 1,
    };
    const items = new Map<string, { expiresAt: number; last: number; points: number[] }>();
    // The seed writes one price for each quarter of an hour of the last week, because one price for each minute would slow the start down.
    for (let moment = now - 7 * day; moment < now; moment += 15 * minute) {
      const price = computePrice(moment);
      const place = findItemKey(moment);
      const points = [...(items.get(place.part)?.points ?? []), place.minute, price];
      items.set(place.part, { expiresAt: place.expiresAt, last: place.minute, points });
      courses[symbol] = addPrice(courses[symbol], listing, { at: moment, price });
    }
    const year = Array.from({ length: 365 }, (_, ago) => Math.floor(now / day) - 365 + ago);
    const course = courses[symbol];
    const closes = year.map((days) => ({
      day: formatDay(days * day),
      mid: computePrice((days + 1) * day - minute),
    }));
    if (course !== undefined) courses[symbol] = { ...course, outline: drawOutline(closes) };
    await table.entities.series
      .put([
        ...[...items].map(([part, item]) => ({ symbol, part, ...item })),
        {
          symbol,
          part: yearPart,
          points: year.flatMap((days) => [days, computePrice((days + 1) * day - minute)]),
        },
      ])
      .go();
  }
  await table.entities.overview.put({ ...overviewKey, stocks: courses }).go();
}
