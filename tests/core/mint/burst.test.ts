import { SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import type { SQSEvent, SQSRecord } from "aws-lambda";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sqsQueue } from "../../../core/adapter/aws.ts";
import { openChain } from "../../../core/adapter/chain/index.ts";
import { systemClock } from "../../../core/adapter/system.ts";
import { AppError } from "../../../core/error.ts";
import { confirm, settle } from "../../../core/mint/index.ts";
import { MintOrder } from "../../../core/mint/schema.ts";
import { metaUrl } from "../../../core/press/links.ts";
import { save } from "../../../core/press/own.ts";
import type { VerdictOrder } from "../../../core/verdict/schema.ts";
import { jobs, queues as rows } from "../../../functions/jobs.ts";
import { type Queues, startQueues } from "../../../local/queue/index.ts";
import { makeDice } from "../../../local/stand-in.ts";
import { startTestTable, type TestTable } from "../../support/table.ts";
import { approve, makeDraft, makeMarketAt } from "../press/newsroom.ts";
import { mintOf, startMintNode } from "./node.ts";
import { makeRecordingQueue, origin, publisher, settings } from "./works.ts";

const size = 24;
/** In one of this many events the worker dies without an answer, and one of this many messages fails; SQS delivers such messages again. */
const dyingEach = 10;
const failingEach = 12;
/** A message stops failing after this number of deliveries, because a busy machine may also cause late deliveries. */
const mostFailures = 2;
const poison = ["{", '{"id":"1"}', JSON.stringify({ id: 1, txHash: mintOf(0), wallet: origin, attempt: 0 })];

const row = jobs.find(({ id }) => id === "mint-confirm");
const [mintsRow] = rows;

let storage: TestTable;
let queues: Queues;
let node: Awaited<ReturnType<typeof startMintNode>>;
let client: SQSClient;
let first: number;
beforeAll(async () => {
  storage = await startTestTable();
  // The queue has its real settings except for the times, and is unreliable: a failed message is delivered again after four seconds, at
  // most six times.
  const settings = { visibilitySeconds: 4, maxReceiveCount: 7, deadLetterQueue: mintsRow.deadLetterQueue };
  queues = await startQueues({
    port: 0,
    rough: makeDice("a burst", "queues"),
    queues: [
      { name: mintsRow.name, ...settings },
      { name: mintsRow.deadLetterQueue, visibilitySeconds: 30 },
    ],
  });
  client = new SQSClient({});
  first = await makeApprovedPresses();
  node = await startMintNode((agentId) => metaUrl(origin, first + agentId), size);
});
afterAll(async () => {
  client.destroy();
  await Promise.all([queues.stop(), node.stop(), storage.stop()]);
});

/**
 * Stores approved presses with consecutive ids, and returns the first id. The presses are copies of one press, because saving is not tested
 * here.
 */
async function makeApprovedPresses(): Promise<number> {
  const room = { table: storage.table, clock: systemClock, market: makeMarketAt({ now: 327.2 }) };
  const { id } = await save(room, publisher, makeDraft());
  await approve(room, id);
  const { press } = storage.table.entities;
  const { data: item } = await press.get({ id }).go({ consistent: true });
  if (item === null) throw new Error("The press is gone");
  await press.put(Array.from({ length: size - 1 }, (_, index) => ({ ...item, id: id + 1 + index }))).go();
  return id;
}

test(`${size} presses that are confirmed at once go live once each, and each publisher gets the result, although queue, nodes and workers fail`, async () => {
  const QueueUrl = queues.queueUrl(mintsRow.name);
  const mints = sqsQueue<MintOrder>(client, QueueUrl);
  const verdicts = makeRecordingQueue<VerdictOrder>();
  const works = {
    table: storage.table,
    clock: systemClock,
    chain: openChain([node.url]),
    market: makeMarketAt({ now: 327.2 }),
    mints,
    verdicts,
    settings,
  };
  let events = 0;
  let messages = 0;
  const failed: unknown[] = [];
  const worker = async ({ Records }: SQSEvent) => {
    events += 1;
    const isFresh = ({ attributes }: SQSRecord) => Number(attributes.ApproximateReceiveCount) <= mostFailures;
    if (events % dyingEach === 0 && Records.every(isFresh)) throw new Error("The worker has died");
    const failures = await Promise.all(
      Records.map(async (record) => {
        const { messageId, body } = record;
        messages += 1;
        const failing = messages % failingEach === 0 && isFresh(record);
        try {
          await settle(works, MintOrder.parse(JSON.parse(body)));
          // The worker has handled the message, but reports a failure.
          return failing ? [{ itemIdentifier: messageId }] : [];
        } catch (error) {
          failed.push(error);
          return [{ itemIdentifier: messageId }];
        }
      }),
    );
    return { batchItemFailures: failures.flat() };
  };
  const buried = () => queues.messages(mintsRow.deadLetterQueue).map(({ body }) => body);
  if (row?.trigger.kind !== "queue") throw new Error("No worker");
  const { batchSize, concurrency } = row.trigger;
  const consumer = queues.consume(mintsRow.name, {
    batchSize,
    concurrency,
    handler: worker,
    onError: () => undefined,
  });
  try {
    for (const MessageBody of poison) await client.send(new SendMessageCommand({ QueueUrl, MessageBody }));
    const answers = await Promise.all(
      Array.from({ length: size }, (_, agentId) => confirmUntilAnswered(works, first + agentId, agentId)),
    );
    expect(answers).toEqual(
      Array.from({ length: size }, (_, agentId) => ({
        slug: `apple-s-margins-widen-again-${(first + agentId).toString(36)}`,
        pressId: agentId,
      })),
    );
    await expect.poll(() => buried().length, { timeout: 90_000 }).toBe(poison.length);
    expect(new Set(buried())).toEqual(new Set(poison));
    // A press may be live by its publisher's own request while its message still waits for another try.
    await expect.poll(() => queues.messages(mintsRow.name).length, { timeout: 60_000 }).toBe(0);
  } finally {
    await consumer.stop();
  }
  const { data: minted } = await storage.table.entities.minted.scan.go({ pages: "all" });
  expect(new Set(minted.map(({ id }) => id)).size).toBe(size);
  expect(new Set(verdicts.sent.map(({ order }) => order.id)).size).toBe(size);
  expect(failed.length).toBeGreaterThanOrEqual(poison.length);
}, 300_000);

/** Sends a publisher's request, and repeats it after the answer's Retry-After while the mint is pending. */
async function confirmUntilAnswered(works: Parameters<typeof confirm>[0], id: number, agentId: number) {
  for (;;) {
    const asked = confirm(works, publisher, { id, txHash: mintOf(agentId) });
    const answer = await asked.catch((error: unknown) => {
      if (!(error instanceof AppError && error.code === "mint_pending")) throw error;
      return systemClock.sleep((error.retryAfter ?? 0) * 1000);
    });
    if (answer !== undefined) return answer;
  }
}
