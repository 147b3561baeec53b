import * as Market from "../../core/market/index.ts";
import { scheduledJob } from "../lib/job.ts";
import { log } from "../lib/log.ts";
import * as runtime from "../lib/runtime.ts";

/** Records the prices of all stocks that readers have requested. Runs every five minutes. */
export const handler = scheduledJob("market-record", async () => {
  const ports = { table: runtime.table(), clock: runtime.clock, market: runtime.market() };
  const done = await Market.record(ports);
  log[done.refused > 0 ? "warn" : "info"]("Prices recorded", { ...done });
});
