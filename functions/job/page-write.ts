import * as Page from "../../core/page/index.ts";
import { PageOrder } from "../../core/page/schema.ts";
import { follow } from "../lib/correlation.ts";
import { worker } from "../lib/job.ts";
import { log } from "../lib/log.ts";
import * as runtime from "../lib/runtime.ts";

/** Writes the pages of presses that have gone live, or of all of them when they come to look different. */
export const handler = worker("page-write", PageOrder, "together", async (order) => {
  follow({ press: order.id });
  const ports = { table: runtime.table(), pages: runtime.pages(), settings: runtime.settings() };
  const outcome = await Page.write(ports, order);
  log.info("A page was ordered", { outcome });
});
