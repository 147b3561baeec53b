import { type ExplicitAccess, listRowAccess, type Route } from "./routes.ts";
import type { IndexName, RecordKind } from "./storage.ts";

/** The trigger that starts a job: a queue's messages, the state machine, a schedule, or an operator. */
export type Trigger =
  | {
      readonly kind: "queue";
      readonly queue: QueueName;
      readonly batchSize: number;
      readonly concurrency: number;
    }
  | { readonly kind: "step"; readonly machine: "audit" }
  | { readonly kind: "schedule"; readonly everyMinutes: number }
  | { readonly kind: "operator" };

type JobRow = {
  readonly id: string;
  /**
   * The handler, given as the name of a file in `functions/job` and the name of an export of this file, as in `routes.ts`. The default is
   * `{id}.handler`.
   */
  readonly handler?: `${string}.${string}`;
  readonly trigger: Trigger;
  /** Access in addition to the access that `reads` and `writes` give; a row in `routes.ts` has the same field. */
  readonly access?: readonly ExplicitAccess[];
  readonly reads?: readonly (RecordKind | IndexName)[];
  readonly writes?: readonly RecordKind[];
  readonly timeoutSeconds: number;
};

export type QueueName = (typeof queues)[number]["name"];

/**
 * The queues of the service. If processing a message has failed `maxReceiveCount` times, the message goes to the dead-letter queue. A
 * queue's visibility time-out is at least six times the worker's time-out, as AWS advises for event sources.
 */
export const queues = [
  { name: "mints", visibilitySeconds: 180, maxReceiveCount: 60, deadLetterQueue: "mints-dead" },
  { name: "verdicts", visibilitySeconds: 180, maxReceiveCount: 60, deadLetterQueue: "verdicts-dead" },
  { name: "pushes", visibilitySeconds: 360, maxReceiveCount: 10, deadLetterQueue: "pushes-dead" },
] as const;

const auditStep = { kind: "step", machine: "audit" } as const;

/** THE table of workers: queue consumers, state-machine steps and schedules, in the same form as the table in `routes.ts`. */
const rows = [
  {
    id: "mint-confirm",
    trigger: { kind: "queue", queue: "mints", batchSize: 10, concurrency: 5 },
    access: ["table:read", "chain", "market", "mints:send", "verdicts:send", "pushes:send"],
    writes: ["press", "identity", "transfer", "run", "byline", "wallet", "market"],
    timeoutSeconds: 30,
  },
  {
    id: "verdict-post",
    handler: "after-live.postVerdict",
    // All verdicts are signed with one key, one after the other. One worker would be enough, but AWS does not allow a limit below two
    // workers per queue.
    trigger: { kind: "queue", queue: "verdicts", batchSize: 5, concurrency: 2 },
    access: ["table:read", "chain", "auditor:sign"],
    writes: ["press", "key", "gas"],
    timeoutSeconds: 30,
  },
  {
    // Each message of the queue `pushes` makes the worker notify either a hundred followers or one browser.
    id: "press-push",
    handler: "after-live.tellFollowers",
    trigger: { kind: "queue", queue: "pushes", batchSize: 1, concurrency: 5 },
    access: ["pushes:send", "push:sign"],
    reads: ["press", "follow", "followed"],
    writes: ["follow", "pushEndpoint"],
    timeoutSeconds: 60,
  },
  {
    id: "payment-reconcile",
    handler: "payment.reconcile",
    trigger: { kind: "schedule", everyMinutes: 1 },
    access: ["table:read", "chain", "relayers:sign"],
    writes: ["settlement", "authorization", "transfer", "key", "keyring", "gas", "holder", "press", "errand"],
    timeoutSeconds: 55,
  },
  {
    id: "payment-watch",
    handler: "payment.watch",
    trigger: { kind: "schedule", everyMinutes: 2 },
    access: ["table:read", "chain", "relayers:read", "auditor:read"],
    timeoutSeconds: 30,
  },
  {
    // Recording the prices of one stock takes about half a second. The time limit of the price job is more than enough for 200 stocks.
    id: "market-record",
    handler: "recurring.recordPrices",
    trigger: { kind: "schedule", everyMinutes: 5 },
    access: ["table:read", "chain", "market"],
    writes: ["market", "series"],
    timeoutSeconds: 240,
  },
  {
    id: "search-prepare",
    handler: "recurring.prepareSearch",
    trigger: { kind: "schedule", everyMinutes: 5 },
    access: ["table:read", "search:write"],
    timeoutSeconds: 240,
  },
  {
    id: "views-count",
    handler: "recurring.countViews",
    trigger: { kind: "schedule", everyMinutes: 15 },
    access: ["edge-logs:read"],
    reads: ["press", "views"],
    writes: ["views"],
    timeoutSeconds: 240,
  },
  {
    // The job that an operator starts after a restore: docs/operations.md, "Backup and restore".
    id: "repair",
    handler: "operator.repair",
    trigger: { kind: "operator" },
    access: ["table:read", "chain", "relayers:read", "mints:send"],
    // A repaired payment also changes the gas accounts on which its fee has reserved gas, and frees the key of an expired claim.
    writes: ["settlement", "authorization", "transfer", "press", "key", "keyring", "gas"],
    timeoutSeconds: 900,
  },
  {
    // The job that moves a retired key's ETH: docs/operations.md, "Gas".
    id: "relayer-sweep",
    handler: "operator.sweepRelayer",
    trigger: { kind: "operator" },
    access: ["table:read", "chain", "sweep:sign"],
    timeoutSeconds: 60,
  },
  {
    id: "audit-facts",
    handler: "audit.facts",
    trigger: auditStep,
    access: ["table:read", "chain", "market"],
    writes: ["market"],
    timeoutSeconds: 10,
  },
  { id: "audit-rules", trigger: auditStep, timeoutSeconds: 10 },
  {
    id: "audit-review",
    handler: "audit.review",
    trigger: auditStep,
    access: ["table:read", "model"],
    writes: ["press", "budget"],
    timeoutSeconds: 20,
  },
  {
    id: "audit-store",
    handler: "audit.store",
    trigger: auditStep,
    access: ["table:read"],
    writes: ["press"],
    timeoutSeconds: 10,
  },
] as const satisfies readonly JobRow[];

export type JobId = (typeof rows)[number]["id"];

/** A row of the table of workers, with its derived fields. */
export type Job = Omit<JobRow, "access" | "handler"> &
  Pick<Route, "access" | "file" | "handler" | "memoryMb">;

export const jobs: readonly (Job & { readonly id: JobId })[] = rows.map(completeJobRow);

function completeJobRow<Id extends string>(row: JobRow & { readonly id: Id }): Job & { readonly id: Id } {
  const [file = "", handler = ""] = (row.handler ?? `${row.id}.handler`).split(".");
  return { ...row, access: listRowAccess(row), file: `functions/job/${file}.ts`, handler, memoryMb: 512 };
}
