import { Stats } from "aws-cdk-lib/aws-cloudwatch";
import type { Stack } from "sst/constructs";
import type { MetricName } from "../functions/metrics.ts";
import type { Graph } from "./dashboard.ts";
import { apart, measured } from "./measured.ts";

/** What the service is for, and what it needs of others: everything that `metrics.ts` counts. */
export function businessRows(stack: Stack): readonly (readonly Graph[])[] {
  const sum = { statistic: Stats.SUM, every: 5 };
  const highest = { statistic: Stats.MAXIMUM, every: 5 };
  const lowest = { statistic: Stats.MINIMUM, every: 5 };
  const all = (...names: readonly MetricName[]) => names.map((name) => measured(stack, name, sum));
  const each = (...names: readonly MetricName[]) => names.map((name) => apart(stack, name, sum));
  return [
    [
      {
        title: "Payments: legs settled and texts delivered",
        left: [...each("LegSettled"), ...all("TextDelivered")],
      },
      { title: "Payments: answered 402, by reason", left: each("PaymentRefused") },
      {
        title: "Payments: settlements given up, by reason, and the gas that they burned",
        left: each("SettlementFailed"),
        right: each("GasBurned"),
      },
    ],
    [
      {
        title: "Payments: under way, and for how long (s)",
        left: [
          measured(stack, "SettlementsUnderWay", highest),
          measured(stack, "SettledNotDelivered", highest),
        ],
        right: [measured(stack, "SettlementAge", highest)],
      },
      {
        title: "Relayers: settlements that the gas pays for, payments turned away",
        left: [apart(stack, "RelayerRunway", lowest), measured(stack, "AuditorRunway", lowest)],
        right: all("RelayersBusy"),
      },
      { title: "Answered 503, by reason, and 500", left: [...each("Unavailable"), ...all("Defects")] },
    ],
    [
      { title: "Wallets: signed in, voted", left: all("SignIn", "VoteRecorded") },
      {
        title: "Publishing: drafts, audits, generations",
        left: [...all("DraftSaved"), ...each("AuditEnded", "GenerationEnded")],
      },
      {
        title: "Publishing: mints, live presses, verdicts",
        left: [...all("MintConfirmed", "WentLive"), ...each("MintRefused", "VerdictPosted")],
      },
    ],
    [
      {
        title: "Chain: time of a round trip (p99, ms), failures, calls relayed",
        left: [apart(stack, "RpcTime", { ...sum, statistic: "p99" })],
        right: [...each("RpcErrors"), ...all("RelayedCalls")],
      },
      {
        title: "Model: tokens, failures, misquotes",
        left: each("ModelTokens"),
        right: [...each("ModelErrors"), ...all("Misquotes")],
      },
      { title: "Model: cost of an hour (USD)", left: [apart(stack, "ModelCost", { ...sum, every: 60 })] },
    ],
  ];
}
