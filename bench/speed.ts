import { availableParallelism, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { type Published, playPublisher, relayClient } from "../local/demo/index.ts";
import { platformAccount, platformIndexes } from "../local/devnet/accounts.ts";
import { makeParts } from "../local/stand-in.ts";
import { startTestDevnet } from "../tests/support/devnet.ts";
import { startChild } from "./speed/child.ts";
import {
  fund,
  type Method,
  measureShelf,
  newPayers,
  send,
  signAll,
  startCountingNode,
  termsOf,
} from "./speed/payers.ts";
import {
  type Alone,
  barsTable,
  type Crowd,
  measureAlone,
  measureCrowd,
  payTables,
  type Server,
  type Setup,
  shelfTable,
} from "./speed/report.ts";

/**
 * `npm run bench` compares this service with the tuned official server on one chain with 100 ms blocks, alone
 * and in crowds. Then it measures the requests of readers and publishers at growing numbers of live presses.
 * Everything runs over HTTP. `--long` takes more samples, runs every crowd for each number of keys, and
 * reaches 100,000 presses.
 */
const { values } = parseArgs({
  options: {
    long: { type: "boolean", default: false },
    keys: { type: "string", default: "1,2,4,8" },
  },
});
const size = values.long
  ? { alone: 200, fullKeys: [1, 2, 4, 8], presses: [100, 10_000, 100_000], asks: 40 }
  : { alone: 24, fullKeys: [1, 8], presses: [100, 10_000], asks: 12 };
const methods: readonly Method[] = ["permit2", "eip3009"];
const delays = [0, 25];
const crowds = [20, 50, 200];
const middleCrowd = 50;
const keyCounts = values.keys.split(",").map(Number);
const manyKeys = Math.max(...keyCounts);
if (!keyCounts.every((keys) => Number.isSafeInteger(keys) && keys >= 1))
  throw new TypeError("--keys takes numbers.");

const began = performance.now();
const alone: Alone[] = [];
const crowded: Crowd[] = [];
const parts = makeParts();
try {
  const chain = await parts.start("chain", () => startTestDevnet({ blockTime: 100 }));
  const database = await parts.start("database", () => startChild("database.ts", {}));
  const setup: Setup = { rpcUrl: chain.rpcUrl, database };
  await fund(
    chain.rpcUrl,
    Array.from({ length: 20 + manyKeys }, (_, index) => platformAccount(index).address),
  );
  tell("chain and table");
  const press = await publishPress(setup);
  tell("a press");
  for (const keys of keyCounts) {
    for (const start of [startOurs, startOfficial]) {
      const server = await start(setup, keys, press);
      try {
        tell(`${server.name} with ${keys} keys`);
        await measure(setup, server);
      } finally {
        await server.child.stop();
        await server.node.stop();
      }
    }
  }
} finally {
  await parts.stop();
}
console.log(payTables(alone, crowded));
tell("readers and publishers");
const shelf = await measureShelf(size.presses, size.asks);
console.log(`\n## By number of live presses\n\n${shelfTable(shelf)}`);
console.log(`\n## Bars\n\n${barsTable(alone, crowded, shelf)}`);
const load = loadavg().map((value) => value.toFixed(1));
console.log(`\nOn ${availableParallelism()} cores, load averages of 1, 5 and 15 minutes ${load.join(", ")}.`);
console.log(`Took ${((performance.now() - began) / 1000).toFixed(0)} s.`);

/** Reports progress on stderr, so that stdout holds only the tables. */
function tell(what: string): void {
  console.error(`${((performance.now() - began) / 1000).toFixed(1)} s: ${what}`);
}

async function measure(setup: Setup, server: Server): Promise<void> {
  for (const method of methods) {
    if (!(await warmUp(setup, server, method))) continue;
    tell(`warm for ${method}`);
    if (server.keys === manyKeys) {
      for (const delay of delays) {
        const found = await measureAlone(setup, server, method, { legs: size.alone, delay });
        if (found !== undefined) alone.push(found);
      }
    }
    for (const payers of size.fullKeys.includes(server.keys) ? crowds : [middleCrowd]) {
      const found = await measureCrowd(setup, server, method, payers);
      if (found !== undefined) crowded.push(found);
      tell(`${payers} at once by ${method}`);
    }
  }
}

/** Pays a few legs so that the server loads everything. Returns whether it offers the method. */
async function warmUp({ rpcUrl }: Setup, server: Server, method: Method): Promise<boolean> {
  for (const till of server.tills(method)) {
    const terms = await termsOf(till, method);
    if (terms === undefined) return false;
    for (const order of await signAll(till, terms, await newPayers(rpcUrl, 3))) await send(order);
  }
  return true;
}

/** Publishes a press with a short-lived service. Table and chain keep it for the other services. */
async function publishPress({ rpcUrl, database }: Setup): Promise<Published> {
  const service = await startChild("ours.ts", { rpcUrl, database: database.endpoint, keys: 1 });
  const silent = { part: () => undefined, step: () => undefined, text: () => undefined };
  try {
    const site = { origin: service.endpoint, signal: AbortSignal.timeout(60_000) };
    return await playPublisher(site, relayClient(service.endpoint), silent);
  } finally {
    await service.stop();
  }
}

async function startOurs({ rpcUrl, database }: Setup, keys: number, { pressId }: Published): Promise<Server> {
  const node = await startCountingNode(rpcUrl);
  const settings = { rpcUrl: node.endpoint, database: database.endpoint, keys };
  const child = await startChild("ours.ts", settings);
  const body = JSON.stringify({ pressId });
  const query = { permit2: "", eip3009: "?method=eip3009" } as const;
  const tills = (method: Method) =>
    ["treasury", "publisher"].map((leg) => ({
      url: `${child.endpoint}/api/pay/${leg}${query[method]}`,
      body,
    }));
  return { name: "ours", keys, child, node, tills };
}

/**
 * The official server takes the fee that the service takes for a press of 0.25 USDG, with the same number of
 * keys.
 */
async function startOfficial({ rpcUrl }: Setup, keys: number): Promise<Server> {
  const node = await startCountingNode(rpcUrl);
  const payTo = platformAccount(platformIndexes.treasury).address;
  const settings = { rpcUrl: node.endpoint, keys, payTo, amount: "25000" };
  const child = await startChild("official.ts", settings);
  const tills = (method: Method) => [{ url: `${child.endpoint}/${method}`, body: "{}" }];
  return { name: "official", keys, child, node, tills };
}
