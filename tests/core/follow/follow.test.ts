import { beforeEach, expect, test } from "vitest";
import { systemClock } from "../../../core/adapter/system.ts";
import type { Address } from "../../../core/chain/hex.ts";
import { change, countFollowers, list } from "../../../core/follow/index.ts";
import { ChangeInput, type FollowChange, mostChanges, mostFollows } from "../../../core/follow/schema.ts";
import { startPart } from "../../support/provide.ts";
import { startTestTable, type TestTable } from "../../support/table.ts";

const stored = startPart(startTestTable);

let count = 0;
let reader: Address;
beforeEach(() => {
  count += 1;
  reader = makeAddress(count);
});

const makeAddress = (number: number): Address => `0x${number.toString(16).padStart(40, "0")}`;
const writer = makeAddress(0xfeed);
const makePorts = () => ({ table: stored.table, clock: systemClock });
const followAuthor = (on = true, id = writer): FollowChange => ({
  kind: "author",
  id,
  name: "Ann Writer",
  on,
});
const followStock = (id: string, on = true): FollowChange => ({ kind: "stock", id, name: id, on });
const savePress = (id: string, on = true): FollowChange => ({ kind: "saved", id, name: "A headline", on });
const send = (base: number, ...changes: readonly FollowChange[]) =>
  change(makePorts(), reader, { base, changes });
const listIds = ({ entries }: { readonly entries: readonly { readonly id: string }[] }) =>
  entries.map(({ id }) => id).sort();

test("if two devices stored follows before their sign-ins, both lists are merged", async () => {
  await send(0, followAuthor(), followStock("AAPL"));
  expect(listIds(await send(0, followStock("AAPL"), followStock("NVDA"), savePress("a-press-1")))).toEqual(
    [writer, "AAPL", "NVDA", "a-press-1"].sort(),
  );
  expect(await countFollowers(makePorts(), writer)).toBeGreaterThan(0);
});

test("an entry that one device removed is not added again by a device with an older list", async () => {
  const { revision } = await send(0, followStock("AAPL"), savePress("a-press-1"));
  const gone = await send(revision, followStock("AAPL", false), savePress("a-press-1", false));
  for (const stale of [0, revision]) {
    expect(
      listIds(await send(stale, followStock("AAPL"), savePress("a-press-1"), followStock("NVDA"))),
    ).toEqual(["NVDA"]);
  }
  expect(listIds(await send(gone.revision, followStock("AAPL")))).toEqual(["AAPL", "NVDA"]);
});

test("the removal of an entry counts even if it comes from a device with an older list", async () => {
  await send(0, followStock("AAPL"));
  await send(1, followStock("AAPL", false));
  await send(2, followStock("AAPL"));
  expect(listIds(await send(0, followStock("AAPL", false)))).toEqual([]);
});

test("concurrent changes of several devices all count, and each follower is counted once", async () => {
  const before = await countFollowers(makePorts(), writer);
  const stocks = ["AAPL", "NVDA", "TSLA", "MSFT", "AMZN"];
  await Promise.all(stocks.map((id) => send(0, followAuthor(), followStock(id))));
  expect(listIds(await list(makePorts(), reader))).toEqual([writer, ...stocks].sort());
  expect(await countFollowers(makePorts(), writer)).toBe(before + 1);
  await Promise.all([1, 2, 3].map(() => send(0, followAuthor(false))));
  expect(await countFollowers(makePorts(), writer)).toBe(before);
  const { data } = await stored.table.entities.follower.query
    .byFollowed({ followed: `author:${writer}` })
    .go();
  expect(data.filter(({ wallet }) => wallet === reader)).toEqual([]);
});

test("a change is applied to the newest list, even if another device stored a change after the list was read", async () => {
  const { revision } = await send(0, followStock("AAPL"));
  let isOvertaken = false;
  const readBeforeChange: TestTable["table"]["together"] = async (gets) => {
    const found = await stored.table.together(gets);
    if (!isOvertaken) {
      isOvertaken = true;
      await send(revision, followStock("AAPL", false));
    }
    return found;
  };
  const table: TestTable["table"] = Object.assign(Object.create(stored.table), {
    together: readBeforeChange,
  });
  const changes = [followStock("NVDA"), followStock("AAPL")];
  const after = await change({ table, clock: systemClock }, reader, { base: 0, changes });
  expect({ isOvertaken, ids: listIds(after) }).toEqual({ isOvertaken: true, ids: ["NVDA"] });
});

test("a change of one wallet's list leaves other wallets' lists unchanged", async () => {
  await send(0, followStock("AAPL"));
  const mine = await list(makePorts(), reader);
  reader = makeAddress(0xbad);
  await send(0, followStock("AAPL", false), followStock("NVDA"));
  expect(await list(makePorts(), makeAddress(count))).toEqual(mine);
});

test("a wallet may follow a limited number of entries, and no part of a refused change is stored", async () => {
  const { followList } = stored.table.entities;
  await followList.put({ wallet: reader, revision: 7, follows: mostFollows - 1, saved: 0, removed: [] }).go();
  await expect(send(7, followStock("AAPL"), followStock("NVDA"))).rejects.toMatchObject({
    code: "too_many_follows",
  });
  expect(await list(makePorts(), reader)).toMatchObject({ revision: 7, entries: [] });
  expect(listIds(await send(7, followStock("AAPL"), savePress("a-press-1")))).toEqual(["AAPL", "a-press-1"]);
  await expect(send(8, followStock("NVDA"))).rejects.toMatchObject({ code: "too_many_follows" });
});

test("the largest allowed number of changes fits into one transaction", async () => {
  const most = Array.from({ length: mostChanges }, (_, index) =>
    followAuthor(true, makeAddress(0x1000 + index)),
  );
  expect(ChangeInput.safeParse({ base: 0, changes: [...most, followAuthor()] }).success).toBe(false);
  expect((await send(0, ...most)).entries).toHaveLength(mostChanges);
});

test("the name of an entry in a wallet's list is cut to 80 characters, and an entry that appears twice in one change counts once", async () => {
  const long = { ...followStock("AAPL"), name: ` ${"𝐀".repeat(90)}\ud800` };
  const { entries, revision } = await send(0, followStock("AAPL", false), long);
  expect(entries).toEqual([{ kind: "stock", id: "AAPL", name: "𝐀".repeat(80) }]);
  expect(revision).toBe(1);
});
