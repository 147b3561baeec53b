import * as Page from "../../core/page/index.ts";
import { scheduled } from "../lib/job.ts";
import { log } from "../lib/log.ts";
import * as runtime from "../lib/runtime.ts";

/** Milliseconds: two thirds of the function's time, which an alarm watches. */
const budget = 80_000;

/** Orders all pages anew when a new build of the site, or of this code, would give them another look. */
export const handler = scheduled("page-refresh", async () => {
  const refreshed = await Page.refresh(
    {
      table: runtime.table(),
      clock: runtime.clock,
      pages: runtime.pages(),
      pageOrders: runtime.pageOrders(),
      settings: runtime.settings(),
    },
    runtime.clock.now() + budget,
  );
  log.info("Pages were looked at", refreshed);
});
