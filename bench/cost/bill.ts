import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { formatEther, formatGwei } from "viem/utils";
import * as z from "zod";
import { type Job, jobs, queues } from "../../functions/jobs.ts";
import { type Metric, metrics } from "../../functions/metrics.ts";
import { type Route, routes } from "../../functions/routes.ts";
import { findSettings } from "../../infra/stages.ts";
import { synthesizeOffline } from "../../infra/synth.ts";
import { addUsage, nothing, type Usage, type Usages } from "./ledger.ts";

/**
 * AWS's list prices in us-east-1, in USD, without free tiers and discounts. The prices were looked up on 2026-11-20 in AWS's price pages
 * and in articles of 2026 that quote AWS's price pages. Look up the prices again before you use them for a decision.
 */
export const prices = {
  /** The price of a million HTTPS requests at the edge, and the price of a GB that the edge sends to North America or Europe. */
  edgeRequests: 1.0,
  edgeGigabyte: 0.085,
  /** The price of a million runs of the function that runs at the edge. */
  edgeFunction: 0.1,
  firewallRequests: 0.6,
  firewall: 5,
  firewallRule: 1,
  gatewayRequests: 1.0,
  lambdaRequests: 0.2,
  /** Lambda's price, on arm64, for one second of a function with one GB of memory. */
  lambdaSecond: 0.000_013_333_4,
  /** The prices of a million read units and of a million write units of an on-demand table. */
  readUnits: 0.125,
  writeUnits: 0.625,
  /**
   * The price of a million signatures with an elliptic-curve key, and the price of one key for a month (aws.amazon.com/kms/pricing). The
   * stored copy of the KMS price page names the key's price and excludes `Sign` from the free tier, but lacks the table of request prices.
   * The price of $0.15 for 10,000 signatures comes from several articles that agree.
   */
  signatures: 15,
  key: 1,
  logGigabyte: 0.5,
  traces: 5,
  messages: 0.4,
  executions: 1.0,
  alarmMetric: 0.1,
  metric: 0.3,
  dashboard: 3,
  /**
   * The price of a month of one secret (aws.amazon.com/secrets-manager/pricing). The cost of reading secrets at cold starts ($5 for a
   * million reads) is left out.
   */
  secret: 0.4,
  hostedZone: 0.5,
  /**
   * Route 53's health check of an address in AWS costs $0.50 (the first fifty are free). A health check by HTTPS costs $1 more, and a
   * search for a text in the answer costs another $1 (aws.amazon.com/route53/pricing, transcribed by api-evangelist/amazon-route53-resolver
   * on 2026-09-20).
   */
  healthCheck: 2.5,
} as const;

/**
 * Milliseconds that a function waits in the cloud but not on this machine: for the table, for a node in the same region, and for a
 * signature. The waits are assumed, and are probably too long rather than too short. Parallel requests count as one wait.
 */
const waits = { tableRequest: 10, rpcTrip: 60, signature: 25 } as const;

/** Bytes of log for one call: Lambda's own lines, the gateway's lines, and the bytes that CloudWatch adds to each event. */
const platformLogBytes = 900;

/** A 30-day month. */
export const minutesOfMonth = 30 * 24 * 60;

/**
 * The lowest and the highest estimate of a cost in USD. The highest estimate adds assumed waits in the cloud, because the real waits are
 * unknown.
 */
export type CostRange = { readonly least: number; readonly most: number };

/** The cost of each item on a bill, by the item's name. */
export type Bill = ReadonlyMap<string, CostRange>;

const million = 1_000_000;
const gigabyte = 2 ** 30;
const rows: readonly (Route | Job)[] = [...routes, ...jobs];

/** The edge's price for requests. The price is the same for requests that the edge answers and for requests that it passes on. */
export function makeEdgeBill({ calls, responseBytes }: Usage): Bill {
  return new Map([
    ["edge: requests", makeExactCost((calls * prices.edgeRequests) / million)],
    ["edge: function", makeExactCost((calls * prices.edgeFunction) / million)],
    ["edge: bytes out", makeExactCost((responseBytes * prices.edgeGigabyte) / gigabyte)],
    ["firewall", makeExactCost((calls * prices.firewallRequests) / million)],
  ]);
}

