import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction } from "aws-cdk-lib/aws-events-targets";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { EventSourceMapping, RecursiveLoop } from "aws-cdk-lib/aws-lambda";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import { Duration } from "aws-cdk-lib/core";
import type { Function as Lambda, Stack } from "sst/constructs";
import { type Job, jobs, type QueueName, queues, type Trigger } from "../functions/jobs.ts";
import { type Ground, makeFunction } from "./function.ts";

export type Work = {
  readonly queues: ReadonlyMap<QueueName, Queue>;
  readonly deadLetters: readonly Queue[];
  /** Where the clock's failed runs lie. */
  readonly failedRuns: Queue;
  readonly workers: ReadonlyMap<Job["id"], Lambda>;
};

type QueueRow = (typeof queues)[number];
type QueueTrigger = Extract<Trigger, { readonly kind: "queue" }>;

/** Holds the clock's runs that failed or were not started. The next run does their work, so they are evidence only. */
const clockDeadLetters = "clock-dead";

/** The queues with their dead letters, the workers on them, and what the clock starts. */
export function jobsStack(stack: Stack, ground: Ground): Work {
  const made = queues.map((row) => {
    const deadLetters = makeDeadLetters(stack, row.deadLetterQueue);
    return { name: row.name, queue: makeQueue(stack, row, deadLetters), deadLetters };
  });
  const byName = new Map<QueueName, Queue>(made.map(({ name, queue }) => [name, queue]));
  const failedRuns = makeDeadLetters(stack, clockDeadLetters);
  const rows: readonly Job[] = jobs;
  const workers = new Map<Job["id"], Lambda>();
  for (const row of rows) {
    const { trigger } = row;
    // The audit's own stack makes the steps.
    if (trigger.kind === "step") continue;
    const worker =
      trigger.kind === "queue"
        ? feed(stack, row, trigger, { ...ground, queues: byName })
        : wind(stack, row, trigger.everyMinutes, { ...ground, queues: byName }, failedRuns);
    workers.set(row.id, worker);
  }
  return { queues: byName, deadLetters: made.map(({ deadLetters }) => deadLetters), failedRuns, workers };
}

function makeDeadLetters(stack: Stack, name: string): Queue {
  return new Queue(stack, name, {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
  });
}

function makeQueue(stack: Stack, row: QueueRow, deadLetters: Queue): Queue {
  return new Queue(stack, row.name, {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    visibilityTimeout: Duration.seconds(row.visibilitySeconds),
    deadLetterQueue: { queue: deadLetters, maxReceiveCount: row.maxReceiveCount },
  });
}

/** Makes a worker for a queue's messages, with the rights that this takes and no more. */
function feed(stack: Stack, row: Job, trigger: QueueTrigger, ground: Ground): Lambda {
  const queue = ground.queues?.get(trigger.queue);
  if (queue === undefined) throw new Error(`jobs.ts has no queue ${trigger.queue}`);
  const worker = makeFunction(stack, row, ground, {
    // Who sends a message again for later, up to a bound of its own, is ended by Lambda after 16 turns otherwise.
    recursiveLoop: row.touches.includes(`${trigger.queue}:send`)
      ? RecursiveLoop.ALLOW
      : RecursiveLoop.TERMINATE,
  });
  worker.addToRolePolicy(
    new PolicyStatement({
      actions: ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"],
      resources: [queue.queueArn],
    }),
  );
  new EventSourceMapping(worker, "messages", {
    target: worker,
    eventSourceArn: queue.queueArn,
    batchSize: trigger.batchSize,
    maxConcurrency: trigger.concurrency,
    reportBatchItemFailures: true,
  });
  return worker;
}

/**
 * Makes a worker that starts every so many minutes. A failed run is not repeated, for the next one comes soon enough, but it
 * is kept: with its error where the worker failed, and as the bare event where Lambda did not take it.
 */
function wind(stack: Stack, row: Job, everyMinutes: number, ground: Ground, failedRuns: Queue): Lambda {
  const once = { retryAttempts: 0, maxEventAge: Duration.minutes(everyMinutes) };
  const worker = makeFunction(stack, row, ground, {
    ...once,
    onFailure: { bind: () => ({ destination: failedRuns.queueArn }) },
  });
  worker.addToRolePolicy(
    new PolicyStatement({ actions: ["sqs:SendMessage"], resources: [failedRuns.queueArn] }),
  );
  new Rule(stack, `${row.id}-clock`, {
    schedule: Schedule.rate(Duration.minutes(everyMinutes)),
    targets: [new LambdaFunction(worker, { ...once, deadLetterQueue: failedRuns })],
  });
  return worker;
}
