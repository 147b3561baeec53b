import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Reading } from "../../../core/audit/reading.ts";
import { auditLimit, type Reviewer } from "../../../core/audit/schema.ts";
import { AppError } from "../../../core/error.ts";
import type { Chain } from "../../../core/port/chain.ts";
import { startPart } from "../../support/provide.ts";
import { startTestTable } from "../../support/table.ts";
import { readPress } from "../press/newsroom.ts";
import {
  appleMarket,
  kindReviewer,
  makeChainWithBalance,
  makeReviewer,
  startAuditOfNewPress,
  startAudits,
} from "./parts.ts";
import { soundReading } from "./sample.ts";

const database = startPart(startTestTable);

/** A node that fails the given number of times before it answers. */
function makeFailingNode(times: number): Chain & { readonly calls: number } {
  const real = makeChainWithBalance(0n);
  let calls = 0;
  return {
    get calls() {
      return calls;
    },
    async batch(list) {
      calls += 1;
      if (calls <= times) throw new AppError("upstream", "chain_unavailable", "No answer.");
      return real.batch(list);
    },
  };
}

describe("an audit that fails changes neither the draft nor the draft's number of audits", () => {
  const before = { status: "revise", auditCount: 3 } as const;

  async function expectFailure(
    { run, id, table }: Awaited<ReturnType<typeof startAuditOfNewPress>>,
    code = "audit_unavailable",
  ) {
    const untouched = await readPress(table, id);
    await expect(run(id)).rejects.toMatchObject({ code });
    expect(await readPress(table, id)).toEqual(untouched);
    const { data } = await table.entities.audit.query.byPress({ id }).go();
    expect(data).toEqual([]);
  }

  test("an audit whose state machine runs out of time changes neither the draft nor the draft's number of audits", async () => {
    const reviewer = makeReviewer(() => sleep(60_000, soundReading, { ref: false }));
    const started = performance.now();
    await expectFailure(
      await startAuditOfNewPress(database.table, { reviewer, limitSeconds: 1, press: before }),
    );
    expect(performance.now() - started).toBeLessThan(30_000);
  });

  test("an audit that gets no answer from the chain in three tries changes neither the draft nor the draft's number of audits", async () => {
    const chain = makeFailingNode(3);
    await expectFailure(await startAuditOfNewPress(database.table, { chain, press: before }));
    expect(chain.calls).toBe(3);
  });

  test("if the stock price service fails and the stock was never quoted, an audit changes neither the draft nor the draft's number of audits", async () => {
    const fail = () => Promise.reject(new AppError("upstream", "market_unavailable", "Down."));
    const empty = await startTestTable();
    onTestFinished(empty.stop);
    const market = { listTokens: fail, fetchQuote: fail };
    await expectFailure(await startAuditOfNewPress(empty.table, { market, press: before }));
  });
});

test("an audit succeeds even if the chain fails to answer the first two tries", async () => {
  const chain = makeFailingNode(2);
  const { run, id } = await startAuditOfNewPress(database.table, { chain });
  expect(await run(id)).toMatchObject({ status: "approved" });
  // The node gets four calls: two calls that fail, one call for the publisher's balance, and one call for the gas price.
  expect(chain.calls).toBe(4);
});

test("an audit of a press about a delisted stock is refused every time with the reason, and is never counted", async () => {
  const empty = await startTestTable();
  onTestFinished(empty.stop);
  const market = { ...appleMarket, listTokens: async () => [] };
  const { run, id, table, clock } = await startAuditOfNewPress(empty.table, { market });
  for (const _ of [1, 2]) {
    await expect(run(id)).rejects.toMatchObject({
      kind: "conflict",
      code: "stock_delisted",
      retryAfter: undefined,
      message: expect.stringContaining("another stock"),
    });
  }
  const press = await readPress(table, id);
  expect(press).toMatchObject({ status: "draft", auditCount: 0 });
  expect(press.auditRun).toBeUndefined();
  const relisted = await startAudits({ table, clock });
  onTestFinished(relisted.stop);
  // The list of stocks is cached for ten minutes.
  clock.pass(11 * 60_000);
  expect(await relisted.run(id)).toMatchObject({ status: "approved" });
});

test("failed audits do not count towards the maximum of eight audits, even when other audits run at the same time", async () => {
  let reviews = 0;
  const failure = new AppError("upstream", "model_unavailable", "Down.");
  const reviewer: Reviewer<Reading> = {
    most: () => [],
    async review(request) {
      reviews += 1;
      return reviews % 3 === 0 ? { failure, usage: [] } : kindReviewer.review(request);
    },
  };
  const left = 3;
  const { run, id, table } = await startAuditOfNewPress(database.table, {
    reviewer,
    press: { auditCount: auditLimit - left },
  });
  const seen: string[] = [];
  for (let round = 0; round < 40 && !seen.includes("audit_limit"); round += 1) {
    const results = await Promise.allSettled([run(id), run(id), run(id)]);
    seen.push(...results.map((result) => (result.status === "fulfilled" ? "ok" : result.reason.code)));
  }
  expect(seen).toContain("audit_unavailable");
  expect(seen).toContain("audit_limit");
  expect(seen.filter((code) => code === "ok")).toHaveLength(left);
  expect(await readPress(table, id)).toMatchObject({ auditCount: auditLimit, status: "approved" });
});

test("a state machine's payload can contain both a text of the maximum length and the shortened sources of an AI draft", async () => {
  const { run, id, table } = await startAuditOfNewPress(database.table, {
    press: {
      generationId: 72,
      aiAssisted: true,
      headline: "字".repeat(90),
      preview: "👩‍👩‍👧‍👦".repeat(100),
    },
  });
  const { publisher } = await readPress(table, id);
  const source = {
    title: '"'.repeat(400),
    source: '"'.repeat(400),
    link: "https://a.example/",
    text: '"'.repeat(9_000),
  };
  await table.entities.generation
    .put({
      wallet: publisher,
      id: 72,
      state: "written",
      stock: "AAPL",
      angle: {},
      sources: Array.from({ length: 12 }, () => source),
      engine: "test",
      createdAt: "2026-09-04T07:00:00.000Z",
      day: "2026-09-04",
      dueAt: 0,
    })
    .go();
  await table.entities.body.put({ id, revision: 1, body: '"'.repeat(102_400) }).go();
  expect(await run(id)).toMatchObject({ audit: { engine: "test" } });
});
