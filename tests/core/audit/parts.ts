import { SFNClient } from "@aws-sdk/client-sfn";
import { encodeAbiParameters } from "viem/utils";
import { onTestFinished } from "vitest";
import { makeAuditWorkflow } from "../../../core/adapter/aws.ts";
import { systemIds } from "../../../core/adapter/system.ts";
import { makeStep } from "../../../core/audit/error.ts";
import * as Audit from "../../../core/audit/index.ts";
import type { Reading } from "../../../core/audit/reading.ts";
import { AuditOrder, Evidence, type Reviewer, RunFindings } from "../../../core/audit/schema.ts";
import type { MarketData } from "../../../core/market/port.ts";
import type { Chain } from "../../../core/port/chain.ts";
import type { Clock } from "../../../core/port/clock.ts";
import type { PressItem } from "../../../core/record/press.ts";
import type { Table } from "../../../core/table.ts";
import { makeAuditMachine } from "../../../functions/audit.asl.ts";
import { startWorkflows } from "../../../local/workflow/index.ts";
import { localAws } from "../../support/aws.ts";
import { freeModel } from "../../support/spending.ts";
import { makeManualClock } from "../press/newsroom.ts";
import { appleFacts, goodDraft, soundReading } from "./sample.ts";

export const publisher = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
export const origin = "https://press.example";

const makeArn = (id: string) => `arn:aws:lambda:us-east-1:000000000000:function:${id}` as const;
export const resources = {
  "audit-facts": makeArn("audit-facts"),
  "audit-rules": makeArn("audit-rules"),
  "audit-review": makeArn("audit-review"),
  "audit-store": makeArn("audit-store"),
};
export const machine = makeAuditMachine(makeArn);
const machineArn = "arn:aws:states:us-east-1:000000000000:stateMachine:audit";

/** A clock that moves only when `pass` is called. The clock's `sleep` takes no time but lets other work go on. */
export const makeTestClock = () => ({
  ...makeManualClock("2026-09-04T08:03:00Z"),
  sleep: () => new Promise<void>((resolve) => setImmediate(resolve)),
});

/** The part of the stock price service that an audit calls. */
export const appleMarket: MarketData = {
  listTokens: async () => [{ ...appleFacts.stock, multiplier: 1 }],
  fetchQuote: async () => appleFacts.quote,
};

/** A node on which every wallet holds the given balance of every token. */
export function makeChainWithBalance(balance: bigint): Chain {
  const result = encodeAbiParameters([{ type: "uint256" }], [balance]);
  const answers: Readonly<Record<string, string>> = { eth_gasPrice: "0x1" };
  const isBalance = (params: readonly unknown[]) => JSON.stringify(params).includes("0x70a08231");
  return {
    batch: async (calls) =>
      calls.map(({ method, params }) => ({
        status: "ok",
        result: isBalance(params) ? result : (answers[method] ?? "0x"),
      })),
  };
}

/** A reviewer whose model gives the given answer. */
export function makeReviewer(read: () => Reading | Promise<Reading>): Reviewer<Reading> {
  return { most: () => [], review: async () => ({ value: await read(), engine: "test", usage: [] }) };
}

export const kindReviewer = makeReviewer(() => soundReading);

/** Writes a press to the table as a save does. */
export async function savePress(table: Table, id: number, changes: Partial<PressItem> = {}): Promise<void> {
  const now = "2026-09-04T08:00:00.000Z";
  const revision = changes.revision ?? 1;
  await table.entities.press
    .put({
      id,
      publisher,
      status: "draft",
      headline: goodDraft.headline,
      preview: goodDraft.preview,
      stock: goodDraft.stock,
      publisherName: goodDraft.publisherName,
      priceUnits: "1000000",
      readMinutes: 1,
      contentHash: "0x00",
      aiAssisted: false,
      createdAt: now,
      updatedAt: now,
      revision,
      auditCount: 0,
      votesUp: 0,
      votesDown: 0,
      tags: {},
      reads: 0,
      ...changes,
    })
    .go();
  await table.entities.body.put({ id, revision, body: goodDraft.body }).go();
}

let lastId = 0;

/** Writes a press to the table as `savePress` does, and returns its new id. */
export async function saveNewPress(table: Table, changes?: Partial<PressItem>): Promise<number> {
  const id = ++lastId;
  await savePress(table, id, changes);
  return id;
}

/** Changes a press's status and revision, as an edit does. */
export async function edit(table: Table, id: number): Promise<void> {
  await table.entities.press.patch({ id }).set({ status: "draft" }).add({ revision: 1 }).go();
}

type Service = {
  readonly table: Table;
  readonly clock: Clock;
  readonly chain?: Chain;
  readonly reviewer?: Reviewer<Reading>;
  readonly market?: MarketData;
  /** The number of seconds after which an execution is stopped. This number replaces the time limit in the state machine's definition. */
  readonly limitSeconds?: number;
};

/** The audit with the real state machine, interpreter and client. The audit's endpoint calls `run`. */
export async function startAudits({
  table,
  clock,
  chain = makeChainWithBalance(0n),
  reviewer = kindReviewer,
  market = appleMarket,
  limitSeconds = machine.TimeoutSeconds,
}: Service) {
  const tasks = {
    [resources["audit-facts"]]: makeStep(AuditOrder, (order) =>
      Audit.gatherEvidence({ table, clock, market, chain, settings: {} }, order),
    ),
    [resources["audit-rules"]]: makeStep(Evidence, ({ draft, facts }) => ({
      issues: Audit.applyRules(draft, facts),
    })),
    [resources["audit-review"]]: makeStep(Evidence, (evidence) =>
      Audit.askModel({ table, clock, modelTerms: freeModel, reviewer }, evidence),
    ),
    [resources["audit-store"]]: makeStep(RunFindings, (findings) =>
      Audit.saveAudit({ table, clock }, findings),
    ),
  };
  const definition = { ...machine, TimeoutSeconds: limitSeconds };
  const workflows = await startWorkflows({ arn: machineArn, definition, tasks });
  const client = new SFNClient({
    endpoint: workflows.endpoint,
    ...localAws,
    disableHostPrefix: true,
    maxAttempts: 1,
  });
  const ports = { table, clock, ids: systemIds, settings: { origin } };
  return {
    run: (id: number, wallet: `0x${string}` = publisher) =>
      Audit.run({ ...ports, workflow: makeAuditWorkflow(client, machineArn) }, { id, wallet }),
    async stop() {
      client.destroy();
      await workflows.stop();
    },
  };
}

type NewAudit = Partial<Service> & { readonly press?: Partial<PressItem> };

/** Starts the audit service with a new press. The service stops at the end of the test. */
export async function startAuditOfNewPress(table: Table, { press, ...parts }: NewAudit = {}) {
  const clock = makeTestClock();
  const id = await saveNewPress(table, press);
  const service = await startAudits({ table, clock, ...parts });
  onTestFinished(service.stop);
  return { ...service, id, table, clock };
}
