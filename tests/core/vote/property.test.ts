import * as fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { type Hex, lower } from "../../../core/chain/hex.ts";
import { record } from "../../../core/vote/index.ts";
import { Tally, voteTags } from "../../../core/vote/schema.ts";
import { provide } from "../../support/provide.ts";
import { castAll, list, publisherAccount, readTally, startPolls, voters } from "./polls.ts";

/** The random cases are the same in every run, unless `MODEL_SEED` sets another seed. */
const { MODEL_SEED = "20261120", VOTE_RUNS = "12" } = process.env;

const wallets = voters.slice(0, 3);
const presses = 2;

/** A vote on the chain. */
type ChainVote = {
  readonly hash: Hex;
  readonly wallet: Hex;
  readonly pressId: number;
  readonly value: bigint;
  readonly tag: string;
};

let pressIds: readonly number[];
/** All votes in the order of the chain. */
let chain: readonly ChainVote[];

const polls = provide(startPolls);
beforeAll(async () => {
  const listings: number[] = [];
  while (listings.length < presses) listings.push(await list(polls));
  pressIds = listings;
  const [votes = []] = fc.sample(fc.array(makeArbitraryVote(), { minLength: 48, maxLength: 48 }), {
    numRuns: 1,
    seed: Number(MODEL_SEED),
  });
  const cast = votes.map(({ wallet, press, ...said }) => ({
    account: wallets[wallet] ?? publisherAccount,
    pressId: pressIds[press] ?? 0,
    said,
  }));
  const hashes = await castAll(polls, cast);
  chain = cast.map(({ account, pressId, said }, index) => ({
    ...said,
    hash: hashes[index] ?? "0x",
    wallet: lower(account.address),
    pressId,
  }));
});

function makeArbitraryVote() {
  return fc.record({
    wallet: fc.nat(wallets.length - 1),
    press: fc.nat(presses - 1),
    value: fc.constantFrom(1n, -1n),
    tag: fc.constantFrom(...voteTags, "", "unknown"),
  });
}

/** Generates batches of votes. The votes of a batch are recorded at once, and a vote may be recorded many times or never. */
const work = fc.array(fc.array(fc.nat(47), { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 8 });

test("the counts include only each wallet's newest recorded vote, in whatever order and however often votes are recorded", async () => {
  await fc.assert(
    fc.asyncProperty(work, async (batches) => {
      await deleteVotes();
      const recorded: ChainVote[] = [];
      for (const batch of batches) {
        const casts = batch.flatMap((index) => chain[index] ?? []);
        const answers = await Promise.all(casts.map(({ hash }) => record(polls.ports, { txHash: hash })));
        for (const answer of answers) Tally.strict().parse(answer);
        recorded.push(...casts);
        for (const pressId of pressIds)
          expect(await readTally(polls, pressId)).toEqual(countVotes(recorded, pressId));
        const [only] = casts;
        if (casts.length === 1 && only !== undefined)
          expect(answers[0]).toEqual(countVotes(recorded, only.pressId));
      }
    }),
    { seed: Number(MODEL_SEED), numRuns: Number(VOTE_RUNS) },
  );
});

/** A simple model of specification §4.6, which counts the recorded votes. */
function countVotes(recorded: readonly ChainVote[], pressId: number): Tally {
  const seen = new Set(recorded);
  const newest = new Map<Hex, ChainVote>();
  for (const cast of chain) if (seen.has(cast) && cast.pressId === pressId) newest.set(cast.wallet, cast);
  const kept = [...newest.values()];
  const tags = voteTags.map((tag) => [tag, kept.filter((cast) => cast.tag === tag).length] as const);
  return {
    votes: {
      up: kept.filter(({ value }) => value === 1n).length,
      down: kept.filter(({ value }) => value === -1n).length,
    },
    tags: Object.fromEntries(tags.filter(([, count]) => count > 0)),
  };
}

/** Deletes all votes in the table; the votes stay on the chain. */
async function deleteVotes(): Promise<void> {
  const { vote, press } = polls.ports.table.entities;
  for (const pressId of pressIds) {
    for (const { address } of wallets) await vote.delete({ pressId, wallet: lower(address) }).go();
    await press
      .patch({ id: pressId + 1000 })
      .set({ votesUp: 0, votesDown: 0, tags: {} })
      .go();
  }
}
