import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { arithmetic } from "../../core/audit/rule/arithmetic.ts";
import { auditLimit } from "../../core/audit/schema.ts";
import { lower } from "../../core/chain/hex.ts";
import { getTestAccount } from "../../local/devnet/accounts.ts";
import { filings } from "../../local/seed/articles.ts";
import { startModel } from "../core/audit/model.ts";
import { makeRecordingVisitor, type Visitor } from "../functions/observed/visitor.ts";
import { makeRefusal } from "../support/http-payer.ts";
import { repeatInOrder, startPart } from "../support/provide.ts";
import { startTestService } from "../support/service.ts";

/** The cost of one model call in these tests, in USD. The model's prices are per thousand tokens. */
const usage = { inputTokens: 1_000, outputTokens: 1_000 };
const callCost = 0.004;

const [firstLine] = filings.body.split("\n");
const sound = {
  claims: [],
  teasers: [{ place: "preview", promise: filings.preview, kept: true, where: firstLine }],
  calculations: [],
  findings: [],
  summary: "Sound.",
};
const written = {
  headline: "What a filing says and what it leaves open",
  preview:
    "What is on record about the quarter, where it can be read, and which of its numbers a reader should compare before any headline.",
  body: Array.from({ length: 160 }, (_, index) => `word${index}`).join(" "),
};

let reply: (message: string) => unknown;
let wallets = 100;

const model = startPart(() => startModel({ usage, input: (message) => reply(message) }));
const service = startPart(() => startTestService({ detours: { model: () => model.endpoint } }));
// This hook runs before the service stops. When the service stops, it restores the environment variables that were set before the service
// started.
afterAll(() => void vi.unstubAllEnvs());
beforeEach(() => {
  // Resets the environment to the variables with which the service started.
  vi.unstubAllEnvs();
  vi.stubEnv("MODEL_PRICES", "0.001,0.003");
  vi.stubEnv("FALLBACK_MODEL_PRICES", "0.001,0.003");
  reply = (message) => (message.includes("<task>") ? written : sound);
});

/** Returns a new wallet that owns nothing and has published nothing. Making a new wallet costs an attacker nothing. */
async function makeNewWriter(): Promise<Visitor> {
  wallets += 1;
  const attacker = makeRecordingVisitor(service.origin, getTestAccount(wallets));
  await attacker.signIn();
  return attacker;
}

const Saved = z.object({ id: z.number() });
const draft = { ...filings, publisherName: "Nobody" };

async function savePress(attacker: Visitor, changes: object = {}): Promise<number> {
  return Saved.parse((await attacker.ask("/api/press/save", { ...draft, ...changes })).body).id;
}

/** Saves a press that has two audits left. */
async function savePressBeforeLimit(attacker: Visitor): Promise<number> {
  const id = await savePress(attacker);
  await service.table.entities.press
    .patch({ id })
    .set({ auditCount: auditLimit - 2 })
    .go();
  return id;
}

const audit = (attacker: Visitor, id: number) => attacker.ask("/api/press/audit", { id });
const readAuditCount = async (id: number) =>
  (await service.table.entities.press.get({ id }).go({ consistent: true })).data?.auditCount;

/** Saves the draft again while the model reviews the draft, so that the review is discarded. */
async function auditAndEdit(attacker: Visitor, id: number) {
  const reading = Promise.withResolvers<void>();
  const edited = Promise.withResolvers<void>();
  reply = async () => {
    reading.resolve();
    await edited.promise;
    return sound;
  };
  const answer = audit(attacker, id);
  await Promise.race([reading.promise, answer]);
  await savePress(attacker, { id });
  edited.resolve();
  return answer;
}

