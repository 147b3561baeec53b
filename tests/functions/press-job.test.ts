import type { SQSEvent } from "aws-lambda";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { MintOrder } from "../../core/press/schema.ts";
import { handler } from "../../functions/job/mint-confirm.ts";
import { handClock, marketAt, publish, publisher } from "../core/press/newsroom.ts";
import type { TestTable } from "../support/table.ts";
import { startStage } from "./lib/stage.ts";

const txHash = `0x${"7".repeat(64)}` as const;

let stored: TestTable;
beforeAll(async () => {
  stored = await startStage({ MINT_QUEUE_URL: "http://127.0.0.1:9/mints" });
});
afterAll(() => stored.stop());

function eventOf(bodies: Readonly<Record<string, string>>): SQSEvent {
  const Records = Object.entries(bodies).map(([messageId, body]) => ({
    messageId,
    body,
    receiptHandle: messageId,
    attributes: {
      ApproximateReceiveCount: "1",
      SentTimestamp: "0",
      SenderId: "tests",
      ApproximateFirstReceiveTimestamp: "0",
    },
    messageAttributes: {},
    md5OfBody: "",
    eventSource: "aws:sqs",
    eventSourceARN: "arn:aws:sqs:us-east-1:000000000000:mints",
    awsRegion: "us-east-1",
  }));
  return { Records };
}

test("of a batch only the messages that could not be worked on come again", async () => {
  const room = { table: stored.table, clock: handClock(), market: marketAt({ now: 1 }) };
  const { id } = await publish(room, 0);
  const order: MintOrder = { id, txHash, wallet: publisher, attempt: 0 };
  const answer = await handler(
    eventOf({
      good: JSON.stringify(order),
      broken: "{",
      foreign: JSON.stringify({ ...order, attempt: "0" }),
      unknown: JSON.stringify({ ...order, id: 999 }),
    }),
  );
  expect(answer).toEqual({
    batchItemFailures: ["broken", "foreign", "unknown"].map((itemIdentifier) => ({ itemIdentifier })),
  });
  const { data } = await stored.table.entities.mint.get({ id, txHash }).go();
  expect(data?.state).toBe("done");
});
