import { expect } from "vitest";
import * as z from "zod";
import { prove, proveEach } from "../holds.ts";
import { ask, read, signInOnce, wire } from "../world/ask.ts";
import { makeOnce } from "../world/scene.ts";
import { critic, shelf } from "./shelf.ts";

const PressRef = { slug: z.string(), headline: z.string(), stock: z.string() };
const Vote = z.strictObject({ value: z.int(), tag: z.string(), tx: z.string(), at: z.string(), ...PressRef });
const Unlock = z.strictObject({ tx: z.string(), at: z.string(), ...PressRef, priceUsdg: z.number() });
const History = z.strictObject({ votes: z.array(Vote), unlocks: z.array(Unlock) });

/** The history of the wallet that bought a press and voted on it. */
const history = makeOnce(async () => read(History, "/api/me/history", { cookie: (await shelf()).cookie }));

async function readVoteInHistory(): Promise<z.infer<typeof Vote>> {
  return z.tuple([Vote]).parse((await history()).votes)[0];
}
async function readUnlockInHistory(): Promise<z.infer<typeof Unlock>> {
  return z.tuple([Unlock]).parse((await history()).unlocks)[0];
}

prove("2.7 vote.value", async () => {
  expect((await readVoteInHistory()).value).toBe(1);
  const { votes } = await read(History, "/api/me/history", { cookie: await signInOnce(critic) });
  expect(votes.map(({ value }) => value)).toEqual([-1]);
});

prove("2.7 vote.tag", async () => {
  expect((await readVoteInHistory()).tag).toBe("accurate");
});

prove("2.7 vote.tx", async () => {
  const { tx } = await readVoteInHistory();
  expect(tx).toMatch(wire.hash);
  expect(tx).not.toBe((await readUnlockInHistory()).tx);
});

prove("2.7 unlock.tx", async () => {
  const { publisher } = (await shelf()).purchase;
  expect((await readUnlockInHistory()).tx).toBe(z.object({ tx: z.string() }).parse(publisher.body).tx);
});

proveEach<() => Promise<{ readonly at: string }>>(
  { "2.7 vote.at": readVoteInHistory, "2.7 unlock.at": readUnlockInHistory },
  async (item) => {
    const { at } = await item();
    expect(at).toMatch(wire.time);
    expect(Math.abs(Date.parse(at) - Date.now())).toBeLessThan(300_000);
  },
);

type PressRef = { readonly slug: string; readonly headline: string; readonly stock: string };

proveEach<readonly [item: () => Promise<PressRef>, name: keyof PressRef]>(
  {
    "2.7 vote.slug": [readVoteInHistory, "slug"],
    "2.7 vote.headline": [readVoteInHistory, "headline"],
    "2.7 vote.stock": [readVoteInHistory, "stock"],
    "2.7 unlock.slug": [readUnlockInHistory, "slug"],
    "2.7 unlock.headline": [readUnlockInHistory, "headline"],
    "2.7 unlock.stock": [readUnlockInHistory, "stock"],
  },
  async ([item, name]) => {
    const { body } = await ask(`/api/presses/${(await shelf()).held.slug}`);
    const { press } = z.object({ press: z.record(z.string(), z.unknown()) }).parse(body);
    expect((await item())[name]).toBe(press[name]);
  },
);

prove("2.7 unlock.priceUsdg", async () => {
  expect((await readUnlockInHistory()).priceUsdg).toBe(0.123457);
});

prove("4.7 session", async () => {
  expect((await ask("/api/me/history")).status).toBe(401);
  expect((await ask("/api/me/history", { cookie: "session=nobody" })).status).toBe(401);
});

prove("4.7 reply", async () => {
  const { votes, unlocks } = await history();
  expect([votes.length, unlocks.length]).toEqual([1, 1]);
  const others = await read(History, "/api/me/history", { cookie: await signInOnce(critic) });
  expect(others.unlocks).toEqual([]);
  expect(others.votes.map(({ tx }) => tx)).not.toContain(votes[0]?.tx);
});
