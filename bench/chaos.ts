import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { HDAccount } from "viem/accounts";
import { numberToHex, parseTransaction } from "viem/utils";
import * as z from "zod";
import { openMarket } from "../client/index.ts";
import { lower } from "../core/chain/hex.ts";
import { encodeSettle } from "../core/chain/permit2.ts";
import { feedAndQuote, tradingHalt } from "../local/seed/articles.ts";
import { fuzz } from "../tests/attack/fuzz/run.ts";
import { type FuzzWorld, openWorld } from "../tests/attack/fuzz/world.ts";
import { walkScene } from "../tests/core/payment/explore/search.ts";
import { sceneNames } from "../tests/core/payment/explore/setting.ts";
import { findPermits, listForms } from "../tests/support/copies.ts";
import type { openDevnetClient } from "../tests/support/devnet.ts";
import { type AmbushedNode, startAmbushedNode } from "../tests/support/griefer.ts";
import { encodeHidingCall, hider, placeHider } from "../tests/support/hider.ts";
import type { HttpClient } from "../tests/support/http-payer.ts";
import { listTransfers } from "../tests/support/ledger.ts";
import {
  encodeTransfer,
  exactProxy,
  getTestAccount,
  readBalance,
  register,
  send,
  treasury,
  usdg,
} from "../tests/support/payment.ts";
import { fund, giveUsdg, makeAccount } from "../tests/support/wallets.ts";
import { makeApprovedPress } from "./drill.ts";

/** How often each event happened, by the event's name. */
type EventCounts = Map<string, number>;
/** The harm to payers if an invariant of docs/payments.md is broken. */
type PayerHarm = "double charge" | "lost unlock" | "stolen text" | "broken promise";

function addEvents(tally: EventCounts, name: string, times = 1): void {
  tally.set(name, (tally.get(name) ?? 0) + times);
}

const Text = z.object({ body: z.string() });
const [publisher, stranger] = [getTestAccount(5), getTestAccount(9)];
/** The maximum time in milliseconds to wait for a text or a mint. */
const longestWait = 60_000;

type MarketDay = {
  readonly harms: readonly PayerHarm[];
  /** The sorted times, in milliseconds, from a reader's first payment header to the arrival of the press's text. */
  readonly purchases: readonly number[];
  /** Milliseconds between the honest publisher's first report of the mint and the confirmation of the mint. */
  readonly mint: number;
};

/**
 * `readers` readers buy a press over HTTP. While the readers buy, three attackers are active. The first attacker reads permits from the
 * chain and sends them to the service. The second attacker settles every fifth reader's permit after the service's own settlement has
 * failed. The third attacker keeps the RPC relay and the mint queue busy. After the readers have bought the press, an honest publisher
 * mints another press. `begin` is called when everything is prepared.
 */
