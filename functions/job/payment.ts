import * as Errand from "../../core/errand/index.ts";
import { AppError } from "../../core/error.ts";
import * as Payment from "../../core/payment/index.ts";
import { readTxCapacity } from "../../core/relayer/operators.ts";
import { makeScheduledJob } from "../lib/job.ts";
import { log } from "../lib/log.ts";
import { logMetrics } from "../lib/meter.ts";
import * as runtime from "../lib/runtime.ts";

type PaymentPorts = ReturnType<typeof runtime.makePaymentPorts>;

/** Finishes payments and other chain tasks ("errands") that have begun but not ended (design §4). This job runs every minute. */
export const reconcile = makeScheduledJob("payment-reconcile", async () => {
  const ports = runtime.makePaymentPorts();
  // A defect in payments must not stop the other chain tasks ("errands"), and a defect in these tasks must not stop payments.
  const runs = await Promise.allSettled([reconcilePayments(ports), reconcileErrands(ports)]);
  const defects: readonly unknown[] = runs.flatMap((run) => (run.status === "rejected" ? [run.reason] : []));
  // A log line of ours also names the errors inside an AggregateError.
  for (const error of defects) log.error("A defect stopped a part of the reconciler's work", { error });
  if (defects.length > 0)
    throw new AggregateError(defects, "Some payments or errands could not be reconciled");
});

async function reconcilePayments(ports: PaymentPorts): Promise<void> {
  const done = await Payment.reconcile(ports);
  const level = done.unknown > 0 || done.oldest > 120_000 ? "warn" : "info";
  log[level]("Payments reconciled", { ...done });
}

async function reconcileErrands(ports: PaymentPorts): Promise<void> {
  const done = await Errand.reconcile(ports);
  if (done.pending > 0) log.warn("Errands are under way", done);
}

/** If a key's ETH pays for fewer transactions than this number, the key is logged, so that an operator sends ETH to the key. */
const low = 200;

/** Measures pending settlements, undelivered payments and the keys' ETH for gas. The job runs on a schedule. */
export const watch = makeScheduledJob("payment-watch", async () => {
  const waiting = await Payment.readPending(runtime.makeTablePorts());
  logMetrics({ SettlementsUnderWay: waiting.items.length, SettlementAge: waiting.oldest / 1000 });
  try {
    await measureChain(waiting);
  } catch (error) {
    // No metric is written here: the code that makes a chain call has already counted the failure, and the alarms treat a missing
    // measurement as a failure.
    if (!(error instanceof AppError && error.kind === "upstream")) throw error;
    log.warn("The chain does not show the state of the payments", { error });
  }
});

async function measureChain(pendingLegs: Payment.PendingLegs): Promise<void> {
  const ports = { ...runtime.makeTablePorts(), chain: runtime.chain(), settings: runtime.readSettings() };
  const [relayers, auditors] = await Promise.all([
    runtime.measuredRelayers().addresses(),
    runtime.auditor().addresses(),
  ]);
  const runways = await readTxCapacity({
    ...ports,
    keys: [
      ...relayers.map((address) => ({ address, sends: "leg" }) as const),
      ...auditors.map((address) => ({ address, sends: "verdict" }) as const),
    ],
  });
  const [auditor] = runways.slice(relayers.length);
  for (const [index, { address, transactions }] of runways.slice(0, relayers.length).entries()) {
    logMetrics({ RelayerRunway: transactions }, { relayer: String(index) });
    if (transactions < low) log.warn("A relayer is low on gas", { relayer: index, address, transactions });
  }
  if (auditor !== undefined) {
    logMetrics({ AuditorRunway: auditor.transactions });
    if (auditor.transactions < low) log.warn("The auditor is low on gas", auditor);
  }
  logMetrics({ SettledNotDelivered: await Payment.countUndelivered(ports, pendingLegs) });
}
