import type { Resource } from "./routes.ts";

/** How a job is started: by messages, as a step of the state machine, or by the clock. */
export type Trigger =
  | {
      readonly kind: "queue";
      readonly queue: QueueName;
      readonly batchSize: number;
      readonly concurrency: number;
    }
  | { readonly kind: "step"; readonly machine: "audit" }
  | { readonly kind: "schedule"; readonly everyMinutes: number };

export type Job = {
  readonly id: string;
  readonly file: string;
  readonly trigger: Trigger;
  readonly touches: readonly Resource[];
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
};

export type QueueName = (typeof queues)[number]["name"];

/**
 * The queues. A message that failed `maxReceiveCount` times goes to the dead letters; the visibility is at least six
 * times the worker's timeout, as AWS advises for event sources.
 */
export const queues = [
  { name: "mints", visibilitySeconds: 180, maxReceiveCount: 60, deadLetterQueue: "mints-dead" },
  { name: "verdicts", visibilitySeconds: 180, maxReceiveCount: 60, deadLetterQueue: "verdicts-dead" },
] as const;

/** THE table of workers: queue consumers and state-machine steps, in the form of `routes.ts`. */
export const jobs = [
  {
    id: "mint-confirm",
    file: "functions/job/mint-confirm.ts",
    trigger: { kind: "queue", queue: "mints", batchSize: 10, concurrency: 5 },
    touches: ["table:read", "table:write", "chain", "market", "mints:send", "verdicts:send"],
    timeoutSeconds: 30,
    memoryMb: 512,
  },
  {
    id: "verdict-post",
    file: "functions/job/verdict-post.ts",
    // One key signs them all, one after the other; two workers are the fewest that AWS lets a queue have.
    trigger: { kind: "queue", queue: "verdicts", batchSize: 5, concurrency: 2 },
    touches: ["table:read", "table:write", "chain", "auditor:sign"],
    timeoutSeconds: 30,
    memoryMb: 512,
  },
  {
    id: "payment-reconcile",
    file: "functions/job/payment-reconcile.ts",
    trigger: { kind: "schedule", everyMinutes: 1 },
    touches: ["table:read", "table:write", "chain", "relayers:sign"],
    timeoutSeconds: 55,
    memoryMb: 512,
  },
  {
    id: "payment-watch",
    file: "functions/job/payment-watch.ts",
    trigger: { kind: "schedule", everyMinutes: 2 },
    touches: ["table:read", "chain", "relayers:read", "auditor:read"],
    timeoutSeconds: 30,
    memoryMb: 512,
  },
  {
    id: "audit-facts",
    file: "functions/job/audit-facts.ts",
    trigger: { kind: "step", machine: "audit" },
    touches: ["table:read", "table:write", "chain", "market"],
    timeoutSeconds: 10,
    memoryMb: 512,
  },
  {
    id: "audit-rules",
    file: "functions/job/audit-rules.ts",
    trigger: { kind: "step", machine: "audit" },
    touches: [],
    timeoutSeconds: 10,
    memoryMb: 512,
  },
  {
    id: "audit-review",
    file: "functions/job/audit-review.ts",
    trigger: { kind: "step", machine: "audit" },
    touches: ["table:read", "table:write", "model"],
    timeoutSeconds: 20,
    memoryMb: 512,
  },
  {
    id: "audit-store",
    file: "functions/job/audit-store.ts",
    trigger: { kind: "step", machine: "audit" },
    touches: ["table:read", "table:write"],
    timeoutSeconds: 10,
    memoryMb: 512,
  },
] as const satisfies readonly Job[];

export type JobId = (typeof jobs)[number]["id"];
