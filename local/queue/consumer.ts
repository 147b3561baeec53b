import { createHash } from "node:crypto";
import type { SQSEvent, SQSRecord } from "aws-lambda";
import * as z from "zod";
import type { Dice } from "../stand-in.ts";
import type { MessageStore, QueueMessage, QueueSettings } from "./index.ts";

export type ConsumerOptions = {
  /** The maximum number of messages in one event, 1 to 10. */
  readonly batchSize: number;
  /** The maximum number of events that are handled at the same time. */
  readonly concurrency: number;
  /** A Lambda handler. The handler may return `{ batchItemFailures }`. */
  readonly handler: (event: SQSEvent) => Promise<unknown>;
  /** Reports a failed batch with its event. By default, the failure is logged. */
  readonly onError?: ((error: unknown, event: SQSEvent) => void) | undefined;
};

export type Consumer = {
  /** Stops the delivery. Resolves when all running batches are handled and their messages are deleted. */
  readonly stop: () => Promise<void>;
};

/**
 * A queue can imitate SQS's rare cases: a message is delivered to two receivers, or a deleted message is delivered again. The constants are
 * the probabilities of a second receiver and of a delivery after deletion, and the second delivery's maximum delay in milliseconds.
 */
const givenTwice = 0.1;
const keptDeleted = 0.1;
const again = 1_000;

/**
 * Delivers a queue's messages to a handler as Lambda's event source mapping does, with `ReportBatchItemFailures` on.
 *
 * Messages that did not fail are deleted; failed messages reappear after the visibility timeout, and finally go to the dead-letter queue.
 * If the handler throws or returns an invalid answer, the whole batch fails. With the option `rough`, messages may change their order and
 * be delivered twice, as with SQS (Developer Guide, "Standard queues").
 */
export function startConsumer(
  store: MessageStore,
  { name, visibilitySeconds, maxReceiveCount = Number.POSITIVE_INFINITY, deadLetterQueue }: QueueSettings,
  options: ConsumerOptions,
  rough: Dice | undefined,
): Consumer {
  const { batchSize, concurrency, handler } = options;
  if (batchSize < 1 || batchSize > 10) throw new Error("A batch has 1 to 10 messages.");
  const onError =
    options.onError ?? ((error: unknown) => console.error(`The consumer of ${name} failed`, error));
  const running = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  /**
   * Starts batches until the maximum number of batches is running. If no message is visible for another batch, the consumer waits until the
   * next message becomes visible.
   */
  function deliver(): void {
    clearTimeout(timer);
    while (!isStopped && running.size < concurrency) {
      const batch = takeMessages();
      if (batch.length === 0) {
        const next = store.nextVisible(name);
        if (next !== undefined) timer = setTimeout(deliver, Math.max(1, next - Date.now()));
        return;
      }
      const work = runHandler(batch).finally(() => {
        running.delete(work);
        deliver();
      });
      running.add(work);
    }
  }

  function takeMessages(): readonly QueueMessage[] {
    const taken: QueueMessage[] = [];
    for (const message of shuffleMessages(store.listVisible(name, Date.now()))) {
      if (taken.length === batchSize) break;
      if (deadLetterQueue !== undefined && message.receiveCount >= maxReceiveCount) {
        store.move(message, deadLetterQueue);
        continue;
      }
      const hidden = rough?.chance(givenTwice) ? rough.pickBetween(0, again) : visibilitySeconds * 1000;
      taken.push(store.receive(message, Date.now() + hidden));
    }
    return taken;
  }

  function shuffleMessages(visible: readonly QueueMessage[]): readonly QueueMessage[] {
    if (rough === undefined) return visible;
    return visible
      .map((message) => ({ message, place: rough.pickBetween(0, visible.length * visible.length) }))
      .toSorted((one, other) => one.place - other.place)
      .map(({ message }) => message);
  }

  async function runHandler(batch: readonly QueueMessage[]): Promise<void> {
    const event = { Records: batch.map((message) => makeRecord(name, message)) };
    try {
      const failed = readFailedIds(await handler(event), event);
      for (const message of batch.filter(({ id }) => !failed.has(id))) {
        if (rough?.chance(keptDeleted)) store.hide(message, Date.now() + rough.pickBetween(0, again));
        else store.remove(message);
      }
    } catch (error) {
      onError(error, event);
    }
  }

  const handleArrival = (queue: string) => {
    if (queue === name) deliver();
  };
  store.arrivals.on("arrived", handleArrival);
  deliver();
  return {
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      store.arrivals.off("arrived", handleArrival);
      await Promise.all(running);
    },
  };
}

/** A message in Lambda's event. */
function makeRecord(queue: string, message: QueueMessage): SQSRecord {
  const { id, body, attributes, sentAt, receiveCount, firstReceivedAt } = message;
  const user = Object.entries(attributes).map(([name, { StringValue: stringValue, DataType: dataType }]) => [
    name,
    { stringValue, dataType },
  ]);
  return {
    messageId: id,
    receiptHandle: `${id}.${receiveCount}`,
    body,
    attributes: {
      ApproximateReceiveCount: String(receiveCount),
      SentTimestamp: String(sentAt),
      SenderId: "AIDALOCALSENDER",
      ApproximateFirstReceiveTimestamp: String(firstReceivedAt),
    },
    messageAttributes: Object.fromEntries(user),
    md5OfBody: createHash("md5").update(body).digest("hex"),
    eventSource: "aws:sqs",
    eventSourceARN: `arn:aws:sqs:us-east-1:000000000000:${queue}`,
    awsRegion: "us-east-1",
  };
}

const response = z.union([
  z.void(),
  z.null(),
  z.object({ batchItemFailures: z.array(z.object({ itemIdentifier: z.string().min(1) })).nullish() }),
]);

/**
 * The message ids that a handler's answer reports as failed. Throws if Lambda would treat the whole batch as failed: the answer has a wrong
 * form, or the answer contains an id that is not in the batch (Lambda Developer Guide, "Success and failure conditions" of SQS partial
 * batch responses).
 */
function readFailedIds(answer: unknown, { Records }: SQSEvent): ReadonlySet<string> {
  const failures = response.parse(answer)?.batchItemFailures ?? [];
  const failed = new Set(failures.map(({ itemIdentifier }) => itemIdentifier));
  const unknown = [...failed].filter((id) => !Records.some(({ messageId }) => messageId === id));
  if (unknown.length > 0)
    throw new Error(`The handler reported failed messages that are not in its batch: ${unknown.join(", ")}.`);
  return failed;
}
