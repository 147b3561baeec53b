import * as Payment from "../../core/payment/index.ts";
import { scheduled } from "../lib/job.ts";
import { log } from "../lib/log.ts";
import { paymentPorts } from "../lib/payment.ts";

/** Ends what payments have left under way (design §4): every minute, by the clock. */
export const handler = scheduled("payment-reconcile", async () => {
  const done = await Payment.reconcile(paymentPorts());
  const level = done.unknown > 0 || done.oldest > 120_000 ? "warn" : "info";
  log[level]("Payments reconciled", { ...done });
});
