import * as Views from "../../core/views/index.ts";
import { scheduledJob } from "../lib/job.ts";
import { log, warnings } from "../lib/log.ts";
import * as runtime from "../lib/runtime.ts";

/** Counts the views in new files of the edge's log. Runs every quarter of an hour. */
export const handler = scheduledJob("views-count", async () => {
  const done = await Views.count({
    table: runtime.table(),
    clock: runtime.clock,
    edgeLogs: runtime.edgeLogs(),
    settings: runtime.settings(),
    log: warnings,
  });
  log[done.failed > 0 ? "warn" : "info"]("Views counted", { ...done });
});
