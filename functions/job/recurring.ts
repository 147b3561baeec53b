import * as Market from "../../core/market/index.ts";
import * as Search from "../../core/search/index.ts";
import * as Views from "../../core/views/index.ts";
import { makeScheduledJob } from "../lib/job.ts";
import { log, warnings } from "../lib/log.ts";
import * as runtime from "../lib/runtime.ts";

/** Records the price of every stock whose price a reader has ever requested. The job runs every five minutes. */
export const recordPrices = makeScheduledJob("market-record", async () => {
  const ports = { ...runtime.makeTablePorts(), market: runtime.market() };
  const done = await Market.savePrices(ports);
  log[done.refused > 0 ? "warn" : "info"]("Prices recorded", { ...done });
});

/** Adds new presses to the search index. The job runs every five minutes. */
export const prepareSearch = makeScheduledJob("search-prepare", async () => {
  const ports = { ...runtime.makeTablePorts(), index: runtime.searchIndex() };
  log.info("The search index was prepared", await Search.fillIndex(ports));
});

/** Counts the views in new files of the edge's log. The job runs every quarter of an hour. */
export const countViews = makeScheduledJob("views-count", async () => {
  const done = await Views.count({
    ...runtime.makeTablePorts(),
    edgeLogs: runtime.edgeLogs(),
    settings: runtime.readSettings(),
    log: warnings,
  });
  log[done.failed > 0 ? "warn" : "info"]("Views counted", { ...done });
});