async function runMarketDay(
  world: FuzzWorld & { readonly node: AmbushedNode; readonly begin: () => unknown },
  readers: number,
  tally: EventCounts,
): Promise<MarketDay> {
  const { chain, http, pressId, service, node } = world;
  const place = { chain, http, pressId, node };
  await placeHider(service.rpcUrl);
  const cookie = await http.signIn(publisher);
  const desk = openMarket({ origin: service.origin, account: publisher });
  const [victim, honest] = [
    await makeApprovedPress(desk, feedAndQuote),
    await makeApprovedPress(desk, tradingHalt),
  ];
  const accounts = Array.from({ length: readers }, makeAccount);
  // A reader's balance is enough to pay the price twice, so that a second charge would succeed.
  for (const account of accounts) await fund({ client: chain }, account, 1_000_000n);

  world.begin();
  const end = new AbortController();
  const { signal } = end;
  const copying = postCopiedPermits(place, tally, signal);
  const flood = { http, cookie, pressId: victim.id };
  const flooding = [1, 2, 3].map(() => floodRelay(flood, tally, signal));
  const claiming = [1, 2, 3, 4, 5, 6].map(() => reportFalseMints(flood, tally, signal));
  const harms: PayerHarm[] = [];
  const purchases: number[] = [];
  const tricked = accounts.filter((_, index) => index % 5 === 4);
  const buying = accounts
    .filter((account) => !tricked.includes(account))
    .map((account) => buy(account, true));
  for (const [index, account] of tricked.entries()) {
    await pay(account, "treasury");
    await settleFailedPermit(place, { account, how: index % 2 === 0 ? "openly" : "hidden" }, tally);
    await buy(account, false);
  }
  await Promise.all(buying);
  const mint = await mintAsHonestUser();
  end.abort();
  await Promise.all([...flooding, ...claiming]);
  const stolen = await copying;
  harms.push(...Array.from({ length: stolen }, () => "stolen text" as const));
  for (const account of accounts) await checkCharges(account);
  return { harms, purchases: purchases.toSorted((one, other) => one - other), mint };

  /** Makes one of the two payments as an honest client does: signs one header, and sends the same header again while the answer is 503. */
  async function pay(account: HDAccount, leg: "treasury" | "publisher"): Promise<unknown> {
    const { header } = await http.signed(account, leg, pressId);
    const until = performance.now() + longestWait;
    for (;;) {
      const { status, headers, body } = await http.pay(leg, pressId, header);
      addEvents(tally, `readers: ${leg} answered with ${status}`);
      if (status !== 503 || performance.now() > until) return body;
      await sleep(Number(headers.get("retry-after") ?? 1) * 1000);
    }
  }

  async function buy(account: HDAccount, withFee: boolean): Promise<void> {
    const begun = performance.now();
    if (withFee) await pay(account, "treasury");
    const text = Text.safeParse(await pay(account, "publisher")).data?.body;
    if (text !== world.text) harms.push("lost unlock");
    else purchases.push(performance.now() - begun);
  }

  /** Checks that a wallet paid each of the two payments once, no matter who settled the payment. */
  async function checkCharges({ address }: HDAccount): Promise<void> {
    const moved = await listTransfers({ client: chain }, { from: lower(address) });
    for (const payee of [treasury, world.owner]) {
      const times = moved.filter(({ to }) => to === payee).length;
      addEvents(tally, "charges on the chain", times);
      if (times > 1) harms.push("double charge");
    }
  }

  async function mintAsHonestUser(): Promise<number> {
    const { id, metaUrl } = honest;
    const { txHash } = await register({ client: chain }, publisher, metaUrl);
    const begun = performance.now();
    while (performance.now() < begun + longestWait) {
      const { status } = await http.ask("/api/press/minted", { body: { id, txHash }, cookie });
      addEvents(tally, `publisher: honest mint answered with ${status}`);
      if (status === 200) return performance.now() - begun;
      await sleep(200);
    }
    harms.push("broken promise");
    return longestWait;
  }
}

/**
 * Reads every permit from the chain and sends it to the service again, in every form that an attacker can make without the payer. Each
 * request tries to get the text or a session. Runs until the signal `ended` is aborted, and returns how many requests got the text or a
 * session.
 */
async function postCopiedPermits(
  { chain, http, pressId }: SettlerSetup,
  tally: EventCounts,
  ended: AbortSignal,
): Promise<number> {
  let stolen = 0;
  let next = await chain.getBlockNumber({ cacheTime: 0 });
  while (!ended.aborted) {
    const head = await chain.getBlockNumber({ cacheTime: 0 });
    for (; next <= head; next += 1n) {
      const { transactions } = await chain.getBlock({ blockNumber: next, includeTransactions: true });
      for (const copied of transactions.flatMap(({ input }) => findPermits(input)))
        stolen += await postPermit(copied);
    }
    await sleep(5);
  }
  return stolen;

  async function postPermit(copied: ReturnType<typeof findPermits>[number]): Promise<number> {
    const leg = copied.permit.to === treasury ? "treasury" : "publisher";
    const headers = listForms(copied, await http.entryOf(leg, pressId));
    const answers = await Promise.all(headers.map((header) => http.pay(leg, pressId, header)));
    for (const { status } of answers) addEvents(tally, `copier: answered with ${status}`);
    return answers.filter(({ body, cookie }) => Text.safeParse(body).success || cookie !== undefined).length;
  }
}

