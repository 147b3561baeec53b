import { SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import type { SQSEvent } from "aws-lambda";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Consumer, ConsumerOptions } from "../../local/queue/consumer.ts";
import { startQueues } from "../../local/queue/index.ts";
import { localAws } from "../support/aws.ts";
import { startPart } from "../support/provide.ts";

let client: SQSClient;
let consumer: Consumer | undefined;

/**
 * In the queues `brief` and `endless`, a message soon becomes visible again. In all queues except `brief` and `endless`, a message stays
 * hidden for a whole test.
 */
const told = [
  { name: "mints", visibilitySeconds: 900 },
  { name: "brief", visibilitySeconds: 1, maxReceiveCount: 2, deadLetterQueue: "dead" },
  { name: "dead", visibilitySeconds: 900 },
  { name: "endless", visibilitySeconds: 1 },
];
const queues = startPart(() => startQueues({ queues: told }), { each: true });
beforeEach(() => {
  client = new SQSClient({ endpoint: queues.endpoint, ...localAws });
});

afterEach(async () => {
  await consumer?.stop();
  consumer = undefined;
  client.destroy();
});

function consume(
  options: Partial<ConsumerOptions> & Pick<ConsumerOptions, "handler">,
  queue = "mints",
): void {
  consumer = queues.consume(queue, { batchSize: 10, concurrency: 1, ...options });
}

async function sendAll(bodies: readonly string[], queue = "mints"): Promise<void> {
  const QueueUrl = queues.queueUrl(queue);
  for (const MessageBody of bodies) await client.send(new SendMessageCommand({ QueueUrl, MessageBody }));
}

const listBodies = (name: string) => queues.messages(name).map(({ body }) => body);
const countRemaining = () => queues.messages("mints").length;

test("the handler gets an event in Lambda's form, and handled messages are deleted", async () => {
  const MessageAttributes = { kind: { DataType: "String", StringValue: "mint" } };
  const sent = await client.send(
    new SendMessageCommand({ QueueUrl: queues.queueUrl("mints"), MessageBody: "{}", MessageAttributes }),
  );
  const events: SQSEvent[] = [];
  consume({ handler: async (event) => events.push(event) && undefined });
  await expect.poll(countRemaining).toBe(0);
  expect(events).toEqual([
    {
      Records: [
        {
          messageId: sent.MessageId,
          receiptHandle: expect.any(String),
          body: "{}",
          attributes: {
            ApproximateReceiveCount: "1",
            SentTimestamp: expect.stringMatching(/^\d{13}$/),
            SenderId: expect.any(String),
            ApproximateFirstReceiveTimestamp: expect.stringMatching(/^\d{13}$/),
          },
          messageAttributes: { kind: { stringValue: "mint", dataType: "String" } },
          md5OfBody: "99914b932bd37a50b983c5e7c90ae93b",
          eventSource: "aws:sqs",
          eventSourceARN: "arn:aws:sqs:us-east-1:000000000000:mints",
          awsRegion: "us-east-1",
        },
      ],
    },
  ]);
});

test("only the failed messages of a batch are delivered again, and after the last attempt they go to the dead-letter queue", async () => {
  await sendAll(["good", "bad", "fine"], "brief");
  const seen: string[][] = [];
  const failBadMessages: ConsumerOptions["handler"] = async ({ Records }) => {
    seen.push(Records.map(({ body }) => body));
    const failed = Records.filter(({ body }) => body === "bad");
    return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };
  consume({ handler: failBadMessages }, "brief");
  await expect.poll(() => listBodies("dead")).toEqual(["bad"]);
  expect(seen).toEqual([["good", "bad", "fine"], ["bad"]]);
  expect(listBodies("brief")).toEqual([]);
});

test.each([
  ["throws", () => Promise.reject(new Error("broken"))],
  [
    "names a message outside the batch",
    async () => ({ batchItemFailures: [{ itemIdentifier: "stranger" }] }),
  ],
  ["answers a wrong shape", async () => ({ batchItemFailures: [{ wrong: "key" }] })],
])("if a handler %s, the whole batch fails", async (_case, handler) => {
  await sendAll(["a", "b"]);
  const failures: (SQSEvent | undefined)[] = [];
  consume({ handler, onError: (_error, event) => failures.push(event) });
  await expect.poll(() => failures.length).toBe(1);
  expect(failures[0]?.Records.map(({ body }) => body)).toEqual(["a", "b"]);
  expect(countRemaining()).toBe(2);
});

test("at most `concurrency` batches run at once, and each has at most as many messages as the batch size", async () => {
  await sendAll([..."abcdefghij"]);
  let running = 0;
  let most = 0;
  const sizes: number[] = [];
  consume({
    batchSize: 2,
    concurrency: 3,
    handler: async ({ Records }) => {
      running += 1;
      most = Math.max(most, running);
      sizes.push(Records.length);
      await expect.poll(() => most).toBe(3);
      running -= 1;
    },
  });
  await expect.poll(countRemaining).toBe(0);
  expect(most).toBe(3);
  expect(sizes).toEqual([2, 2, 2, 2, 2]);
});

test("a stopped consumer first finishes the messages that it is handling, and deletes them from the queue", async () => {
  const started = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  consume({
    handler: () => {
      started.resolve();
      return release.promise;
    },
  });
  await sendAll(["slow"]);
  await started.promise;
  let stopped = false;
  const stopping = consumer?.stop().then(() => {
    stopped = true;
  });
  expect(countRemaining()).toBe(1);
  expect(stopped).toBe(false);
  release.resolve();
  await stopping;
  expect(countRemaining()).toBe(0);
});

test("a handler that finishes late deletes no message that was delivered again in the meantime", async () => {
  await sendAll(["slow"], "endless");
  const finishes: (() => void)[] = [];
  const handleLate = () => new Promise((resolve) => finishes.push(() => resolve(null)));
  consume({ concurrency: 2, handler: handleLate }, "endless");
  await expect.poll(() => finishes.length).toBe(2);
  finishes[0]?.();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(listBodies("endless")).toEqual(["slow"]);
  // On a busy machine the message is delivered more than twice. When the last delivery ends, the message is deleted.
  const finishAll = () => {
    for (const finish of finishes) finish();
    return listBodies("endless");
  };
  await expect.poll(finishAll).toEqual([]);
});

test("a message with a delay is delivered after the delay", async () => {
  const handled: number[] = [];
  consume({ handler: async () => void handled.push(Date.now()) });
  const sent = Date.now();
  const QueueUrl = queues.queueUrl("mints");
  await client.send(new SendMessageCommand({ QueueUrl, MessageBody: "later", DelaySeconds: 1 }));
  await expect.poll(() => handled.length).toBe(1);
  expect(handled[0]).toBeGreaterThanOrEqual(sent + 1_000);
});
