import {
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import type { SQSEvent } from "aws-lambda";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Consumer, type ConsumerOptions, startConsumer } from "../../local/queue/consumer.ts";
import { type Queues, startQueues } from "../../local/queue/index.ts";

let queues: Queues;
let client: SQSClient;
let queueUrl: string;
let consumer: Consumer | undefined;

beforeEach(async () => {
  vi.stubEnv("AWS_REGION", "us-east-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "local");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "local");
  queues = await startQueues({
    port: 0,
    queues: [
      { name: "mints", visibilitySeconds: 1, maxReceiveCount: 2, deadLetterQueue: "mints-dead" },
      { name: "mints-dead", visibilitySeconds: 30 },
    ],
  });
  client = new SQSClient({ endpoint: queues.endpoint });
  queueUrl = queues.queueUrl("mints");
});

afterEach(async () => {
  await consumer?.stop();
  consumer = undefined;
  client.destroy();
  await queues.stop();
  vi.unstubAllEnvs();
});

async function consume(options: Partial<ConsumerOptions> & Pick<ConsumerOptions, "handler">): Promise<void> {
  consumer = await startConsumer({
    endpoint: queues.endpoint,
    queueUrl,
    batchSize: 10,
    concurrency: 1,
    ...options,
  });
}

async function sendAll(...bodies: readonly string[]): Promise<void> {
  for (const MessageBody of bodies) {
    await client.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody }));
  }
}

async function countRemaining(): Promise<number> {
  const command = new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: ["All"] });
  const { Attributes } = await client.send(command);
  return (
    Number(Attributes?.ApproximateNumberOfMessages) +
    Number(Attributes?.ApproximateNumberOfMessagesNotVisible)
  );
}

test("the handler gets an event in Lambda's form, and handled messages are deleted", async () => {
  const MessageAttributes = { kind: { DataType: "String", StringValue: "mint" } };
  const sent = await client.send(
    new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: "{}", MessageAttributes }),
  );
  const events: SQSEvent[] = [];
  await consume({ handler: async (event) => events.push(event) && undefined });
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
  await sendAll("good", "bad", "fine");
  const seen: string[][] = [];
  await consume({
    handler: async ({ Records }) => {
      seen.push(Records.map(({ body }) => body));
      const failed = Records.filter(({ body }) => body === "bad");
      return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
    },
  });
  const dead = await client.send(
    new ReceiveMessageCommand({ QueueUrl: queues.queueUrl("mints-dead"), WaitTimeSeconds: 10 }),
  );
  expect(dead.Messages?.map(({ Body }) => Body)).toEqual(["bad"]);
  expect(seen).toEqual([["good", "bad", "fine"], ["bad"]]);
  expect(await countRemaining()).toBe(0);
});

test.each([
  ["throws", () => Promise.reject(new Error("broken"))],
  [
    "names a message outside the batch",
    async () => ({ batchItemFailures: [{ itemIdentifier: "stranger" }] }),
  ],
  ["answers a wrong shape", async () => ({ batchItemFailures: [{ wrong: "key" }] })],
])("if a handler %s, the whole batch fails", async (_case, handler) => {
  await sendAll("a", "b");
  const failures: (SQSEvent | undefined)[] = [];
  await consume({ handler, onError: (_error, event) => failures.push(event) });
  await expect.poll(() => failures.length).toBe(1);
  expect(failures[0]?.Records.map(({ body }) => body)).toEqual(["a", "b"]);
  expect(await countRemaining()).toBe(2);
});

test("at most `concurrency` batches run at once, and each has at most as many messages as the batch size", async () => {
  await sendAll(..."abcdefghij");
  let running = 0;
  let most = 0;
  const sizes: number[] = [];
  await consume({
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

test("a stop of the consumer waits for the running batch and deletes the handled messages", async () => {
  const started = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  await consume({
    handler: () => {
      started.resolve();
      return release.promise;
    },
  });
  await sendAll("slow");
  await started.promise;
  let stopped = false;
  const stopping = consumer?.stop().then(() => {
    stopped = true;
  });
  expect(await countRemaining()).toBe(1);
  expect(stopped).toBe(false);
  release.resolve();
  await stopping;
  expect(await countRemaining()).toBe(0);
});