describe("a draft is saved during the model's review", () => {
  test("after eight audits of a draft, the model is not asked again, even if the draft is saved during each review", async () => {
    const attacker = await makeNewWriter();
    const id = await savePressBeforeLimit(attacker);
    const before = model.sent.length;
    for (const run of [auditLimit - 1, auditLimit]) {
      const error = expect.stringContaining("The run counts, because the model had begun to read.");
      const { status, body } = makeRefusal(409, "edited_meanwhile");
      expect(await auditAndEdit(attacker, id)).toMatchObject({ status, body: { ...body, error } });
      expect(await readAuditCount(id)).toBe(run);
    }
    const ninth = await audit(attacker, id);
    expect(ninth).toMatchObject(makeRefusal(429, "audit_limit"));
    expect(model.sent.length - before).toBe(2);
  });

  test("an audit that is discarded because of a save is charged to the wallet like the wallet's other audits", async () => {
    vi.stubEnv("MODEL_DAILY_USD", "100,100,100,0.12");
    const attacker = await makeNewWriter();
    const before = model.sent.length;
    const statuses: number[] = [];
    for (let press = 0; press < 8 && !statuses.includes(429); press += 1) {
      const id = await savePress(attacker);
      for (let run = 0; run < 5 && !statuses.includes(429); run += 1) {
        statuses.push((await auditAndEdit(attacker, id)).status);
      }
    }
    expect(new Set(statuses)).toEqual(new Set([409, 429]));
    expect((model.sent.length - before) * callCost).toBeLessThanOrEqual(0.12);
    expect((model.sent.length - before) * callCost).toBeGreaterThan(0.02);
  });
});

describe("the audit's rules time out on a text", () => {
  test("if the rules of an audit time out, the audit counts and ends with a verdict, so a writer can cause at most eight time-outs", async () => {
    const attacker = await makeNewWriter();
    const id = await savePressBeforeLimit(attacker);
    const slow = vi.spyOn(arithmetic, "find").mockImplementation(() => {
      throw Object.assign(new Error("Task timed out after 10.00 seconds"), { name: "Sandbox.Timedout" });
    });
    try {
      for (const run of [auditLimit - 1, auditLimit]) {
        expect(await audit(attacker, id)).toMatchObject({
          status: 200,
          body: { status: "revise", audit: { issues: [{ severity: "high", check: "limits" }] } },
        });
        expect(await readAuditCount(id)).toBe(run);
      }
      expect(await audit(attacker, id)).toMatchObject(makeRefusal(429, "audit_limit"));
      expect(slow).toHaveBeenCalledTimes(2);
    } finally {
      slow.mockRestore();
    }
    const honest = await makeNewWriter();
    expect(await audit(honest, await savePress(honest))).toMatchObject({
      status: 200,
      body: { status: "approved" },
    });
  });
});