/** Code that loops until its gas is used up: JUMPDEST, PUSH0, JUMP. */
const endless = "0x5b5f56";
/** The gas limit of each call that the attacker sends to the node in order to keep the node busy. */
const gas = numberToHex(30_000_000);

/**
 * The milliseconds that the attacker waits after each report of a mint. The attacker pauses because refusals come at once, and this process
 * must also answer the readers.
 */
const pause = 250;

type FlooderSetup = Pick<SettlerSetup, "http" | "pressId"> & {
  /** The session of a publisher with an approved press. */
  readonly cookie: string;
};

/** Until the signal `ended` is aborted, sends JSON-RPC batches of costly calls to the RPC relay, one batch after the other. */
async function floodRelay({ http }: FlooderSetup, tally: EventCounts, ended: AbortSignal): Promise<void> {
  const call = { data: endless, gas };
  const batch = Array.from({ length: 25 }, (_, id) => ({
    jsonrpc: "2.0",
    id,
    method: id % 5 === 0 ? "eth_estimateGas" : "eth_call",
    params: [call, "latest"],
  }));
  while (!ended.aborted) {
    const { status } = await http.ask("/api/rpc", { body: batch });
    addEvents(tally, `flooder: relay answered with ${status}`);
  }
}

/** Until the signal `ended` is aborted, reports mints of an approved press to the service, with invented transaction hashes. */
async function reportFalseMints(
  { http, cookie, pressId }: FlooderSetup,
  tally: EventCounts,
  ended: AbortSignal,
): Promise<void> {
  while (!ended.aborted) {
    const body = { id: pressId, txHash: `0x${randomBytes(32).toString("hex")}` };
    const { status } = await http.ask("/api/press/minted", { body, cookie });
    addEvents(tally, `flooder: mint answered with ${status}`);
    await sleep(pause);
  }
}

/** The maximum number of times that a reader sends the same payment before the service broadcasts the payment's permit. */
const broadcastTries = 30;

type SettlerSetup = {
  readonly chain: ReturnType<typeof openDevnetClient>;
  readonly node: AmbushedNode;
  readonly http: HttpClient;
  readonly pressId: number;
};

/**
 * When the service broadcasts a reader's permit for the publisher, the reader moves the USDG to another wallet, so the settlement fails.
 * After the settlement has failed, the issuer sends the reader as much USDG as the reader moved away. Then a stranger settles the failed
 * permit, either by a direct call or through a contract that hides the permit. A permit that a stranger settled counts as a payment,
 * although the service saw the permit fail.
 */
async function settleFailedPermit(
  { chain, node, http, pressId }: SettlerSetup,
  { account, how }: { readonly account: HDAccount; readonly how: "openly" | "hidden" },
  tally: EventCounts,
): Promise<void> {
  const wallet = lower(account.address);
  const { header, permit, signature } = await http.signed(account, "publisher", pressId);
  const units = await readBalance({ client: chain }, wallet);
  node.around = async (raw) => {
    const { data = "0x" } = parseTransaction(raw);
    if (findPermits(data).some(({ permit: { from } }) => from === wallet)) {
      node.around = undefined;
      await send({ client: chain }, account, usdg, encodeTransfer(lower(stranger.address), units));
    }
    return async () => undefined;
  };
  // Only the payer has the permit until the service has broadcast it.
  for (let tries = 0; tries < broadcastTries; tries += 1) {
    const { status, headers } = await http.pay("publisher", pressId, header);
    addEvents(tally, `late settler: the service's own settlement answered with ${status}`);
    if (node.around === undefined) break;
    await sleep(Number(headers.get("retry-after") ?? 1) * 1000);
  }
  await giveUsdg({ client: chain }, wallet, units);
  const call = encodeSettle(permit, signature);
  if (how === "openly") await send({ client: chain }, stranger, exactProxy, call);
  else await send({ client: chain }, stranger, hider, encodeHidingCall(call));
  addEvents(tally, `late settler: settled ${how}`);
}

