import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startQueues } from "../../local/queue/index.ts";
import { localAws } from "../support/aws.ts";

const QUEUES = [{ name: "mints", visibilitySeconds: 300 }];
const MODULE = new URL("../../local/queue/index.ts", import.meta.url).href;
let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "queue-"));
});

afterEach(() => rm(directory, { recursive: true }));

test("a kill -9 loses no message that the queue has acknowledged, restores no deleted message, and keeps a delivered message hidden", async () => {
  const child = await startChild();
  const acknowledged: string[] = [];
  const sending = sendUntilRefused(child.endpoint, acknowledged);
  await expect.poll(() => acknowledged.length).toBeGreaterThan(50);
  child.kill();
  await sending;

  const queues = await startQueues({ directory, queues: QUEUES });
  const found = queues.messages("mints");
  await queues.stop();
  const [deleted, held, ...others] = acknowledged;
  const ids = found.map(({ id }) => id);
  expect(ids).not.toContain(deleted);
  expect(found.find(({ id }) => id === held)).toMatchObject({ receiveCount: 1 });
  expect(found.find(({ id }) => id === held)?.visibleAt).toBeGreaterThan(Date.now() + 200_000);
  expect(ids).toEqual(expect.arrayContaining(others));
  expect(ids.length - others.length).toBeLessThanOrEqual(2);
});

test("a damaged file of messages is refused", async () => {
  await mkdir(join(directory, "queues"));
  await writeFile(join(directory, "queues", "messages.db"), "no messages".repeat(1_000));
  await expect(startQueues({ directory, queues: QUEUES })).rejects.toThrow(/not a database/);
});

/** Starts queues in a separate process. The consumer of these queues handles the first message, and never finishes the second message. */
async function startChild() {
  const source = `
    import { startQueues } from ${JSON.stringify(MODULE)};
    const queues = await startQueues(${JSON.stringify({ directory, queues: QUEUES })});
    let handled = 0;
    const handler = async () => {
      handled += 1;
      if (handled === 2) await new Promise(() => {});
    };
    queues.consume("mints", { batchSize: 1, concurrency: 1, handler });
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
  return { endpoint: String(line).trim(), kill: () => child.kill("SIGKILL") };
}

async function sendUntilRefused(endpoint: string, acknowledged: string[]): Promise<void> {
  const client = new SQSClient({ endpoint, ...localAws, maxAttempts: 1 });
  const QueueUrl = `${endpoint}/000000000000/mints`;
  try {
    for (let index = 0; ; index += 1) {
      const sent = await client.send(new SendMessageCommand({ QueueUrl, MessageBody: `message ${index}` }));
      acknowledged.push(String(sent.MessageId));
    }
  } catch (error) {
    // The loop runs until the queues' process is killed, so the only expected error is a lost connection.
    expect(String(error)).toMatch(/ECONNRE|EPIPE|socket hang up/);
  } finally {
    client.destroy();
  }
}
