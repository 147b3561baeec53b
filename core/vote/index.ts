import { lower } from "../chain/hex.ts";
import { tableBusy } from "../error.ts";
import type { Chain } from "../port/chain.ts";
import { type Clock, poll } from "../port/clock.ts";
import type { Settings } from "../port/settings.ts";
import type { AgentItem, PressItem } from "../press/entity.ts";
import type { Table } from "../table.ts";
import { refused, transact } from "../transact.ts";
import { type Ballot, readBallot, refusal } from "./ballot.ts";
import type { VoteItem } from "./entity.ts";
import { type RecordInput, type Tally, type VoteTag, voteTags } from "./schema.ts";

type VotePorts = {
  readonly table: Table;
  readonly clock: Clock;
  readonly chain: Chain;
  readonly settings: Settings;
};

/** How often a vote is written because another request has changed the wallet's vote meanwhile. */
const maxAttempts = 6;

/**
 * Registers a confirmed vote and answers the press's counts (specification §4.6). Of a wallet's votes on a press the
 * newest on the chain is kept, in whatever order they are recorded; one that was recorded before changes nothing. The
 * publisher's own vote is answered like any other, and neither counted nor kept.
 *
 * Throws what `readBallot` throws, `missing` `unknown_press`, and `upstream` `table_busy`.
 */
export async function record(ports: VotePorts, input: RecordInput): Promise<Tally> {
  const registry = ports.settings.contracts.reputationRegistry;
  const ballot = await readBallot({ chain: ports.chain, registry }, lower(input.txHash));
  const found = await readStanding(ports, ballot);
  const { agent } = found;
  // Only a live press has an identity here.
  if (agent === undefined) throw refusal("unknown_press");
  if (ballot.voter !== agent.publisher) await keep(ports, agent, ballot, found);
  return readTally(ports, agent.id);
}

/** What the table knows of a ballot's press and voter. */
type Standing = {
  readonly agent: AgentItem | undefined;
  /** The wallet's vote that is kept. */
  readonly kept: VoteItem | undefined;
  /** Whether the wallet has unlocked the press: its publisher leg is settled. */
  readonly isReader: boolean;
};

/** One consistent request. */
async function readStanding({ table }: VotePorts, { pressId, voter: wallet }: Ballot): Promise<Standing> {
  const { agent, vote, settlement } = table.entities;
  const [press, kept, leg] = await table.together([
    agent.get({ pressId }).params(),
    vote.get({ pressId, wallet }).params(),
    settlement.get({ wallet, pressId, leg: "publisher" }).params(),
  ]);
  return {
    agent: press === undefined ? undefined : (agent.parse(press).data ?? undefined),
    kept: kept === undefined ? undefined : (vote.parse(kept).data ?? undefined),
    isReader: leg !== undefined && settlement.parse(leg).data?.state === "settled",
  };
}

async function keep(ports: VotePorts, agent: AgentItem, ballot: Ballot, first: Standing): Promise<void> {
  const isKept = await poll(ports.clock, { tries: maxAttempts }, async (tried) => {
    const { kept, isReader } = tried === 1 ? first : await readStanding(ports, ballot);
    const next = itemOf(ports, agent, ballot, isReader);
    return !supersedes(next, kept) || (await replace(ports, agent.id, kept, next)) || undefined;
  });
  if (isKept === undefined) throw tableBusy(new Error("Other requests kept changing the vote"));
}

/**
 * Whether a vote takes the kept one's place: when it is later on the chain. The same transaction at another place was
 * moved by a reorganisation, and its newer place is the true one; and its wallet may have unlocked the press since.
 */
function supersedes(next: VoteItem, kept: VoteItem | undefined): boolean {
  if (kept === undefined) return true;
  if (next.txHash !== kept.txHash) return next.position > kept.position;
  return next.position !== kept.position || (next.reader === true && kept.reader !== true);
}

