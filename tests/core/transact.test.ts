import { beforeAll, describe, expect, test, vi } from "vitest";
import { systemClock, systemIds } from "../../core/adapter/system.ts";
import { readOwn } from "../../core/press/index.ts";
import { save } from "../../core/press/own.ts";
import type { Table } from "../../core/table.ts";
import { transact } from "../../core/transact.ts";
import { ensureTable } from "../../local/database/index.ts";
import { startGatedDatabase } from "../support/gated-database.ts";
import { startPart } from "../support/provide.ts";
import { openTestTable } from "../support/table.ts";
import { makeDraft, makeMarket, publisher } from "./press/newsroom.ts";
import { settings } from "./session/settings.ts";

/** A clock whose waits take no time, and which lists the requested waits. */
function makeWaitClock() {
  const waits: [number, string | undefined][] = [];
  const clock = {
    now: () => 0,
    async sleep(milliseconds: number, how?: "upTo") {
      waits.push([milliseconds, how]);
    },
  };
  return { clock, waits };
}

describe("a table transaction is retried after a conflict or a throttled write", () => {
  test.each([
    ["TransactionConflict", [20, 40, 80, 160, 300, 300, 300, 300, 300, 300, 300]],
    ["ThrottlingError", [300, 300, 300]],
    ["ProvisionedThroughputExceeded", [300, 300, 300]],
  ])(
    "a table transaction that is cancelled only because of %s is retried after random waits, and fails in the end",
    async (code, longest) => {
      const conflict = { canceled: true, data: [{ code: "None" }, { code }] };
      const { clock, waits } = makeWaitClock();
      let attempts = 0;
      const outcome = await transact(clock, async () => {
        attempts += 1;
        return conflict;
      });
      expect(outcome).toBe(conflict);
      expect(attempts).toBe(longest.length + 1);
      expect(waits).toEqual(longest.map((milliseconds) => [milliseconds, "upTo"]));
    },
  );

  test("a table transaction that succeeds, or whose condition fails, is answered without a wait", async () => {
    const { clock, waits } = makeWaitClock();
    for (const outcome of [
      { canceled: false, data: [{}] },
      { canceled: true, data: [{ code: "ConditionalCheckFailed" }] },
      { canceled: true, data: [{ code: "TransactionConflict" }, { code: "ConditionalCheckFailed" }] },
      { canceled: true, data: [{ code: "ThrottlingError" }, { code: "ConditionalCheckFailed" }] },
    ]) {
      expect(await transact(clock, async () => outcome)).toBe(outcome);
    }
    expect(waits).toEqual([]);
  });
});

test("the random waits before a retry are spread over their whole range", async () => {
  const begun = performance.now();
  const waits = await Promise.all(
    Array.from({ length: 50 }, () => systemClock.sleep(100, "upTo").then(() => performance.now() - begun)),
  );
  expect(Math.max(...waits) - Math.min(...waits)).toBeGreaterThan(30);
});

describe("requests that change the same items at the same time are all answered correctly", () => {
  let table: Table;
  const database = startPart(startGatedDatabase);
  beforeAll(async () => {
    vi.stubEnv("AWS_REGION", "us-east-1");
    vi.stubEnv("AWS_ACCESS_KEY_ID", "local");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "local");
    await ensureTable(database.endpoint, "market");
    table = openTestTable(database.client, "market");
  });

  const makePorts = () => ({
    table,
    clock: systemClock,
    ids: systemIds,
    settings,
    market: makeMarket({ now: 327 }),
    // The signature validator's result for an address without code.
    chain: { batch: async () => [{ status: "ok" as const, result: "0x00" }] },
  });

  /** Runs two requests so that the second request conflicts with the first, and then lets the first request continue. */
  async function makeConflict<First, Second>(first: () => Promise<First>, second: () => Promise<Second>) {
    const goOn = await database.holdAtWork(first);
    const met = database.nextConflict();
    const other = second();
    other.catch(() => undefined);
    await met;
    return [await goOn(), other] as const;
  }

  test("a publisher's own press can still be read during a save, and is never reported as missing", async () => {
    const { id } = await save(makePorts(), publisher, makeDraft());
    const headline = "Apple's margins, seen again";
    const [, read] = await makeConflict(
      () => save(makePorts(), publisher, makeDraft({ id, headline })),
      () => readOwn(makePorts(), publisher, String(id)),
    );
    expect((await read).press.headline).toBe(headline);
  });

  test("a single table write is retried until it succeeds", async () => {
    const claim = { id: 1, txHash: "0x01", wallet: publisher, dueAt: 1, expiresAt: 1 } as const;
    const { mint } = table.entities;
    const [, write] = await makeConflict(
      () =>
        table.transaction
          .write((entities) => [entities.mint.put({ ...claim, state: "pending" }).commit()])
          .go(),
      () => mint.put({ ...claim, state: "done" }).go(),
    );
    await write;
    const { data } = await mint.get({ id: 1, txHash: "0x01" }).go({ consistent: true });
    expect(data).toMatchObject({ state: "done" });
  });
});
