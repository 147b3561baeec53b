import * as Push from "../../core/push/index.ts";
import { PushOrder } from "../../core/push/schema.ts";
import { worker } from "../lib/job.ts";
import { follow, log } from "../lib/log.ts";
import * as runtime from "../lib/runtime.ts";

export const handler = worker("press-push", PushOrder, "together", async (order) => {
  follow({ press: order.id });
  const push = runtime.push();
  if (push === undefined) {
    log.warn("This stage has no key for notifications, so nobody was told");
    return;
  }
  const ports = {
    table: runtime.table(),
    clock: runtime.clock,
    push,
    services: runtime.pushServices(),
    pushes: runtime.pushes(),
  };
  log.info("Followers were told", await Push.tell(ports, order));
});