/**
 * `npm run chaos -- --steps 20000 --requests 20000 --readers 40 --seed 1` runs three parts: random steps through the states of the
 * exhaustive search (a million `--steps` take about half an hour), requests that almost fit the OpenAPI document, and a simulated day of
 * the whole service under attacks. During the simulated day, the stand-ins fail like real services; during the generated requests, the
 * stand-ins have no faults. If the flag of a part is 0, this part is left out. The command prints a table at the end, and exits with 1 if
 * an invariant broke.
 */
const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "20000" },
    readers: { type: "string", default: "40" },
    steps: { type: "string", default: "20000" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 1_000_000)) },
  },
});
const [requests, readers] = [Number(values.requests), Number(values.readers)];
const [first, steps] = [Number(values.seed), Number(values.steps)];
if (![requests, readers, first, steps].every(Number.isSafeInteger)) {
  throw new TypeError("--requests, --readers, --steps and --seed take whole numbers.");
}

/** The number of requests that are generated from one seed. */
const block = 2_000;

const tally: EventCounts = new Map();
const harms: (PayerHarm | "defect")[] = [];
const started = performance.now();
await walkModelStates();
if (requests > 0 || readers > 0) await attackService();
console.log(formatChaosTable(tally, harms, (performance.now() - started) / 1000));
if (harms.length > 0) process.exitCode = 1;

/** Takes random steps through the small models that the exhaustive search uses, with all kinds of faults switched on. */
async function walkModelStates(): Promise<void> {
  for (const [index, name] of sceneNames.entries()) {
    if (steps === 0) return;
    try {
      const { made, states } = await walkScene(name, first + index, Math.ceil(steps / sceneNames.length));
      addEvents(tally, "states: steps", made);
      console.log(`${name}: holds, ${made} steps, ${states} states`);
    } catch (error) {
      console.log(`${name}: BROKEN\n${error instanceof Error ? error.message : error}`);
      harms.push("defect");
    }
  }
}

async function attackService(): Promise<void> {
  const nodes: AmbushedNode[] = [];
  let isCalm = true;
  const ambush = async (endpoint: string) => {
    const node = await startAmbushedNode(endpoint);
    nodes.push(node);
    return node.endpoint;
  };
  // A request that failed because of a stand-in's fault may already have changed something. While the run checks that refusals change
  // nothing, the stand-ins have no faults.
  const world = await openWorld(ambush, { rough: String(first), isCalm: () => isCalm });
  const [node] = nodes;
  if (node === undefined) throw new Error("The service has no proxy between itself and its chain.");
  try {
    for (let sent = 0, seed = first; sent < requests; sent += block, seed += 1) {
      const size = Math.min(block, requests - sent);
      const { answers, findings } = await fuzz(world, seed, size);
      for (const [name, times] of answers)
        addEvents(tally, `fuzz: answered with ${name.split(" ")[1]}`, times);
      for (const { fault, request } of findings) {
        console.log(
          `${fault}\n  ${request}\n  Replay: FUZZ_SEED=${seed} FUZZ_COUNT=${size} npx vitest run tests/attack/fuzz.test.ts`,
        );
        harms.push("defect");
      }
      console.log(`seed ${seed}: ${findings.length === 0 ? "holds" : "BROKEN"}, ${sent + size} requests`);
    }
    if (readers === 0) return;
    const day = await runMarketDay({ ...world, node, begin: () => (isCalm = false) }, readers, tally);
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

/** The table of a chaos run: the events, the faults of the stand-ins, and the invariants that broke. */
function formatChaosTable(
  tally: EventCounts,
  broken: readonly (PayerHarm | "defect")[],
  seconds: number,
): string {
  const harm = (kind: PayerHarm | "defect") => broken.filter((one) => one === kind).length;
  const rows: readonly (readonly [string, number | string])[] = [
    ["steps of the search", tally.get("states: steps") ?? 0],
    ["seconds", seconds.toFixed(1)],
    ...[...tally].toSorted(([one], [other]) => one.localeCompare(other)),
    ["double charges", harm("double charge")],
    ["lost unlocks", harm("lost unlock")],
    ["stolen texts", harm("stolen text")],
    ["broken promises", harm("broken promise")],
    ["other defects", harm("defect")],
  ];
  return rows.map(([name, value]) => `${name.padEnd(70)} ${String(value).padStart(8)}`).join("\n");
}
