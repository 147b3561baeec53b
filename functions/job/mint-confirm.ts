import * as Mint from "../../core/mint/index.ts";
import { MintOrder } from "../../core/mint/schema.ts";
import { makeWorker } from "../lib/job.ts";
import { addLogFields } from "../lib/log.ts";
import { logMetrics } from "../lib/meter.ts";
import * as runtime from "../lib/runtime.ts";

export const handler = makeWorker("mint-confirm", MintOrder, "together", async (order) => {
  addLogFields({ press: order.id });
  const ports = {
    ...runtime.makeTablePorts(),
    chain: runtime.chain(),
    market: runtime.market(),
    mints: runtime.mints(),
    verdicts: runtime.verdicts(),
    settings: runtime.readSettings(),
  };
  const settled = await Mint.settle(ports, order);
  if (settled.status === "refused") logMetrics({ MintRefused: 1 }, { code: settled.code });
  // If the queue delivers a message again, no follower gets a second notification (core/push).
  if (settled.status === "done") await runtime.pushes().send({ id: order.id, of: "author" });
  if (settled.status === "done") logMetrics({ MintConfirmed: 1, WentLive: settled.wentLive ? 1 : 0 });
});
