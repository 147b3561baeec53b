import { parseArgs } from "node:util";
import { fuzz } from "../tests/attack/fuzz/run.ts";
import { openWorld } from "../tests/attack/fuzz/world.ts";
import { walkScene } from "../tests/core/payment/explore/search.ts";
import { sceneNames } from "../tests/core/payment/explore/setting.ts";
import { gasBudget } from "../tests/core/payment/model/griefers.ts";
import { checkModel, openStage } from "../tests/core/payment/model/property.ts";
import { count, type Harm, type Tally, Violation } from "../tests/core/payment/model/violation.ts";
import { type Ambush, ambushedNode } from "../tests/support/griefer.ts";
import { marketDay } from "./chaos/market-day.ts";

/**
 * `npm run chaos -- --steps 20000 --operations 5000 --requests 20000 --readers 40 --seed 1`: random ways through the worlds
 * of the exhaustive search (a million `--steps` take about half an hour), the long version of the model test, then
 * requests that nearly fit the service's document, then a day of the whole service among attackers, on stand-ins as
 * rough as the real services. 0 leaves a part out. Ends in a table; exits 1 if an invariant broke.
 */
const { values } = parseArgs({
  options: {
    operations: { type: "string", default: "5000" },
    requests: { type: "string", default: "20000" },
    readers: { type: "string", default: "40" },
    steps: { type: "string", default: "20000" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 1_000_000)) },
  },
});
const [wanted, requests] = [Number(values.operations), Number(values.requests)];
const [readers, first, steps] = [Number(values.readers), Number(values.seed), Number(values.steps)];
if (![wanted, requests, readers, first, steps].every(Number.isSafeInteger)) {
  throw new TypeError("--operations, --requests, --readers, --steps and --seed take whole numbers.");
}

/** Cases of one seed, milliseconds for making a broken one smaller, and broken cases after which the rest can only repeat itself. */
const runs = 20;
const timeLimit = 120_000;
const enough = 5;
/** Requests of one seed. */
const block = 2_000;

/** Who is at work on a market day of the whole service, and the requests that nearly fit its document. */
const actors = ["fuzz", "readers", "publisher", "copier", "late settler", "flooder"];

const tally: Tally = new Map();
const harms: (Harm | "defect")[] = [];
const started = performance.now();
await walkStates();
await checkPayments();
if (requests > 0 || readers > 0) await attackService();
console.log(chaosTable(tally, harms, (performance.now() - started) / 1000));
if (harms.length > 0) process.exitCode = 1;

/** Random ways through the small worlds of the exhaustive search, with everything going wrong at once. */
async function walkStates(): Promise<void> {
  for (const [index, name] of sceneNames.entries()) {
    if (steps === 0) return;
    try {
      const { made, states } = await walkScene(name, first + index, Math.ceil(steps / sceneNames.length));
      count(tally, "states: steps", made);
      console.log(`${name}: holds, ${made} steps, ${states} states`);
    } catch (error) {
      console.log(`${name}: BROKEN\n${error instanceof Error ? error.message : error}`);
      harms.push("defect");
    }
  }
}

async function checkPayments(): Promise<void> {
  const stage = await openStage();
  let broken = 0;
  try {
    for (let seed = first; (tally.get("operations") ?? 0) < wanted && broken < enough; seed += 1) {
      const failure = await checkModel(stage, { seed, runs, timeLimit }, tally);
      console.log(
        `seed ${seed}: ${failure === undefined ? "holds" : "BROKEN"}, ${tally.get("operations")} operations`,
      );
      if (failure === undefined) continue;
      console.log(failure.report);
      broken += 1;
      harms.push(failure.error instanceof Violation ? failure.error.harm : "defect");
    }
  } finally {
    await stage.stop();
  }
}

