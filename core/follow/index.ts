import { type Address, toAddress } from "../chain/hex.ts";
import { AppError, makeBusyError } from "../error.ts";
import { hashSecret, type Ids } from "../port/clock.ts";
import type { AllPorts } from "../ports.ts";
import { type Action, commit, type WriteEntities } from "../transact.ts";
import { type ChangeInput, type FollowChange, type Follows, mostFollows, mostSaved } from "./schema.ts";

type Ports = Pick<AllPorts, "table" | "clock">;

/** The maximum number of removals that a wallet's list remembers. */
const mostRemoved = 100;

/** The maximum number of characters in a name. */
const nameLength = 80;

/** The maximum number of times that a change is started again because another request has changed the same list or feed address. */
const attempts = 8;

/**
 * The authors and stocks that the wallet follows and the articles that it has saved, the newest first. The function makes two table
 * requests at the same time.
 */
export async function list({ table }: Pick<Ports, "table">, wallet: Address): Promise<Follows> {
  const { follow, followList, privateFeed } = table.entities;
  const [[head, feed], { data }] = await Promise.all([
    table.together([followList.get({ wallet }).params(), privateFeed.get({ wallet }).params()]),
    follow.query.byWallet({ wallet }).go({ consistent: true, pages: "all" }),
  ]);
  return {
    revision: head === undefined ? 0 : (followList.parse(head).data?.revision ?? 0),
    hasFeed: feed !== undefined,
    entries: data
      .toSorted((one, other) => other.revision - one.revision)
      .map(({ kind, target: id, name }) => ({ kind, id, name })),
  };
}

/**
 * Makes the given changes to the wallet's list of followed authors, followed stocks and saved articles, and returns the whole list. If one
 * change fails, no change is made. A removal always takes effect. An entry that was removed at a revision above `base` is not added again,
 * because the device that sends the request does not know of the removal and must not undo it. Throws `too_many_follows` (`conflict`), and
 * `table_busy` (`upstream`).
 */
export async function change(
  ports: Ports,
  wallet: Address,
  { base, changes }: ChangeInput,
): Promise<Follows> {
  const last = new Map(changes.map((change) => [`${change.kind}:${change.id}`, change]));
  for (let left = attempts; left > 0; left -= 1) {
    const state = await readState(ports, wallet, last);
    const due = [...last].flatMap(([key, change]) => {
      const stored = state.stored.get(key);
      if (change.on === (stored !== undefined)) return [];
      const unheard = state.removed.some((gone) => gone.key === key && gone.revision > base);
      return change.on && unheard ? [] : [{ key, change, stored }];
    });
    if (due.length === 0) return list(ports, wallet);
    const outcome = await commit(ports, (entities) => makeWrites(entities, wallet, state, due));
    if (outcome.done) return list(ports, wallet);
    if (outcome.refused.size === 0) break;
  }
  throw makeBusyError(new Error("During every attempt, other requests changed the list"));
}

/** Counts the wallets that follow the author, with one consistent read. */
export async function countFollowers({ table }: Pick<Ports, "table">, author: Address): Promise<number> {
  const { data } = await table.entities.followers
    .get({ followed: `author:${author}` })
    .go({ consistent: true });
  return data?.count ?? 0;
}

type ListState = {
  /** The revision of a wallet's list; `undefined` if the wallet has never changed its list. */
  readonly revision: number | undefined;
  readonly follows: number;
  readonly saved: number;
  readonly removed: readonly { readonly key: string; readonly revision: number }[];
  /** The revision of each requested entry that exists, by the entry's key. */
  readonly stored: ReadonlyMap<string, number>;
};

/** With one consistent request, reads the record with the revision of a wallet's list, and the entries that the changes concern. */
async function readState(
  { table }: Ports,
  wallet: Address,
  changes: ReadonlyMap<string, FollowChange>,
): Promise<ListState> {
  const { follow, followList } = table.entities;
  const asked = [...changes].map(([key, { kind, id: target }]) => ({ key, kind, target }));
  const [head, ...found] = await table.together([
    followList.get({ wallet }).params(),
    ...asked.map(({ kind, target }) => follow.get({ wallet, kind, target }).params()),
  ]);
  const known = head === undefined ? null : followList.parse(head).data;
  const stored = asked.flatMap(({ key }, index) => {
    const item = found[index];
    const data = item === undefined ? null : follow.parse(item).data;
    return data === null ? [] : [[key, data.revision] as const];
  });
  return {
    revision: known?.revision,
    follows: known?.follows ?? 0,
    saved: known?.saved ?? 0,
    removed: known?.removed ?? [],
    stored: new Map(stored),
  };
}

type DueChange = {
  readonly key: string;
  readonly change: FollowChange;
  /** The revision that the list got when the stored entry was added. */
  readonly stored: number | undefined;
};

