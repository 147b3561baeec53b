import * as Push from "../../core/push/index.ts";
import { PushOrder } from "../../core/push/schema.ts";
import * as Verdict from "../../core/verdict/index.ts";
import { VerdictMessage } from "../../core/verdict/schema.ts";
import { makeWorker } from "../lib/job.ts";
import { addLogFields, log } from "../lib/log.ts";
import { logMetrics } from "../lib/meter.ts";
import * as runtime from "../lib/runtime.ts";

/** Messages are processed one after the other, because all their transactions use one key. */
export const postVerdict = makeWorker("verdict-post", VerdictMessage, "in turn", async (order) => {
  addLogFields({ press: order.id });
  const ports = {
    ...runtime.makeTablePorts(),
    settings: runtime.readSettings(),
    chain: runtime.chain(),
    auditor: runtime.auditor(),
  };
  const posting = await Verdict.post(ports, order);
  if (posting.status === "refused") log.warn("The chain refused a verdict", { ...order, ...posting });
  logMetrics({ VerdictPosted: 1 }, { outcome: posting.status });
});

export const tellFollowers = makeWorker("press-push", PushOrder, "together", async (order) => {
  addLogFields({ press: order.id });
  const push = runtime.push();
  if (push === undefined) {
    log.warn("This stage has no key for notifications, so nobody was notified");
    return;
  }
  const ports = {
    ...runtime.makeTablePorts(),
    push,
    services: runtime.readPushServices(),
    pushes: runtime.pushes(),
  };
  log.info("Followers were told", await Push.notifyFollowers(ports, order));
});
