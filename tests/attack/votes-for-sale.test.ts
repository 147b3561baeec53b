import type { HDAccount } from "viem/accounts";
import { beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { makeMemoryJournal, openMarket, robinhoodChain } from "../../client/index.ts";
import { ListedPress } from "../../core/press/schema.ts";
import { chooseFront, findLeadCost } from "../../core/rank/schema.ts";
import { publishers } from "../../local/seed/articles.ts";
import { type Press, startBearers } from "../support/bearers.ts";
import { publishApproved } from "../support/demo-press.ts";
import { makeHttpClient } from "../support/http-payer.ts";
import { encodeVote, getTestAccount, reputationRegistry, send } from "../support/payment.ts";
import { startPart } from "../support/provide.ts";
import { makeAccount } from "../support/wallets.ts";

/**
 * Every wallet may vote at the cost of a little gas. In the past, five new wallets could make a new press the lead of the front page for
 * 331,630 gas in total. Answers that rank, sum up or recommend presses must ignore small payments, payments of authors to themselves, and
 * votes of wallets that have not paid.
 */
/** The older press, which ranks below the other presses. */
let press: Press;
const publisher = getTestAccount(4);

const world = startPart(startBearers);
beforeAll(async () => {
  [press] = world.presses;
});

/** Casts a vote for the press on the chain, and lets the service record this vote. Returns the service's answer. */
async function vote(account: HDAccount, { pressId }: Pick<Press, "pressId"> = press) {
  const data = encodeVote(pressId, { tag: "insightful" });
  const { transactionHash: txHash } = await send(world, account, reputationRegistry, data);
  const { status, body } = await makeHttpClient(world.service.origin).ask("/api/votes/record", {
    body: { txHash },
  });
  expect(status).toBe(200);
  return body;
}

const Presses = z.object({ presses: z.array(ListedPress) });
const read = (path: string) => makeHttpClient(world.service.origin).read(path);
const callTool = (name: string, args: object) => makeHttpClient(world.service.origin).callTool(name, args);

/**
 * The specification demands these names for the JSON members that contain numbers of votes. Every vote changes these counts of
 * votes, but no rank and no total depends on the counts.
 */
const specified = new Set(["votes", "tags"]);
const removeCounts = (value: unknown) =>
  JSON.parse(JSON.stringify(value, (name, member) => (specified.has(name) ? undefined : member)));

/** All answers that rank, sum up or recommend presses. */
async function readRanking() {
  const { presses } = Presses.parse(JSON.parse(await read("/api/presses")));
  const { lead, read: most, rated } = chooseFront(presses, Date.now());
  const author = JSON.parse(await read(`/api/authors/${publisher.address}`));
  return {
    front: {
      lead: lead?.slug,
      read: most.map(({ slug }) => slug),
      rated: rated.map(({ slug }) => slug),
    },
    list: presses.map(removeCounts),
    totals: author.totals,
    author: removeCounts(author.presses),
    feed: await read("/feed.xml"),
    llms: await read("/llms.txt"),
    sitemap: await read("/sitemap.xml"),
    found: removeCounts(await callTool("search_presses", {})),
    told: removeCounts(await callTool("author", { wallet: publisher.address })),
  };
}

test("votes of five wallets that have paid nothing change no rank, no total, no feed and no answer of a tool", async () => {
  const before = await readRanking();
  expect(before.front.lead).not.toBe(press.slug);
  for (let index = 0; index < 5; index += 1) {
    const account = makeAccount();
    await world.client.setBalance({ address: account.address, value: 10n ** 16n });
    expect(await vote(account)).toMatchObject({ votes: { up: index + 1, down: 0 } });
  }
  expect(await readRanking()).toEqual(before);
});

/** Buys the press as the client program does. */
const buy = (account: HDAccount, slug: string) =>
  openMarket({
    origin: world.service.origin,
    account,
    journal: makeMemoryJournal(),
    place: robinhoodChain,
  }).buy(slug, { maxPriceUsdg: 30 });

async function readStanding(slug: string) {
  const { presses } = Presses.parse(JSON.parse(await read("/api/presses")));
  const found = presses.find((candidate) => candidate.slug === slug);
  return found?.standing;
}

test("votes of wallets that have paid little do not make a press the lead or the best-rated press, and count in proportion to the wallets' payments", async () => {
  for (let index = 0; index < 3; index += 1) {
    const reader = await world.makeReader(press);
    const { header } = await world.sign(reader, press, "publisher");
    expect(await world.request(press, "publisher", header)).toMatchObject({ status: 200 });
    await vote(reader.account);
  }
  expect(await readRanking()).toMatchObject({
    front: { rated: [] },
    totals: { reads: 3, votes: { up: 3, down: 0 } },
  });
  expect((await readRanking()).front.lead).toBeUndefined();
  expect(await readStanding(press.slug)).toEqual({
    reads: 3,
    readFees: "75000",
    voterFees: "75000",
    upFees: "75000",
    downFees: "0",
  });
});

test("payments by an author for the author's own press change no rank or total, and payments by other wallets change both the rank and the totals", async () => {
  const [author, reader] = [getTestAccount(5), getTestAccount(6)];
  const [article] = publishers[1]?.articles ?? [];
  if (article === undefined) throw new Error("There is no article to publish");
  const dear = await publishApproved(world.service, author, {
    ...article,
    priceUsdg: 30,
    publisherName: "Q",
  });
  await buy(author, dear.slug);
  const { presses } = Presses.parse(JSON.parse(await read("/api/presses")));
  expect(await readStanding(dear.slug)).toMatchObject({ reads: 0, readFees: "0" });
  expect(presses.find(({ slug }) => slug === dear.slug)?.reads).toBe(1);
  expect((await readRanking()).front).toMatchObject({ lead: undefined, read: [] });

  const cost = findLeadCost(
    presses.filter(({ slug }) => slug !== dear.slug),
    Date.now(),
  );
  expect(cost).toBe(1.5);
  await buy(reader, dear.slug);
  await vote(reader, dear);
  expect(await readStanding(dear.slug)).toMatchObject({ reads: 1, readFees: "3000000", upFees: "3000000" });
  expect((await readRanking()).front).toEqual({ lead: dear.slug, read: [dear.slug], rated: [dear.slug] });
});