async function attackService(): Promise<void> {
  const nodes: Ambush[] = [];
  let isCalm = true;
  const ambush = async (endpoint: string) => {
    const node = await ambushedNode(endpoint);
    nodes.push(node);
    return node.endpoint;
  };
  // A request that fails for a stand-in's sake may have begun something: what a refusal changes is looked at while it is calm.
  const world = await openWorld(ambush, { rough: String(first), isCalm: () => isCalm });
  const [node] = nodes;
  if (node === undefined) throw new Error("The service goes to its chain through no proxy.");
  try {
    for (let sent = 0, seed = first; sent < requests; sent += block, seed += 1) {
      const size = Math.min(block, requests - sent);
      const { answers, findings } = await fuzz(world, seed, size);
      for (const [name, times] of answers) count(tally, `fuzz: answered ${name.split(" ")[1]}`, times);
      for (const { fault, request } of findings) {
        console.log(
          `${fault}\n  ${request}\n  Replay: FUZZ_SEED=${seed} FUZZ_COUNT=${size} npx vitest run tests/attack/fuzz.test.ts`,
        );
        harms.push("defect");
      }
      console.log(`seed ${seed}: ${findings.length === 0 ? "holds" : "BROKEN"}, ${sent + size} requests`);
    }
    if (readers === 0) return;
    const day = await marketDay({ ...world, node, begin: () => (isCalm = false) }, readers, tally);
    const { purchases, mint } = day;
    const [typical, slowest] = [purchases[Math.floor(purchases.length / 2)] ?? 0, purchases.at(-1) ?? 0];
    console.log(
      `${purchases.length} of ${readers} readers have the text, typically after ${(typical / 1000).toFixed(1)} s, at the latest after ${(slowest / 1000).toFixed(1)} s; the honest mint took ${(mint / 1000).toFixed(1)} s`,
    );
    harms.push(...day.harms);
  } finally {
    await world.stop();
    await node.stop();
  }
}

/** What a chaos run comes to: what was done, what went wrong around the service, and what it must never do. */
function chaosTable(tally: Tally, broken: readonly (Harm | "defect")[], seconds: number): string {
  const of = (name: string) => tally.get(name) ?? 0;
  const harm = (kind: Harm | "defect") => broken.filter((one) => one === kind).length;
  const group = (prefix: string) =>
    [...tally]
      .filter(([name]) => name.startsWith(prefix))
      .sort(([one], [other]) => one.localeCompare(other))
      .map(([name, times]) => [`  ${name.slice(prefix.length)}`, times] as const);
  const sum = (prefix: string) => group(prefix).reduce((total, [, times]) => total + times, 0);
  const rows: readonly (readonly [string, number | string])[] = [
    ["operations", of("operations")],
    ["payment requests", of("requests")],
    ["seconds", seconds.toFixed(1)],
    ["faults injected", sum("fault: ")],
    ...group("fault: "),
    ["what others did", sum("world: ")],
    ...group("world: "),
    ["… just before a call of a request", sum("ambush: ")],
    ...group("ambush: "),
    ["answers", sum("answer: ")],
    ...group("answer: "),
    ["copied permits presented", of("copies")],
    ...group("copy: "),
    ["transactions broadcast", of("broadcasts")],
    ["charges on the chain", of("charges on the chain")],
    ["  credited from somebody else's transaction", of("credited to somebody else's transaction")],
    [
      "  by others, of permits that we never broadcast",
      of("permits never accepted that others settled besides"),
    ],
    ["unlocks", of("unlocks")],
    ...actors.flatMap((name) => [[name, sum(`${name}: `)] as const, ...group(`${name}: `)]),
    ["requests of griefing wallets", of("griefing requests")],
    ...group("to griefers: "),
    ["gas burned by them", of("gas burned by griefing wallets")],
    ["  most in a run", of("most of it in a run")],
    ["  their budget of a day, with what is under way", gasBudget],
    ["double charges", harm("double charge")],
    ["lost unlocks", harm("lost unlock")],
    ["stolen texts", harm("stolen text")],
    ["stuck leases", harm("stuck lease")],
    ["broken promises", harm("broken promise")],
    ["gas drains", harm("gas drain")],
    ["other defects", harm("defect")],
  ];
  const [wide, high] = [0, 1].map((column) => Math.max(...rows.map((row) => String(row[column]).length)));
  return rows
    .map(([name, value]) => `${name.padEnd(wide ?? 0)}  ${String(value).padStart(high ?? 0)}`)
    .join("\n");
}