function itemOf({ clock }: VotePorts, agent: AgentItem, ballot: Ballot, reader: boolean): VoteItem {
  const { pressId, slug, headline, stock } = agent;
  const { voter: wallet, value, tag, txHash, position, castAt } = ballot;
  const at = new Date(castAt ?? clock.now()).toISOString();
  return { pressId, wallet, value, tag, txHash, position, at, reader, slug, headline, stock };
}

async function readTally({ table }: VotePorts, id: number): Promise<Tally> {
  const { data } = await table.entities.press.get({ id }).go({ consistent: true });
  if (data === null) throw new Error(`Press ${id} has an identity and is not there`);
  return tally(data);
}

/**
 * Puts a vote in the place of the one that was read, or of none, and changes the press's counts by what that makes of
 * them, all in one transaction. `false` when the kept vote is no longer the one that was read: the counts would be
 * wrong, so nothing is changed. Only the vote is held to a condition: votes of others never make this one wait.
 *
 * Throws `upstream` `table_busy` when other transactions keep touching the press.
 */
async function replace(
  { table, clock }: { readonly table: Table; readonly clock: Clock },
  id: number,
  kept: VoteItem | undefined,
  next: VoteItem,
): Promise<boolean> {
  const { up, down, readerUp, readerDown, tags } = changeFrom(kept, next);
  const outcome = await transact(clock, () =>
    table.transaction
      .write(({ vote, press }) => [
        vote
          .put(next)
          .where((stored, { notExists, eq }) =>
            kept === undefined
              ? notExists(stored.txHash)
              : `${eq(stored.txHash, kept.txHash)} AND ${eq(stored.position, kept.position)} AND ${kept.reader === undefined ? notExists(stored.reader) : eq(stored.reader, kept.reader)}`,
          )
          .commit(),
        press
          .patch({ id })
          .data((stored, { add }) => {
            add(stored.votesUp, up);
            add(stored.votesDown, down);
            add(stored.readerUp, readerUp);
            add(stored.readerDown, readerDown);
            for (const { tag, by } of tags) add(stored.tags[tag], by, 0);
          })
          .commit(),
      ])
      .go(),
  );
  if (!outcome.canceled) return true;
  if (refused(outcome, 0)) return false;
  if (refused(outcome, 1)) throw new Error(`A vote was cast on press ${id}, which is not there`);
  throw tableBusy(outcome);
}

/** A press's votes as everybody sees them: a tag that no vote has any more is not among them. */
export function tally({
  votesUp,
  votesDown,
  tags,
}: Pick<PressItem, "votesUp" | "votesDown" | "tags">): Tally {
  const counted = voteTags.map((tag) => [tag, tags[tag] ?? 0] as const).filter(([, count]) => count > 0);
  return { votes: { up: votesUp, down: votesDown }, tags: Object.fromEntries(counted) };
}

/** Those of a press's votes whose wallets have unlocked it. */
export function readerVotes({ readerUp = 0, readerDown = 0 }: Pick<PressItem, "readerUp" | "readerDown">) {
  return { up: readerUp, down: readerDown };
}

type Said = { readonly value: number; readonly tag: string; readonly reader?: boolean | undefined };

/** By how much a press's counts change. */
type Change = {
  readonly up: number;
  readonly down: number;
  readonly readerUp: number;
  readonly readerDown: number;
  readonly tags: readonly { readonly tag: Exclude<VoteTag, "">; readonly by: number }[];
};

/** What changes when a vote takes the place of the same wallet's earlier one, or of none. */
function changeFrom(before: Said | undefined, after: Said): Change {
  const difference = (holds: (said: Said) => boolean) =>
    Number(holds(after)) - Number(before !== undefined && holds(before));
  return {
    up: difference(({ value }) => value === 1),
    down: difference(({ value }) => value === -1),
    readerUp: difference(({ value, reader }) => value === 1 && reader === true),
    readerDown: difference(({ value, reader }) => value === -1 && reader === true),
    tags: voteTags
      .map((tag) => ({ tag, by: difference((said) => said.tag === tag) }))
      .filter(({ by }) => by !== 0),
  };
}