/** The price of function calls behind the edge. */
export function makeOriginBill(usages: Usages, behindGateway: boolean): Bill {
  const all = [...usages.values()].reduce(addUsage, nothing);
  const logs = all.logBytes + all.calls * platformLogBytes;
  return new Map([
    ["gateway", makeExactCost(behindGateway ? (all.calls * prices.gatewayRequests) / million : 0)],
    ["functions: requests", makeExactCost((all.calls * prices.lambdaRequests) / million)],
    [time, addRanges([...usages].map(([id, used]) => computeTimeCost(id, used)))],
    ["table: reads", makeExactCost((all.readUnits * prices.readUnits) / million)],
    ["table: writes", makeExactCost((all.writeUnits * prices.writeUnits) / million)],
    ["signatures", makeExactCost((all.signatures * prices.signatures) / million)],
    ["logs and metrics' lines", makeExactCost((logs * prices.logGigabyte) / gigabyte)],
    ["traces, each recorded", makeExactCost((all.calls * prices.traces) / million)],
    [
      "queues and workflow",
      makeExactCost((all.messages * prices.messages + all.executions * prices.executions) / million),
    ],
  ]);
}

function computeTimeCost(id: string, usage: Usage): CostRange {
  const row = rows.find((one) => one.id === id);
  if (row === undefined) throw new TypeError(`No row ${id}`);
  const price = ((row.memoryMb / 1024) * prices.lambdaSecond) / 1000;
  const waited =
    usage.tableRequests * waits.tableRequest +
    usage.rpcTrips * waits.rpcTrip +
    usage.signatures * waits.signature;
  return { least: usage.milliseconds * price, most: (usage.milliseconds + waited) * price };
}

export function addBills(...bills: readonly Bill[]): Bill {
  const names = new Set(bills.flatMap((bill) => [...bill.keys()]));
  return new Map([...names].map((name) => [name, addRanges(bills.flatMap((bill) => bill.get(name) ?? []))]));
}

export function scaleBill(bill: Bill, factor: number): Bill {
  return new Map(
    [...bill].map(([name, { least, most }]) => [name, { least: least * factor, most: most * factor }]),
  );
}

export function sumBill(bill: Bill): CostRange {
  return addRanges([...bill.values()]);
}

const time = "functions: time";

/** The sum of a bill without the costs that depend on the speed of the measuring machine. */
export function sumWithoutTime(bill: Bill): number {
  return sumBill(bill).least - (bill.get(time)?.least ?? 0);
}

/** Rows for the table in docs/operations.md that shows the costs of a thousand reads. Each row has one cell for each bill. */
export function formatReadBills(bills: readonly Bill[]): string {
  const times = bills.map((bill) => {
    const { least, most } = bill.get(time) ?? makeExactCost(0);
    return [...new Set([least, most].map((usd) => usd.toFixed(3)))].join(" to ");
  });
  return [
    `| everything except time, gas, nodes and Bedrock | ${bills.map((bill) => sumWithoutTime(bill).toFixed(3)).join(" | ")} |`,
    `| functions' time | ${times.join(" | ")} |`,
  ].join("\n");
}

function addRanges(ranges: readonly CostRange[]): CostRange {
  return ranges.reduce(
    (one, other) => ({ least: one.least + other.least, most: one.most + other.most }),
    makeExactCost(0),
  );
}

function makeExactCost(usd: number): CostRange {
  return { least: usd, most: usd };
}

const Template = z.object({
  Resources: z.record(z.string(), z.object({ Type: z.string(), Properties: z.looseObject({}).default({}) })),
});
const Alarm = z.object({
  Metrics: z.array(z.looseObject({ MetricStat: z.unknown().optional() })).optional(),
});
const Firewall = z.object({ Rules: z.array(z.unknown()) });

/**
 * The number of different values that a metric's dimension is assumed to have in a month. Each dimension of a metric has few values, except
 * the dimension for relayers.
 */
const usualValues = 4;

/**
 * Lambda polls each queue with five pollers, each of which waits for twenty seconds (developer guide,
 * "Polling and batching streams").
 */
const pollers = 5;
const pollsOfMinute = 3;

/** The monthly cost of a stage without visitors, computed from the stage's templates. */
export async function makeStageBill(stage: string): Promise<Bill> {
  const folder = mkdtempSync(join(tmpdir(), "cost-"));
  // SST keeps its log file open until the process ends, so the folder with the log file cannot be removed earlier.
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const { stacks } = await synthesizeOffline({ stage, folder });
  return makeTemplateBill(
    stage,
    stacks.map(({ template }) => template),
  );
}

