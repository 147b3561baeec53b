import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import * as z from "zod";
import { makeStep } from "../../core/audit/error.ts";
import type { JobId } from "../jobs.ts";
import { log, runWithIds } from "./log.ts";

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
    const one = (record: SQSRecord) =>
      runMessage(id, record, call, async () => work(form.parse(JSON.parse(record.body))));
    const failed =
      order === "together" ? await Promise.all(Records.map(one)) : await runSequentially(Records, one);
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

async function runSequentially<Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await run(item));
  return results;
}

/** A scheduled job. */
export function makeScheduledJob(id: JobId, work: () => Promise<void>) {
  return (_: unknown, call: JobContext): Promise<void> =>
    runWithIds(makeIds(id, call, call.awsRequestId), async () => {
      await work();
      log.info("Done");
    });
}

/** A job that an operator starts with an input. Throws ZodError for an invalid input. */
export function makeOperatorJob<Input, Output>(
  id: JobId,
  form: z.ZodType<Input>,
  work: (input: Input) => Promise<Output>,
) {
  return (event: unknown, call: JobContext): Promise<Output> =>
    runWithIds(makeIds(id, call, call.awsRequestId), async () => {
      const output = await work(form.parse(event));
      log.info("Done");
      return output;
    });
}

const Began = z.object({ correlationId: z.string() });
const Passed = z.union([Began, z.object({ order: Began }).transform(({ order }) => order)]);

/** A step of the state machine, logged with the id of the request that started the execution. */
export function makeMachineStep<Input, Output>(
  id: JobId,
  form: z.ZodType<Input>,
  operation: (input: Input) => Output | Promise<Output>,
) {
  const run = makeStep(form, operation);
  return (event: unknown, call: JobContext): Promise<Output> => {
    const began = Passed.safeParse(event).data?.correlationId;
    return runWithIds(makeIds(id, call, began ?? call.awsRequestId), async () => {
      const output = await run(event);
      log.info("Done");
      return output;
    });
  };
}

function makeIds(id: JobId, { awsRequestId }: JobContext, correlationId: string) {
  return { function: id, requestId: awsRequestId, invocationId: awsRequestId, correlationId };
}
