import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiptHandleIsInvalid,
  ReceiveMessageCommand,
  type ReceiveMessageCommandInput,
  SendMessageCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Queues, startQueues } from "../../local/queue/index.ts";
import { makeDice } from "../../local/stand-in.ts";

const credentials = { accessKeyId: "local", secretAccessKey: "local" };
let queues: Queues;
let client: SQSClient;
let QueueUrl: string;

beforeEach(async () => {
  queues = await startQueues({
    port: 0,
    queues: [
      { name: "mints", visibilitySeconds: 30, maxReceiveCount: 2, deadLetterQueue: "mints-dead" },
      { name: "mints-dead", visibilitySeconds: 30 },
    ],
  });
  client = new SQSClient({ endpoint: queues.endpoint, region: "us-east-1", credentials });
  QueueUrl = queues.queueUrl("mints");
});

afterEach(async () => {
  client.destroy();
  await queues.stop();
});

const send = (MessageBody: string, DelaySeconds = 0) =>
  client.send(new SendMessageCommand({ QueueUrl, MessageBody, DelaySeconds }));

async function receive(input: Partial<ReceiveMessageCommandInput> = {}): Promise<readonly Message[]> {
  const command = new ReceiveMessageCommand({
    QueueUrl,
    MaxNumberOfMessages: 10,
    MessageSystemAttributeNames: ["All"],
    ...input,
  });
  return (await client.send(command)).Messages ?? [];
}

async function receiveOne(input: Partial<ReceiveMessageCommandInput> = {}): Promise<Message> {
  const [message] = await receive(input);
  if (message === undefined) throw new Error("The queue handed out nothing.");
  return message;
}

describe("long polling", () => {
  test("a receiver that has closed its connection gets no message", async () => {
    for (const body of ["a", "b", "c", "d", "e"]) {
      const leaving = new AbortController();
      const command = new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20 });
      const left = client.send(command, { abortSignal: leaving.signal });
      await countMessages();
      leaving.abort();
      await expect(left).rejects.toThrow();
      await send(body);
      expect(await receiveOne({ WaitTimeSeconds: 5 })).toMatchObject({ Body: body });
    }
  });
});

describe("visibility", () => {
  test("a received message is hidden, and reappears with a higher receive count after its visibility timeout", async () => {
    await send("again");
    const first = await receiveOne({ VisibilityTimeout: 1 });
    expect(await receive()).toEqual([]);
    const second = await receiveOne({ WaitTimeSeconds: 5 });
    expect(second.MessageId).toBe(first.MessageId);
    expect(second.ReceiptHandle).not.toBe(first.ReceiptHandle);
    expect(second.Attributes?.ApproximateReceiveCount).toBe("2");
    expect(second.Attributes?.ApproximateFirstReceiveTimestamp).toBe(
      first.Attributes?.ApproximateFirstReceiveTimestamp,
    );
  });

  test("a replaced receipt handle deletes nothing, and the latest receipt handle deletes the message", async () => {
    await send("kept");
    const first = await receiveOne({ VisibilityTimeout: 0 });
    const second = await receiveOne();
    await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: first.ReceiptHandle }));
    expect(await countMessages()).toEqual({ visible: "0", inFlight: "1" });
    await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: second.ReceiptHandle }));
    expect(await countMessages()).toEqual({ visible: "0", inFlight: "0" });
  });
});

describe("dead letters", () => {
  test("a message moves to the dead-letter queue after it was received maxReceiveCount times", async () => {
    const sent = await send("poison");
    await receiveOne({ VisibilityTimeout: 0 });
    await receiveOne({ VisibilityTimeout: 0 });
    const waiting = receiveOne({ QueueUrl: queues.queueUrl("mints-dead"), WaitTimeSeconds: 20 });
    expect(await receive()).toEqual([]);
    const dead = await waiting;
    expect(dead.MessageId).toBe(sent.MessageId);
    expect(dead.Attributes?.DeadLetterQueueSourceArn).toBe("arn:aws:sqs:us-east-1:000000000000:mints");
    expect(await countMessages()).toEqual({ visible: "0", inFlight: "0" });
  });
});

describe("refusals", () => {
  test("requests that SQS would refuse are refused with the same error name", async () => {
    const broken = new DeleteMessageCommand({ QueueUrl, ReceiptHandle: "nonsense" });
    await expect(client.send(broken)).rejects.toBeInstanceOf(ReceiptHandleIsInvalid);
    const eleven = new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 11 });
    await expect(client.send(eleven)).rejects.toMatchObject({ name: "InvalidParameterValue" });
    await expect(send("x".repeat(1_048_577))).rejects.toMatchObject({ name: "InvalidParameterValue" });
  });
});

async function countMessages(): Promise<{ visible: string | undefined; inFlight: string | undefined }> {
  const { Attributes } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["All"] }),
  );
  return {
    visible: Attributes?.ApproximateNumberOfMessages,
    inFlight: Attributes?.ApproximateNumberOfMessagesNotVisible,
  };
}

describe("a rough queue delivers out of order", () => {
  /** Receives and deletes `count` messages until the queue is empty. Returns the order in which the messages arrived. */
  async function drainQueue(seed: string): Promise<readonly number[]> {
    const rough = await startQueues({
      port: 0,
      queues: [{ name: "rough", visibilitySeconds: 30 }],
      rough: makeDice(seed, "queues"),
    });
    const at = new SQSClient({ endpoint: rough.endpoint, region: "us-east-1", credentials });
    const url = rough.queueUrl("rough");
    try {
      for (let index = 0; index < 60; index += 1) {
        await at.send(new SendMessageCommand({ QueueUrl: url, MessageBody: String(index) }));
      }
      const come: number[] = [];
      for (;;) {
        const receiving = new ReceiveMessageCommand({
          QueueUrl: url,
          MaxNumberOfMessages: 10,
          WaitTimeSeconds: 2,
        });
        const { Messages = [] } = await at.send(receiving);
        if (Messages.length === 0) return come;
        for (const { Body, ReceiptHandle } of Messages) {
          come.push(Number(Body));
          await at.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle }));
        }
      }
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
