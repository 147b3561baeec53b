import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import * as z from "zod";
import { makeNamedRefusal, makeStep } from "../../core/audit/error.ts";
import type { JobId } from "../jobs.ts";
import { log, runWithIds } from "./log.ts";
import { logMetrics } from "./meter.ts";

/** The context that Lambda passes to a job. */
type JobContext = Pick<Context, "awsRequestId">;

/**
 * A worker for a queue's messages. If processing a message fails, the queue delivers only this message again, not the other messages of its
 * batch. The parameter `order` tells whether the messages of a batch are processed in parallel or one after the other.
 */
export function makeWorker<Order>(
  id: JobId,
  form: z.ZodType<Order>,
  order: "together" | "in turn",
  work: (order: Order) => Promise<void>,
) {
  return async ({ Records }: SQSEvent, call: JobContext): Promise<SQSBatchResponse> => {
    const handleRecord = (record: SQSRecord) =>
      runMessage(id, record, call, async () => work(form.parse(JSON.parse(record.body))));
    const failed: boolean[] = [];
    if (order === "together") {
      failed.push(...(await Promise.all(Records.map(handleRecord))));
    } else {
      for (const record of Records) failed.push(await handleRecord(record));
    }
    return {
      batchItemFailures: Records.filter((_, index) => failed[index]).map(({ messageId }) => ({
        itemIdentifier: messageId,
      })),
    };
  };
}

function runMessage(
  id: JobId,
  { messageId, messageAttributes }: SQSRecord,
  call: JobContext,
  work: () => Promise<void>,
): Promise<boolean> {
  const began = messageAttributes.correlationId?.stringValue;
  return runWithIds(makeIds(id, call, began ?? messageId), async () => {
    try {
      await work();
      log.info("Done", { messageId });
      return false;
    } catch (error) {
      log.error("A message could not be processed", { messageId, error });
      return true;
    }
  });
}

/** A job without a queue. `findBegan` finds the id with which the job is logged; the default is the id of the call. */
function makeJob<Output>(
  id: JobId,
  run: (event: unknown) => Promise<Output>,
  findBegan: (event: unknown) => string | undefined = () => undefined,
) {
  return (event: unknown, call: JobContext): Promise<Output> =>
    runWithIds(makeIds(id, call, findBegan(event) ?? call.awsRequestId), async () => {
      const output = await run(event);
      log.info("Done");
      return output;
    });
}

/** A scheduled job. The job does not use the event that the schedule sends. */
export function makeScheduledJob(id: JobId, work: () => Promise<void>) {
  return makeJob(id, () => work());
}

/** A job that an operator starts with an input. Throws ZodError for an invalid input. */
export function makeOperatorJob<Input, Output>(
  id: JobId,
  form: z.ZodType<Input>,
  work: (input: Input) => Promise<Output>,
) {
  return makeJob(id, async (event) => work(form.parse(event)));
}

const Began = z.object({ correlationId: z.string() });
const Passed = z.union([Began, z.object({ order: Began }).transform(({ order }) => order)]);

/** A step of the state machine, logged with the id of the request that started the execution. */
export function makeMachineStep<Input, Output>(
  id: JobId,
  form: z.ZodType<Input>,
  operation: (input: Input) => Output | Promise<Output>,
) {
  const step = makeStep(form, operation);
  const run = (event: unknown) =>
    step(event).catch((error: unknown) => {
      // Lambda counts every error of a step, so the alarms subtract the refusals that a publisher can cause.
      if (error instanceof Error && makeNamedRefusal(error.name, Date.now()) !== undefined)
        logMetrics({ AuditRefused: 1 });
      throw error;
    });
  return makeJob(id, run, (event) => Passed.safeParse(event).data?.correlationId);
}

function makeIds(id: JobId, { awsRequestId }: JobContext, correlationId: string) {
  return { function: id, requestId: awsRequestId, invocationId: awsRequestId, correlationId };
}
