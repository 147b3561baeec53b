import { expect, test } from "vitest";
import type { MintOrder } from "../../core/mint/schema.ts";
import { handler } from "../../functions/job/mint-confirm.ts";
import { startQueues } from "../../local/queue/index.ts";
import { publish, publisher } from "../core/press/newsroom.ts";
import { startPart } from "../support/provide.ts";
import { makePorts } from "./lib/desk.ts";
import { delivery, makeQueueEvent } from "./lib/queue-event.ts";
import { startStage } from "./lib/stage.ts";

const txHash = `0x${"7".repeat(64)}` as const;

const told = ["verdicts", "pushes"].map((name) => ({ name, visibilitySeconds: 30 }));
const queues = startPart(() => startQueues({ queues: told }));
const stored = startPart(() =>
  startStage({
    MINT_QUEUE_URL: "http://127.0.0.1:9/mints",
    VERDICT_QUEUE_URL: queues.queueUrl("verdicts"),
    PUSH_QUEUE_URL: queues.queueUrl("pushes"),
  }),
);

test("only the failed messages of a batch are delivered again, and a press that has gone live is reported to the queues for verdicts and for notifications", async () => {
  const { id } = await publish(makePorts(stored.table), 0);
  const order: MintOrder = { id, txHash, wallet: publisher, attempt: 0 };
  const answer = await handler(
    makeQueueEvent("mints", {
      good: JSON.stringify(order),
      broken: "{",
      foreign: JSON.stringify({ ...order, attempt: "0" }),
      unknown: JSON.stringify({ ...order, id: 999 }),
    }),
    delivery,
  );
  expect(answer).toEqual({
    batchItemFailures: ["broken", "foreign", "unknown"].map((itemIdentifier) => ({ itemIdentifier })),
  });
  const { data } = await stored.table.entities.mint.get({ id, txHash }).go();
  expect(data?.state).toBe("done");
  for (const name of ["verdicts", "pushes"]) {
    const told = name === "pushes" ? { id, of: "author" } : { id };
    expect(queues.messages(name).map(({ body }) => JSON.parse(body))).toEqual([told]);
  }
});