describe("the model's daily cost has a ceiling", () => {
  const Refused = z.object({ code: z.string(), retryAfter: z.number().positive() });

  /** Asks for audits of many presses until an audit is refused. Returns the refusal and the cost of the model calls in USD. */
  async function spendAudits(attacker: Visitor) {
    const before = model.sent.length;
    for (let press = 0; press < 30; press += 1) {
      const answer = await audit(attacker, await savePress(attacker));
      if (answer.status === 200) continue;
      return { ...answer, cost: (model.sent.length - before) * callCost };
    }
    throw new Error("Nothing was refused");
  }

  test("the daily ceiling of model costs stops audits and drafts of a wallet that has never published, but not those of other wallets", async () => {
    vi.stubEnv("MODEL_DAILY_USD", "100,100,100,0.12");
    const attacker = await makeNewWriter();
    const refused = await spendAudits(attacker);
    expect(refused).toMatchObject(makeRefusal(429, "model_limit"));
    expect(Refused.parse(refused.body).retryAfter).toBeLessThanOrEqual(86_400);
    expect(refused.cost).toBeLessThanOrEqual(0.12);
    // The maximum cost of an AI draft is below the maximum cost of an audit, so an AI draft can still fit into the budget when an audit
    // does not.
    vi.stubEnv("MODEL_DAILY_USD", `100,100,100,${refused.cost}`);
    const before = model.sent.length;
    const { body } = await attacker.ask("/api/draft/generate", { stock: "AAPL", angleId: "price" });
    expect(Object(body).code).toBe("model_limit");
    expect(model.sent.length).toBe(before);
    vi.stubEnv("MODEL_DAILY_USD", "100,100,100,0.12");
    const honest = await makeNewWriter();
    expect(await audit(honest, await savePress(honest))).toMatchObject({ status: 200 });
  });

  test("the daily ceiling of model costs for a wallet that has never published is half a dollar, unless a stage sets another ceiling", async () => {
    vi.stubEnv("MODEL_PRICES", "0.005,0.015");
    vi.stubEnv("FALLBACK_MODEL_PRICES", "0.005,0.015");
    const attacker = await makeNewWriter();
    const { status, cost } = await spendAudits(attacker);
    expect(status).toBe(429);
    expect(cost * 5).toBeLessThanOrEqual(0.5);
  });

  test("the daily ceiling of a wallet's model costs includes AI drafts, and holds when many requests come at once", async () => {
    vi.stubEnv("MODEL_DAILY_USD", "100,100,100,0.12");
    const attacker = await makeNewWriter();
    const before = model.sent.length;
    const ids = await repeatInOrder(12, () => savePress(attacker));
    const answers = await Promise.all([
      ...ids.map((id) => audit(attacker, id)),
      ...ids.slice(0, 5).map(() => attacker.ask("/api/draft/generate", { stock: "AAPL", angleId: "price" })),
    ]);
    expect(answers.map(({ status }) => status)).toContain(429);
    expect((model.sent.length - before) * callCost).toBeLessThanOrEqual(0.12);
  });

  test("the daily ceiling of model costs also holds for a wallet whose texts are written to make the model fail", async () => {
    vi.stubEnv("MODEL_DAILY_USD", "100,100,100,0.12");
    reply = () => ({ score: "high" });
    const attacker = await makeNewWriter();
    const id = await savePress(attacker);
    const before = model.sent.length;
    const statuses: number[] = [];
    while (!statuses.includes(429) && statuses.length < 20) {
      statuses.push((await audit(attacker, id)).status);
    }
    expect(new Set(statuses)).toEqual(new Set([503, 429]));
    expect((model.sent.length - before) * callCost).toBeLessThanOrEqual(0.12);
    expect(await readAuditCount(id)).toBe(0);
  });

  test("the common daily ceiling of model costs for wallets that have never published does not affect other wallets", async () => {
    vi.stubEnv("MODEL_DAILY_USD", "100,0,100,100");
    const newcomer = await makeNewWriter();
    const id = await savePress(newcomer);
    expect(await audit(newcomer, id)).toMatchObject(makeRefusal(503, "model_budget_spent"));
    await service.table.entities.publisher
      .put({ wallet: lower(getTestAccount(wallets).address), publishedAt: "2026-01-01T00:00:00Z" })
      .go();
    expect(await audit(newcomer, id)).toMatchObject({ status: 200 });
  });

  test("when the daily ceiling of model costs for the whole service is reached, everybody gets 503", async () => {
    vi.stubEnv("MODEL_DAILY_USD", "0,100,100,100");
    const before = model.sent.length;
    const honest = await makeNewWriter();
    const id = await savePress(honest);
    const refused = await audit(honest, id);
    expect(refused).toMatchObject(makeRefusal(503, "model_budget_spent"));
    expect(Refused.parse(refused.body).retryAfter).toBeLessThanOrEqual(86_400);
    expect(await honest.ask("/api/draft/generate", { stock: "AAPL", angleId: "price" })).toMatchObject(
      makeRefusal(503, "model_budget_spent"),
    );
    expect(model.sent).toHaveLength(before);
    expect(await readAuditCount(id)).toBe(0);
    vi.stubEnv("MODEL_DAILY_USD", "100,100,100,100");
    expect(await audit(honest, id)).toMatchObject({ status: 200 });
  });
});

describe("the model fails", () => {
  test("if the model answers in an unknown form, the audit is not counted for the draft, and its cost is not charged to the wallet's budget", async () => {
    vi.stubEnv("MODEL_DAILY_USD", "100,100,100,0.12");
    const honest = await makeNewWriter();
    const id = await savePress(honest);
    for (let run = 0; run < 2; run += 1) {
      reply = () => ({ score: "high" });
      expect(await audit(honest, id)).toMatchObject(makeRefusal(503, "audit_unavailable"));
      expect(await readAuditCount(id)).toBe(0);
    }
    reply = () => sound;
    // The wallet has not used any of its budget. Each model call costs 0.004 USD, and the last call is made only if the budget still covers
    // the maximum cost of a call.
    for (let run = 1; run <= 6; run += 1) {
      expect(await audit(honest, id)).toMatchObject({ status: 200 });
      expect(await readAuditCount(id)).toBe(run);
    }
  });
});
