import { describe, expect, test } from "vitest";
import { Unsent } from "../../../core/chain/call.ts";
import { call, failureOf, named, ok, place, sending, troubles } from "./place.ts";
import { nowhere, upstream } from "./upstream.ts";

describe("what sends", () => {
  test.each(troubles.filter(({ trouble }) => !/limited|429/.test(trouble)))(
    "goes to one node only when that $trouble: it may have it",
    async ({ say, times = {} }) => {
      const [ill, well] = [await upstream(say), await upstream(named("well"))];
      const chain = place({ times }).open(ill, well);
      const error = await failureOf(chain.batch([sending]));
      expect(error.code).toBe("chain_unavailable");
      expect(error.cause).not.toBeInstanceOf(Unsent);
      expect([ill.count(sending.method), well.count(sending.method)]).toEqual([1, 0]);
    },
  );

  test.each(troubles.filter(({ trouble }) => /limited|429/.test(trouble)))(
    "goes on to the next when a node $trouble: it has done nothing",
    async ({ say }) => {
      const [ill, well] = [await upstream(say), await upstream(named("well"))];
      expect(await place().open(ill, well).batch([sending])).toEqual(ok("well"));
      expect(well.count(sending.method)).toBe(1);
    },
  );

  test("goes on to the next when nobody is at an address, and says when nobody was anywhere", async () => {
    const well = await upstream(named("well"));
    expect(
      await place()
        .open(await nowhere(), well)
        .batch([sending]),
    ).toEqual(ok("well"));
    const error = await failureOf(
      place()
        .open(await nowhere(), await nowhere())
        .batch([sending]),
    );
    expect(error.cause).toBeInstanceOf(Unsent);
  });

  test("does not go on after a node that refused one call of several", async () => {
    const ill = await upstream(({ method }) =>
      method === "eth_call" ? { error: { code: -32005, message: "limit" } } : { result: "0xhash" },
    );
    const second = await upstream(named("second"));
    expect(await place().open(ill, second).batch([sending, call])).toMatchObject([
      { status: "ok", result: "0xhash" },
      { status: "failed", code: -32005 },
    ]);
    expect(second.count(sending.method)).toBe(0);
  });

  test("is no trial for a node that failed: one that is well gets it", async () => {
    const [ill, well] = [await upstream(() => "hang up"), await upstream(named("well"))];
    const { open, pass } = place();
    const chain = open(ill, well);
    await chain.batch([call]);
    pass(60_000);
    expect(await chain.batch([sending])).toEqual(ok("well"));
    expect(ill.count(sending.method)).toBe(0);
  });
});