/** Throws `too_many_follows` (`conflict`). */
function makeWrites(
  entities: WriteEntities,
  wallet: Address,
  { revision: before, ...state }: ListState,
  due: readonly DueChange[],
): Readonly<Record<string, Action>> {
  const revision = (before ?? 0) + 1;
  const computeGrowth = (of: readonly DueChange[]) =>
    of.reduce((sum, { change }) => sum + (change.on ? 1 : -1), 0);
  const follows = state.follows + computeGrowth(due.filter(({ change }) => change.kind !== "saved"));
  const saved = state.saved + computeGrowth(due.filter(({ change }) => change.kind === "saved"));
  if ((follows > mostFollows && follows > state.follows) || (saved > mostSaved && saved > state.saved)) {
    throw new AppError(
      "conflict",
      "too_many_follows",
      `A wallet can follow at most ${mostFollows} authors and stocks, and save at most ${mostSaved} articles. Nothing was changed: remove some entries first.`,
    );
  }
  const gone = due.filter(({ change }) => !change.on).map(({ key }) => ({ key, revision }));
  const removed = [...gone, ...state.removed.filter(({ key }) => due.every((one) => one.key !== key))];
  return {
    head: entities.followList
      .put({ wallet, revision, follows, saved, removed: removed.slice(0, mostRemoved) })
      .where((stored, { eq, notExists }) =>
        before === undefined ? notExists(stored.revision) : eq(stored.revision, before),
      )
      .commit(),
    ...Object.assign({}, ...due.map((one) => makeEntryWrites(entities, wallet, one, revision))),
  };
}

/**
 * The writes for one entry of the list. For an author or a stock, the function also returns the writes that change the stored follower and
 * the number of followers.
 */
function makeEntryWrites(
  entities: WriteEntities,
  wallet: Address,
  { key, change: { kind, id: target, name, on }, stored: before }: DueChange,
  revision: number,
): Readonly<Record<string, Action>> {
  const { follow, follower, followers } = entities;
  const called = Array.from(name.trim()).slice(0, nameLength).join("").toWellFormed();
  const own = on
    ? follow.create({ wallet, kind, target, name: called, revision }).commit()
    : follow
        .delete({ wallet, kind, target })
        .where((stored, { eq }) => eq(stored.revision, before ?? 0))
        .commit();
  if (kind === "saved") return { [key]: own };
  return {
    [key]: own,
    [`follower ${key}`]: on
      ? follower.put({ followed: key, wallet }).commit()
      : follower.delete({ followed: key, wallet }).commit(),
    [`count ${key}`]: followers
      .update({ followed: key })
      .add({ count: on ? 1 : -1 })
      .commit(),
  };
}

type FeedPorts = Pick<AllPorts, "table" | "clock"> & { readonly ids: Pick<Ids, "secret"> };

/**
 * Makes a new private feed address for the wallet, or removes the feed address. The earlier feed address always stops working, even if no
 * new feed address is made. Returns the secret token of the new feed address. The token can be shown only once, because the table stores
 * only the token's SHA-256 hash. Throws `table_busy` (`upstream`).
 */
export async function renewFeed(ports: FeedPorts, wallet: Address, on: boolean): Promise<string | undefined> {
  const { privateFeed } = ports.table.entities;
  for (let left = attempts; left > 0; left -= 1) {
    const { data } = await privateFeed.get({ wallet }).go({ consistent: true });
    const before = data?.hash;
    if (!on && before === undefined) return undefined;
    const token = on ? ports.ids.secret() : undefined;
    const outcome = await commit(ports, (entities) => ({
      own:
        token === undefined
          ? entities.privateFeed
              .delete({ wallet })
              .where(({ hash }, { eq }) => eq(hash, before ?? ""))
              .commit()
          : entities.privateFeed
              .put({ wallet, hash: hashSecret(token) })
              .where(({ hash }, { eq, notExists }) =>
                before === undefined ? notExists(hash) : eq(hash, before),
              )
              .commit(),
      ...(token !== undefined && {
        token: entities.feedToken.create({ hash: hashSecret(token), wallet }).commit(),
      }),
      ...(before !== undefined && { earlier: entities.feedToken.delete({ hash: before }).commit() }),
    }));
    if (outcome.done) return token;
    if (outcome.refused.size === 0) break;
  }
  throw makeBusyError(new Error("During every attempt, other requests renewed the feed's address"));
}

/** With one consistent read, finds the wallet that owns the private feed of the given secret token. Throws `unknown_feed` (`missing`). */
export async function findFeedOwner({ table }: Pick<Ports, "table">, token: string): Promise<Address> {
  const { data } = await table.entities.feedToken.get({ hash: hashSecret(token) }).go({ consistent: true });
  if (data !== null) return toAddress(data.wallet);
  throw new AppError("missing", "unknown_feed", "The owner renewed or removed this feed's address.");
}
