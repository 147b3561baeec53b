import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import {
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startQueues } from "../../local/queue/index.ts";

const QUEUES = [{ name: "mints", visibilitySeconds: 300 }];
const MODULE = new URL("../../local/queue/index.ts", import.meta.url).href;
let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "queue-"));
});

afterEach(async () => {
  await rm(directory, { recursive: true });
});

test("a kill -9 loses no answered message, and restores no deleted message", async () => {
  await using first = await startChild();
  const acknowledged: string[] = [];
  const sending = sendUntilRefused(first.client, first.queueUrl, acknowledged);
  const [deleted, held] = await receiveTwo(first.client, first.queueUrl);
  const deletion = { QueueUrl: first.queueUrl, ReceiptHandle: deleted.ReceiptHandle };
  await first.client.send(new DeleteMessageCommand(deletion));
  await expect.poll(() => acknowledged.length).toBeGreaterThan(50);
  first.child.kill("SIGKILL");
  await sending;

  await using second = await startChild();
  const revived = await receiveAll(second.client, second.queueUrl);
  const expected = acknowledged.filter((id) => id !== deleted.MessageId && id !== held.MessageId);
  expect(revived.map(({ MessageId }) => MessageId)).toEqual(expect.arrayContaining(expected));
  expect(revived.length - expected.length).toBeLessThanOrEqual(1);
  expect(revived.map(({ MessageId }) => MessageId)).not.toContain(deleted.MessageId);
  // The receiver's receipt handle still works, because the message stays hidden from other receivers across the restart.
  expect(revived.map(({ MessageId }) => MessageId)).not.toContain(held.MessageId);
});

test("a start rewrites the journal without deleted messages and drops an incomplete last line", async () => {
  const path = join(directory, "queues.jsonl");
  const queues = await startQueues({ port: 0, directory, queues: QUEUES });
  const client = makeSqsClient(queues.endpoint);
  const QueueUrl = queues.queueUrl("mints");
  for (const MessageBody of ["kept", "gone"])
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody }));
  const [, gone] = await receiveTwo(client, QueueUrl);
  await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: gone.ReceiptHandle }));
  client.destroy();
  await queues.stop();
  await appendFile(path, '[{"op":"put","queue":"mi');

  await (await startQueues({ port: 0, directory, queues: QUEUES })).stop();
  const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('"body":"kept"');
});

test("a journal that is damaged in another line than the last is refused", async () => {
  await writeFile(join(directory, "queues.jsonl"), '[{"op":"put"}]\n');
  await expect(startQueues({ port: 0, directory, queues: QUEUES })).rejects.toThrow("damaged at line 1");
});

type Running = AsyncDisposable & { child: ChildProcess; client: SQSClient; queueUrl: string };

async function startChild(): Promise<Running> {
  const source = `
    import { startQueues } from ${JSON.stringify(MODULE)};
    const options = ${JSON.stringify({ port: 0, directory, queues: QUEUES })};
    const queues = await startQueues(options);
    console.log(queues.endpoint);
    process.stdin.resume().on("end", () => process.exit());`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", source], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  const ended = once(child, "exit");
  const [line] = await Promise.race([
    once(child.stdout, "data"),
    ended.then(async () => Promise.reject(new Error(await text(child.stderr)))),
  ]);
  const endpoint = String(line).trim();
  const client = makeSqsClient(endpoint);
  return {
    child,
    client,
    queueUrl: `${endpoint}/000000000000/mints`,
    [Symbol.asyncDispose]: async () => {
      client.destroy();
      child.kill("SIGKILL");
      await ended;
    },
  };
}

function makeSqsClient(endpoint: string): SQSClient {
  const credentials = { accessKeyId: "local", secretAccessKey: "local" };
  return new SQSClient({ endpoint, region: "us-east-1", credentials, maxAttempts: 1 });
}

async function sendUntilRefused(client: SQSClient, QueueUrl: string, acknowledged: string[]): Promise<void> {
  try {
    for (let index = 0; ; index += 1) {
      const sent = await client.send(new SendMessageCommand({ QueueUrl, MessageBody: `message ${index}` }));
      acknowledged.push(String(sent.MessageId));
    }
  } catch (error) {
    // The kill must end the loop, so the only expected error is a lost connection.
    expect(String(error)).toMatch(/ECONNRE|socket hang up/);
  }
}

async function receiveTwo(client: SQSClient, QueueUrl: string): Promise<readonly [Message, Message]> {
  const one = async () => {
    const { Messages } = await client.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 5 }));
    const [message] = Messages ?? [];
    if (message === undefined) throw new Error("The queue handed out nothing.");
    return message;
  };
  return [await one(), await one()];
}

async function receiveAll(client: SQSClient, QueueUrl: string): Promise<readonly Message[]> {
  const all: Message[] = [];
  for (;;) {
    const { Messages } = await client.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }));
    if (Messages === undefined) return all;
    all.push(...Messages);
  }
}
