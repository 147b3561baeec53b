import { ReceiveMessageCommand, SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startQueues } from "../../local/queue/index.ts";
import { makeRandomSource } from "../../local/stand-in.ts";
import { localAws } from "../support/aws.ts";
import { startPart } from "../support/provide.ts";

let client: SQSClient;
let QueueUrl: string;

const queues = startPart(() => startQueues({ queues: [{ name: "mints", visibilitySeconds: 30 }] }), {
  each: true,
});
beforeEach(() => {
  client = new SQSClient({ endpoint: queues.endpoint, ...localAws });
  QueueUrl = queues.queueUrl("mints");
});
afterEach(() => client.destroy());

test("requests that SQS would refuse are refused with the same error name", async () => {
  const send = (input: { readonly MessageBody: string; readonly QueueUrl?: string }) =>
    client.send(new SendMessageCommand({ QueueUrl, ...input }));
  const large = send({ MessageBody: "x".repeat(1_048_577) });
  await expect(large).rejects.toMatchObject({ name: "InvalidParameterValue" });
  await expect(send({ MessageBody: "\u0000" })).rejects.toMatchObject({ name: "InvalidParameterValue" });
  const missing = send({ MessageBody: "lost", QueueUrl: `${queues.endpoint}/000000000000/others` });
  await expect(missing).rejects.toMatchObject({ name: "QueueDoesNotExist" });
  expect(queues.messages("mints")).toEqual([]);
});

test("an action that the stand-in does not serve is refused", async () => {
  const receiving = client.send(new ReceiveMessageCommand({ QueueUrl }));
  await expect(receiving).rejects.toMatchObject({ name: "UnknownOperationException" });
});

describe("a rough queue delivers messages out of order", () => {
  /** Sends sixty messages, and then receives messages until the queue is empty. Returns the order in which the messages arrived. */
  async function drainQueue(seed: string): Promise<readonly number[]> {
    const rough = await startQueues({
      queues: [{ name: "rough", visibilitySeconds: 30 }],
      rough: makeRandomSource(seed, "queues"),
    });
    const at = new SQSClient({ endpoint: rough.endpoint, ...localAws });
    try {
      for (let index = 0; index < 60; index += 1) {
        await at.send(
          new SendMessageCommand({ QueueUrl: rough.queueUrl("rough"), MessageBody: String(index) }),
        );
      }
      const come: number[] = [];
      const consumer = rough.consume("rough", {
        batchSize: 10,
        concurrency: 1,
        handler: async ({ Records }) => void come.push(...Records.map(({ body }) => Number(body))),
      });
      await expect.poll(() => rough.messages("rough")).toEqual([]);
      await consumer.stop();
      return come;
    } finally {
      at.destroy();
      await rough.stop();
    }
  }

  test("a rough queue delivers all messages in random order, each at least once and some twice", async () => {
    const come = await drainQueue("a seed");
    expect(new Set(come)).toEqual(new Set(Array.from({ length: 60 }, (_, index) => index)));
    expect(come.length).toBeGreaterThan(60);
    expect(come.length).toBeLessThan(90);
    expect(come.slice(0, 10)).not.toEqual(come.slice(0, 10).toSorted((one, other) => one - other));
  });
});