/** The monthly cost of a stage without visitors, computed from templates that already exist. */
export function makeTemplateBill(stage: string, templates: readonly unknown[]): Bill {
  const all = templates.flatMap((template) => Object.values(Template.parse(template).Resources));
  const listResources = (type: string) =>
    all.flatMap(({ Type, Properties }) => (Type === type ? [Properties] : []));
  const { relayers, chain, domain } = findSettings(stage);
  const keys = listResources("AWS::KMS::Key").length;
  const secrets =
    listResources("AWS::SecretsManager::Secret").length +
    [chain.rpc, chain.relayRpc ?? chain.rpc]
      .flatMap((nodes) => ("secretName" in nodes ? [nodes.secretName] : []))
      .filter((name, index, all) => all.indexOf(name) === index).length;
  const alarmMetrics = listResources("AWS::CloudWatch::Alarm").flatMap((alarm) => {
    const { Metrics } = Alarm.parse(alarm);
    return Metrics === undefined ? [alarm] : Metrics.filter(({ MetricStat }) => MetricStat !== undefined);
  }).length;
  const rules = listResources("AWS::WAFv2::WebACL").flatMap(
    (firewall) => Firewall.parse(firewall).Rules,
  ).length;
  const own = Object.values<Metric>(metrics).reduce(
    (sum, { dimensions }) => sum + 1 + countSeries(dimensions, relayers),
    0,
  );
  const polls = queues.length * pollers * pollsOfMinute * minutesOfMonth;
  const makeLine = (name: string, count: number, price: number) =>
    [`${name}: ${count}`, makeExactCost(count * price)] as const;
  return new Map([
    makeLine("signing keys", keys, prices.key),
    makeLine("secrets", secrets, prices.secret),
    makeLine("firewall", 1, prices.firewall),
    makeLine("firewall's rules", rules, prices.firewallRule),
    makeLine("metrics that alarms watch", alarmMetrics, prices.alarmMetric),
    makeLine("dashboards", listResources("AWS::CloudWatch::Dashboard").length, prices.dashboard),
    makeLine("looks from outside", listResources("AWS::Route53::HealthCheck").length, prices.healthCheck),
    makeLine("own metrics by dimension, at most", own, prices.metric),
    makeLine("polls of empty queues", polls, prices.messages / 1_000_000),
    makeLine("hosted zones", domain === undefined ? 0 : 1, prices.hostedZone),
  ]);
}

/** Maps the columns of the table in docs/operations.md to lines of the bill. */
const columns = [
  /^signing keys/,
  /^firewall/,
  /^(?:metrics that alarms|dashboards|looks from outside)/,
  /^(?:secrets|hosted zones|polls)/,
  /^own metrics/,
];

/**
 * A stage's row in the cost table of docs/operations.md, with amounts in whole cents. `npm run cost` prints this row, and a test checks
 * that docs/operations.md has the row's amounts.
 */
export function formatMonth(stage: string, bill: Bill): string {
  const cells = columns.map((column) =>
    addRanges([...bill].flatMap(([name, range]) => (column.test(name) ? [range] : []))).most.toFixed(2),
  );
  return `| ${stage} | ${cells.join(" | ")} | **${Math.ceil(addRanges([...bill.values()]).most)}** |`;
}

function countSeries(dimensions: Metric["dimensions"], relayers: number): number {
  if (dimensions.length === 0) return 0;
  return dimensions.reduce((product, name) => product * (name === "relayer" ? relayers : usualValues), 1);
}

/** The files of the built site that a browser loads on a first visit, in compressed form. */
type FirstVisit = { readonly files: number; readonly bytes: number };

export function measureVisit(folder: string): FirstVisit {
  const loaded = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.(html|js|css|woff2)$/.test(name),
  );
  const bytes = loaded.map((name) => {
    const file = readFileSync(join(folder, name));
    return name.endsWith(".woff2") ? file.byteLength : brotliCompressSync(file).byteLength;
  });
  return { files: loaded.length, bytes: bytes.reduce((sum, size) => sum + size, 0) };
}

export function makeSiteBill({ files, bytes }: FirstVisit): Bill {
  return makeEdgeBill({ ...nothing, calls: files, responseBytes: bytes });
}

/** The gas of a leg and of the first verdict on the devnet, each plus `l1` gas units, and the ETH for a thousand paid reads. */
export function formatGas({ treasury, publisher }: GasUse, verdict: number, l1: number): string {
  const legs = [...treasury, ...publisher].map((units) => units + l1);
  const [least, most] = [Math.min(...legs), Math.max(...legs)];
  const ofRead = (2 * legs.reduce((sum, units) => sum + units, 0)) / legs.length;
  const eth = formatEther(BigInt(Math.round(ofRead * 1_000)) * usualGasPrice);
  return `Gas: ${least} to ${most} for a leg, ${verdict + l1} for the first verdict; a thousand paid reads cost ${eth} ETH at ${formatGwei(usualGasPrice)} gwei.`;
}

type GasUse = Readonly<Record<"treasury" | "publisher", readonly number[]>>;

/** The assumed price in wei per unit of gas. The real gas price changes from day to day. */
const usualGasPrice = 100_000_000n;
