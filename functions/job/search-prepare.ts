import * as Search from "../../core/search/index.ts";
import { scheduledJob } from "../lib/job.ts";
import { log } from "../lib/log.ts";
import * as runtime from "../lib/runtime.ts";

/** Adds new presses to the search index. Runs every five minutes. */
export const handler = scheduledJob("search-prepare", async () => {
  const ports = { table: runtime.table(), clock: runtime.clock, index: runtime.searchIndex() };
  log.info("The search index was prepared", await Search.prepare(ports));
});
