import { expect, test } from "vitest";
import { postVerdict as handler } from "../../functions/job/after-live.ts";
import { platformIndexes, platformMnemonic } from "../../local/devnet/accounts.ts";
import { publish } from "../core/press/newsroom.ts";
import { startPart } from "../support/provide.ts";
import { makePorts } from "./lib/desk.ts";
import { delivery, makeQueueEvent } from "./lib/queue-event.ts";
import { startStage } from "./lib/stage.ts";

const stored = startPart(() =>
  startStage({
    RELAYER_MNEMONIC: platformMnemonic,
    RELAYER_COUNT: String(platformIndexes.relayers.length),
  }),
);

test("only the failed messages in a batch of verdicts are delivered again", async () => {
  const room = makePorts(stored.table);
  const [done, waiting] = [await publish(room, 0), await publish(room, 1)];
  await stored.table.entities.press
    .patch({ id: done.id })
    .set({ auditTx: `0x${"7".repeat(64)}` })
    .go();
  const answer = await handler(
    makeQueueEvent("verdicts", {
      posted: JSON.stringify({ id: done.id }),
      broken: "{",
      foreign: JSON.stringify({ id: "1" }),
      unknown: JSON.stringify({ id: 999 }),
      // The press in this message has no report, and the test has no chain.
      waiting: JSON.stringify({ id: waiting.id }),
    }),
    delivery,
  );
  expect(answer).toEqual({
    batchItemFailures: ["broken", "foreign", "unknown", "waiting"].map((itemIdentifier) => ({
      itemIdentifier,
    })),
  });
});
