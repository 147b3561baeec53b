import { setTimeout as sleep } from "node:timers/promises";
import {
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import type { SQSEvent, SQSRecord } from "aws-lambda";
import * as z from "zod";

const LONG_POLL_SECONDS = 20;
const FIRST_PAUSE_MILLISECONDS = 100;
const LONGEST_PAUSE_MILLISECONDS = 5_000;

export type ConsumerOptions = {
  readonly endpoint: string;
  readonly queueUrl: string;
  /** The maximum number of messages in one event, 1 to 10. */
  readonly batchSize: number;
  /** The maximum number of events at once. */
  readonly concurrency: number;
  /** A Lambda handler. The handler may return `{ batchItemFailures }`. */
  readonly handler: (event: SQSEvent) => Promise<unknown>;
  /** Reports a failed batch with its event, or a failed request to the queue. The default logs the failure. */
  readonly onError?: ((error: unknown, event: SQSEvent | undefined) => void) | undefined;
};

export type Consumer = {
  /** Stops polling and resolves when the running batches are handled and deleted. */
  readonly stop: () => Promise<void>;
};

/**
 * Feeds a handler from a queue as Lambda's event source mapping does, with `ReportBatchItemFailures` on.
 *
 * Messages that did not fail are deleted; failed messages reappear after the visibility timeout, and finally go to the dead-letter queue.
 * If the handler throws or returns an invalid answer, the whole batch fails. The client's region and credentials come from the environment.
 */
export async function startConsumer(options: ConsumerOptions): Promise<Consumer> {
  if (options.batchSize < 1 || options.batchSize > 10) throw new Error("A batch has 1 to 10 messages.");
  if (options.concurrency < 1) throw new Error("A consumer handles at least one batch at a time.");
  const client = new SQSClient({ endpoint: options.endpoint });
  const arn = await queueArn(client, options.queueUrl);
  const stopping = new AbortController();
  const context: ConsumerContext = { ...options, client, arn, stopping: stopping.signal };
  const polling = Promise.all(Array.from({ length: options.concurrency }, () => poll(context)));
  return {
    stop: async () => {
      stopping.abort();
      await polling;
      client.destroy();
    },
  };
}

type ConsumerContext = ConsumerOptions & {
  readonly client: SQSClient;
  readonly arn: string;
  readonly stopping: AbortSignal;
};

async function queueArn(client: SQSClient, queueUrl: string): Promise<string> {
  const input = { QueueUrl: queueUrl, AttributeNames: ["QueueArn" as const] };
  const arn = (await client.send(new GetQueueAttributesCommand(input))).Attributes?.QueueArn;
  if (arn === undefined) throw new Error(`The queue ${queueUrl} has no ARN.`);
  return arn;
}

async function poll(context: ConsumerContext): Promise<void> {
  let pause = FIRST_PAUSE_MILLISECONDS;
  while (!context.stopping.aborted) {
    try {
      const messages = await receive(context);
      if (messages.length > 0) await deliver(context, messages);
      pause = FIRST_PAUSE_MILLISECONDS;
    } catch (error) {
      if (error instanceof Error && error.name === "AbortError" && context.stopping.aborted) return;
      report(context, error, undefined);
      // A stop of the consumer also ends the pause.
      await sleep(pause, undefined, { signal: context.stopping }).catch(() => undefined);
      pause = Math.min(pause * 2, LONGEST_PAUSE_MILLISECONDS);
    }
  }
}

async function receive({
  client,
  queueUrl,
  batchSize,
  stopping,
}: ConsumerContext): Promise<readonly Message[]> {
  const command = new ReceiveMessageCommand({
    QueueUrl: queueUrl,
    MaxNumberOfMessages: batchSize,
    WaitTimeSeconds: LONG_POLL_SECONDS,
    MessageSystemAttributeNames: ["All"],
    MessageAttributeNames: ["All"],
  });
  const { Messages } = await client.send(command, { abortSignal: stopping });
  return Messages ?? [];
}

async function deliver(context: ConsumerContext, messages: readonly Message[]): Promise<void> {
  const event = toEvent(messages, context.arn);
  const failed = await handle(context, event);
  const done = event.Records.filter(({ messageId }) => !failed.has(messageId));
  if (done.length === 0) return;
  const Entries = done.map(({ messageId, receiptHandle }) => ({
    Id: messageId,
    ReceiptHandle: receiptHandle,
  }));
  const { Failed } = await context.client.send(
    new DeleteMessageBatchCommand({ QueueUrl: context.queueUrl, Entries }),
  );
  if (Failed !== undefined && Failed.length > 0) {
    throw new Error(`Handled messages could not be deleted: ${JSON.stringify(Failed)}`);
  }
}

async function handle(context: ConsumerContext, event: SQSEvent): Promise<ReadonlySet<string>> {
  const ids = event.Records.map(({ messageId }) => messageId);
  try {
    return failedIds(await context.handler(event), ids);
  } catch (error) {
    report(context, error, event);
    return new Set(ids);
  }
}

function report({ onError, queueUrl }: ConsumerContext, error: unknown, event: SQSEvent | undefined): void {
  if (onError !== undefined) onError(error, event);
  else console.error(`The consumer of ${queueUrl} failed`, error);
}

/** Builds Lambda's event of received messages. Throws if a message lacks a field that SQS always sends. */
function toEvent(messages: readonly Message[], queueArn: string): SQSEvent {
  return { Records: messages.map((message) => toRecord(message, queueArn)) };
}

function toRecord(message: Message, queueArn: string): SQSRecord {
  const { MessageId, ReceiptHandle, Body, MD5OfBody, Attributes = {}, MessageAttributes = {} } = message;
  const { SenderId, SentTimestamp, ApproximateReceiveCount, ApproximateFirstReceiveTimestamp, ...others } =
    Attributes;
  return {
    messageId: requireMember("MessageId", MessageId),
    receiptHandle: requireMember("ReceiptHandle", ReceiptHandle),
    body: requireMember("Body", Body),
    attributes: {
      ...others,
      ApproximateReceiveCount: requireMember("ApproximateReceiveCount", ApproximateReceiveCount),
      SentTimestamp: requireMember("SentTimestamp", SentTimestamp),
      SenderId: requireMember("SenderId", SenderId),
      ApproximateFirstReceiveTimestamp: requireMember(
        "ApproximateFirstReceiveTimestamp",
        ApproximateFirstReceiveTimestamp,
      ),
    },
    messageAttributes: Object.fromEntries(
      Object.entries(MessageAttributes).map(([name, { StringValue = "", DataType }]) => [
        name,
        { stringValue: StringValue, dataType: requireMember("DataType", DataType) },
      ]),
    ),
    md5OfBody: requireMember("MD5OfBody", MD5OfBody),
    eventSource: "aws:sqs",
    eventSourceARN: queueArn,
    awsRegion: requireMember("region", queueArn.split(":")[3]),
  };
}

function requireMember(name: string, value: string | undefined): string {
  if (value === undefined) throw new Error(`A received message has no ${name}.`);
  return value;
}

const response = z.union([
  z.void(),
  z.null(),
  z.object({ batchItemFailures: z.array(z.object({ itemIdentifier: z.string().min(1) })).nullish() }),
]);

/**
 * The message ids that a handler's answer reports as failed. Throws if Lambda would fail the whole batch: a
 * bad shape, or an id outside the batch (Lambda Developer Guide, "Success and failure conditions" of SQS
 * partial batch responses).
 */
function failedIds(answer: unknown, batch: readonly string[]): ReadonlySet<string> {
  const failures = response.parse(answer)?.batchItemFailures ?? [];
  const failed = new Set(failures.map(({ itemIdentifier }) => itemIdentifier));
  const unknown = [...failed].filter((id) => !batch.includes(id));
  if (unknown.length > 0)
    throw new Error(`The handler failed messages outside its batch: ${unknown.join(", ")}.`);
  return failed;
}
