import * as Market from "../../core/market/index.ts";
import { scheduled } from "../lib/job.ts";
import { log } from "../lib/log.ts";
import * as runtime from "../lib/runtime.ts";

/** Records what every stock costs that readers have asked for: every five minutes, by the clock. */
export const handler = scheduled("market-record", async () => {
  const ports = { table: runtime.table(), clock: runtime.clock, market: runtime.market() };
  const done = await Market.record(ports);
  log[done.refused > 0 ? "warn" : "info"]("Prices recorded", { ...done });
});
