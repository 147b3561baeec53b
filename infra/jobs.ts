import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction } from "aws-cdk-lib/aws-events-targets";
import { EventSourceMapping, RecursiveLoop } from "aws-cdk-lib/aws-lambda";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import { Duration } from "aws-cdk-lib/core";
import { type Job, jobs, type QueueName, queues, type Trigger } from "../functions/jobs.ts";
import { allow } from "./access.ts";
import type { Lambda, Stack } from "./constructs.ts";
import { makeFunction, type StackContext } from "./function.ts";

export type JobResources = {
  readonly queues: ReadonlyMap<QueueName, Queue>;
  readonly deadLetters: readonly Queue[];
  /** The dead-letter queue that stores failed scheduled runs. */
  readonly failedRuns: Queue;
  readonly workers: ReadonlyMap<Job["id"], Lambda>;
};

type QueueTrigger = Extract<Trigger, { readonly kind: "queue" }>;

/**
 * The queue that stores scheduled runs which failed or were not started. The next run does the work of a failed run, so the stored failures
 * are only evidence.
 */
const clockDeadLetters = "clock-dead";

/** The queues with their dead-letter queues, their workers, and the scheduled jobs. */
export function buildJobs(stack: Stack, context: StackContext): JobResources {
  const made = queues.map((row) => {
    const deadLetters = makeDeadLetterQueue(stack, row.deadLetterQueue);
    return { name: row.name, queue: makeQueue(stack, row, deadLetters), deadLetters };
  });
  const byName = new Map<QueueName, Queue>(made.map(({ name, queue }) => [name, queue]));
  const failedRuns = makeDeadLetterQueue(stack, clockDeadLetters);
  const rows: readonly Job[] = jobs;
  const workers = new Map<Job["id"], Lambda>();
  for (const row of rows) {
    const { trigger } = row;
    // The functions of the workflow's steps are in the audit's own stack.
    if (trigger.kind === "step") continue;
    const all = { ...context, queues: byName };
    if (trigger.kind === "queue") workers.set(row.id, makeConsumer(stack, row, trigger, all));
    else if (trigger.kind === "operator") workers.set(row.id, makeFunction(stack, row, all));
    else workers.set(row.id, makeScheduledJob(stack, row, trigger.everyMinutes, all, failedRuns));
  }
  return { queues: byName, deadLetters: made.map(({ deadLetters }) => deadLetters), failedRuns, workers };
}

function makeDeadLetterQueue(stack: Stack, name: string): Queue {
  return new Queue(stack, name, {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
  });
}

function makeQueue(stack: Stack, row: (typeof queues)[number], deadLetters: Queue): Queue {
  return new Queue(stack, row.name, {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    visibilityTimeout: Duration.seconds(row.visibilitySeconds),
    deadLetterQueue: { queue: deadLetters, maxReceiveCount: row.maxReceiveCount },
  });
}

/** Makes a worker for the messages of a queue. The worker gets only the rights that it needs. */
function makeConsumer(stack: Stack, row: Job, trigger: QueueTrigger, context: StackContext): Lambda {
  const queue = context.queues?.get(trigger.queue);
  if (queue === undefined) throw new Error(`jobs.ts has no queue ${trigger.queue}`);
  const worker = makeFunction(stack, row, context, {
    // A worker may send its message to the queue again for a later try, and the worker itself limits the number of tries. Lambda's loop
    // detection would stop the worker after 16 tries.
    recursiveLoop: row.access.includes(`${trigger.queue}:send`)
      ? RecursiveLoop.ALLOW
      : RecursiveLoop.TERMINATE,
  });
  const actions = ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"];
  worker.addToRolePolicy(allow(actions, [queue.queueArn]));
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
 * Makes a worker that a schedule starts at a fixed interval of minutes. A failed run is not repeated, because the next run comes soon. If
 * the worker failed, its event is stored together with the error. If Lambda did not accept the event, the event is stored without an error
 * of the worker, because the worker did not run.
 */
function makeScheduledJob(
  stack: Stack,
  row: Job,
  everyMinutes: number,
  context: StackContext,
  failedRuns: Queue,
): Lambda {
  const once = { retryAttempts: 0, maxEventAge: Duration.minutes(everyMinutes) };
  const worker = makeFunction(stack, row, context, {
    ...once,
    onFailure: { bind: () => ({ destination: failedRuns.queueArn }) },
  });
  worker.addToRolePolicy(allow(["sqs:SendMessage"], [failedRuns.queueArn]));
  new Rule(stack, `${row.id}-clock`, {
    schedule: Schedule.rate(Duration.minutes(everyMinutes)),
    targets: [new LambdaFunction(worker, { ...once, deadLetterQueue: failedRuns })],
  });
  return worker;
}
