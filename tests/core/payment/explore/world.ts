import { keccak256 } from "viem/utils";
import { type Hex, HexInput } from "../../../../core/chain/hex.ts";
import { pay, reconcile } from "../../../../core/payment/index.ts";
import type { RpcCall, RpcOutcome } from "../../../../core/port/chain.ts";
import {
  addToPool,
  answerCall,
  type Chain,
  dropFromPool,
  findCalls,
  findRefusal,
  findSettlement,
  makeReceipt,
  mineOwnTransaction,
  purse,
  type SignedPayment,
  settleAsStranger,
  type View,
} from "./chain.ts";
import { checkEnd, checkState, expectInvariant, isUnpaid } from "./laws.ts";
import { type CallReply, type ProcessNode, type ProcessWork, signedByUs, startProgram } from "./program.ts";
import { type Items, isWrite, runRequest } from "./table.ts";

/** The maximum number of each kind of fault that may still happen. */
export type FaultsLeft = {
  /** The number of processes that may die just before or just after a write or a broadcast. */
  readonly crashes: number;
  /** The number of payments that a stranger may settle after we have broadcast them. */
  readonly strangers: number;
  /** The number of answers of the node that may be lost. The node may have accepted or dropped the transaction. */
  readonly losses: number;
  /** The number of answers that may come from a node that has not seen the last transaction. */
  readonly lags: number;
  /** The number of table transactions that may conflict with another request. */
  readonly conflicts: number;
  /** The number of table requests that may fail, either before or after they take effect. */
  readonly outages: number;
  /** The number of times that the hostile wallet is briefly unable to pay (`failures`) or gets code that burns all gas (`burns`). */
  readonly failures: number;
  readonly burns: number;
  /**
   * The number of times that all processes may be slow for half a minute, so that leases of relayer keys and reservations of payments
   * expire.
   */
  readonly pauses: number;
  /** The number of times that the reconciler may run. */
  readonly reconciliations: number;
  /** The number of sleeping processes that may wake while other processes work. */
  readonly wakes: number;
};

/** A limit of zero for each kind of fault. */
export const calm: FaultsLeft = {
  crashes: 0,
  strangers: 0,
  losses: 0,
  lags: 0,
  conflicts: 0,
  outages: 0,
  failures: 0,
  burns: 0,
  pauses: 0,
  reconciliations: 0,
  wakes: 0,
};

export type PayRequest = {
  readonly name: string;
  readonly signed: SignedPayment;
  readonly pressId: number;
  /** Whether the request comes from a stranger who has read the payment on the chain. */
  readonly copied: boolean;
  readonly leg: "fee" | "publisher";
  /** The request that the payer repeats at the end of a search. */
  readonly again?: PayRequest;
};

export type Process = {
  readonly name: string;
  /** The request that the process handles; `undefined` if the process is the reconciler. */
  readonly request: PayRequest | undefined;
  readonly node: ProcessNode;
  readonly dead: boolean;
  /**
   * Whether the leg was unpaid and in no pending transaction at some moment after the process's last broadcast (or after its start, if it
   * has broadcast nothing).
   */
  readonly unpaid: boolean;
  /** Whether the last answer that the process got about the chain came from a lagging node, which shows the leg as unpaid. */
  readonly misled: boolean;
  /** The time at which a sleeping process wakes, in milliseconds since the epoch. */
  readonly due: number;
};

export type World = {
  readonly items: Items;
  readonly chain: Chain;
  /** The chain as a lagging node shows it: without the last transaction. */
  readonly before: Chain;
  readonly now: number;
  readonly processes: readonly Process[];
  readonly left: FaultsLeft;
  /** The faults that were possible at the start. */
  readonly given: FaultsLeft;
  /** The names of the payments that we have broadcast. */
  readonly shown: readonly string[];
  /** The requests in which strangers copy a payment after the payment's broadcast. */
  readonly coming: readonly PayRequest[];
};

export type ModelMove = { readonly label: string; readonly world: World };

const programs = new Map<string, Promise<ProcessNode>>();

/** If processes start the same work at the same time, all worlds use the same `ProcessNode` for these processes. */
function findProgram(name: string, now: number, work: ProcessWork): Promise<ProcessNode> {
  const key = `${name} at ${now}`;
  const known = programs.get(key) ?? startProgram({ now, name: key }, work);
  programs.set(key, known);
  return known;
}

/** Forgets the programs and payments of an earlier world before a new world is made. */
export function resetModel(): void {
  programs.clear();
  purse.clear();
}

/** Adds a process that starts now: a request, or the reconciler. */
export async function addProcess(world: World, name: string, request?: PayRequest): Promise<World> {
  const work: ProcessWork =
    request === undefined
      ? reconcile
      : (ports) => pay(ports, { leg: request.leg, pressId: request.pressId, header: request.signed.header });
  const node = await findProgram(name, world.now, work);
  const unpaid = isUnpaid(world, request);
  return {
    ...world,
    processes: [
      ...world.processes,
      { name, request, node, dead: false, unpaid, misled: false, due: computeWake(world, node) },
    ],
  };
}

export const isAlive = ({ node, dead }: Process): boolean => !dead && node.end === undefined;

export const isAwake = (process: Process) => isAlive(process) && process.node.ask?.kind !== "sleep";

/** Lets the next event happen until no process is busy any more. */
export async function runWhile(world: World, isBusy: (process: Process) => boolean, name: string) {
  let at = world;
  while (at.processes.some(isBusy)) {
    const next = await listMoves(at).next();
    if (next.done === true) throw new Error(`${name} comes to no end`);
    at = next.value.world;
  }
  return at;
}

/** Yields every event that can happen next. Throws InvariantError if an invariant does not hold. */
export async function* listMoves(world: World): AsyncGenerator<ModelMove> {
  const { left } = world;
  const busy = world.processes.some(isAwake);
  const [first] = world.processes
    .filter((process) => isAlive(process) && process.node.ask?.kind === "sleep")
    .toSorted((one, other) => one.due - other.due);
  for (const process of world.processes) {
    const { ask } = process.node;
    if (!isAlive(process) || ask === undefined) continue;
    if (ask.kind === "sleep") {
      const early = busy || process !== first;
      if (early && left.wakes === 0) continue;
      const now = Math.max(world.now, process.due);
      const later = { ...world, now, left: early ? takeFault(left, "wakes") : left };
      yield await giveReply(later, process, "wakes", {});
    } else if (ask.kind === "table") yield* listTableMoves(world, process, ask.input);
    else yield* listChainMoves(world, process, ask.calls);
  }
  yield* listOtherMoves(world);
}

/** The shortest sleep of a process that polls, in milliseconds. */
const shortestSleep = 1_500;

function computeWake({ now }: World, { ask }: ProcessNode): number {
  return ask?.kind === "sleep" ? now + Math.max(ask.milliseconds, shortestSleep) : 0;
}

async function giveReply(
  world: World,
  process: Process,
  what: string,
  reply: Omit<CallReply, "now">,
  { sent = false, late }: { readonly sent?: boolean; readonly late?: Pick<World, "chain"> } = {},
): Promise<ModelMove> {
  const node = await process.node.tell({ now: world.now, ...reply });
  const unpaid = (process.unpaid && !sent) || isUnpaid(world, process.request);
  const misled =
    reply.chain === undefined ? process.misled : late !== undefined && isUnpaid(late, process.request);
  const after = { ...process, node, unpaid, misled, due: computeWake(world, node) };
  const next = replaceProcess(world, process, after);
  if (node.end !== undefined) checkEnd(next, after, node.end);
  return { label: `${process.name} ${what}`, world: next };
}

function replaceProcess(world: World, old: Process, process: Process): World {
  return { ...world, processes: world.processes.map((one) => (one === old ? process : one)) };
}

function killProcess(world: World, process: Process, label: string): ModelMove {
  const next = replaceProcess(world, process, { ...process, dead: true });
  return {
    label: `${process.name} dies ${label}`,
    world: { ...next, left: takeFault(next.left, "crashes") },
  };
}

function takeFault(left: FaultsLeft, kind: keyof FaultsLeft): FaultsLeft {
  return { ...left, [kind]: left[kind] - 1 };
}

async function* listTableMoves(world: World, process: Process, input: object): AsyncGenerator<ModelMove> {
  if (process.node.asks > 1 && !isWrite(input)) {
    yield performReads(world, process);
    return;
  }
  const { items, reply } = runRequest(world.items, input);
  const done = { ...world, items };
  if (items !== world.items) checkState(done);
  yield giveReply(done, process, describeRequest(input), { table: reply });
  if (world.left.outages > 0) {
    const left = takeFault(world.left, "outages");
    yield giveReply({ ...world, left }, process, `fails when it ${describeRequest(input)}`, { down: true });
    if (items !== world.items)
      yield giveReply({ ...done, left }, process, `${describeRequest(input)} and hears nothing`, {
        down: true,
      });
  }
  if (!isWrite(input)) return;
  if (world.left.crashes > 0) {
    yield killProcess(world, process, `before it ${describeRequest(input)}`);
    if (items !== world.items) yield killProcess(done, process, `after it ${describeRequest(input)}`);
  }
  if (world.left.conflicts > 0 && "TransactItems" in input && Array.isArray(input.TransactItems)) {
    const cancelled = input.TransactItems.map(() => "TransactionConflict");
    const met = { ...world, left: takeFault(world.left, "conflicts") };
    yield giveReply(met, process, "meets others at the table", { table: { cancelled } });
  }
}

/** Performs all reads that a process has begun at the same time. They count as one step. */
async function performReads(world: World, process: Process): Promise<ModelMove> {
  let { node } = process;
  for (let left = node.asks; left > 0; left -= 1) {
    if (node.ask?.kind !== "table" || isWrite(node.ask.input)) break;
    node = await node.tell({ now: world.now, table: runRequest(world.items, node.ask.input).reply });
  }
  return { label: `${process.name} reads`, world: replaceProcess(world, process, { ...process, node }) };
}

function describeRequest(input: object): string {
  if ("TransactItems" in input) return "writes a transaction";
  return isWrite(input) ? "writes" : "reads the table";
}

async function* listChainMoves(
  world: World,
  process: Process,
  calls: readonly RpcCall[],
): AsyncGenerator<ModelMove> {
  const [first] = calls;
  if (first?.method.startsWith("eth_sendRaw") === true) {
    yield* listBroadcastMoves(world, process, first.method, HexInput.parse(first.params[0]));
    return;
  }
  const answerCalls = (chain: Chain) => calls.map((call) => answerCall({ chain, now: world.now }, call));
  const current = answerCalls(world.chain);
  yield giveReply(world, process, "asks the chain", { chain: current });
  if (world.left.lags > 0 && world.before !== world.chain) {
    const late = answerCalls(world.before);
    if (JSON.stringify(late) !== JSON.stringify(current)) {
      const lagging = { ...world, left: takeFault(world.left, "lags") };
      const shown = { chain: world.before };
      yield giveReply(lagging, process, "asks a lagging node", { chain: late }, { late: shown });
    }
  }
  if (world.left.losses > 0) {
    yield giveReply({ ...world, left: takeFault(world.left, "losses") }, process, "hears nothing", {
      lost: true,
    });
  }
}

/**
 * Yields every outcome of the broadcast of our transaction. Each outcome combines an event before the broadcast, a reaction of the node and
 * an answer.
 */
async function* listBroadcastMoves(
  world: World,
  process: Process,
  method: string,
  raw: Hex,
): AsyncGenerator<ModelMove> {
  const { left } = world;
  const hash = keccak256(raw);
  expectInvariant(isStored(world, hash), 2, `${hash} is stored before it is broadcast`);
  const legs = findCalls(signedByUs.get(raw)?.data ?? "0x");
  const shown = [...new Set([...world.shown, ...legs.map(({ name }) => name)])].sort();
  const sending = { ...world, shown };
  if (left.crashes > 0) yield killProcess(world, process, "before it sends");

  const before: ModelMove[] = [{ label: "sends", world: sending }];
  if (left.strangers > 0) {
    for (const one of legs.filter((leg) => isPayable(world, leg))) {
      const chain = settleAsStranger(sending, one);
      before.push({
        label: `sends behind a stranger who settles ${one.name}`,
        world: { ...sending, chain, before: world.chain, left: takeFault(left, "strangers") },
      });
    }
  }
  const [hostile] = legs;
  if (left.failures > 0 && hostile !== undefined) {
    const chain = { ...world.chain, broke: [hostile.wallet] };
    const label = `sends while ${hostile.wallet} cannot pay`;
    before.push({ label, world: { ...sending, chain, left: takeFault(left, "failures") } });
  }
  if (left.burns > 0 && hostile?.method === "permit2") {
    const chain = { ...world.chain, burning: [hostile.wallet] };
    const label = `sends when ${hostile.wallet} has gained code`;
    before.push({ label, world: { ...sending, chain, left: takeFault(left, "burns") } });
  }

  for (const { label, world: now } of before) {
    const refused = findRefusal(now, raw);
    const mined = refused === undefined ? mineOwnTransaction(now, raw) : now.chain;
    const chain = mined === now.chain && refused === undefined ? addToPool(now.chain, raw) : mined;
    const taken = setChain(now, { ...chain, broke: [] });
    const receipt = taken.chain.mined.find((one) => one.hash === hash);
    const good: RpcOutcome =
      receipt === undefined
        ? { status: "failed", code: 4, message: "accepted and not mined in time" }
        : { status: "ok", result: method === "eth_sendRawTransaction" ? hash : makeReceipt(receipt) };
    yield giveReply(taken, process, label, { chain: [refused ?? good] }, { sent: true });
    if (now.left.crashes > 0) yield killProcess(taken, process, `after it ${label}`);
    if (now.left.losses > 0) {
      const lost = { ...taken, left: takeFault(now.left, "losses") };
      yield giveReply(lost, process, `${label} and hears nothing`, { lost: true }, { sent: true });
    }
    if (refused !== undefined || now !== sending || left.losses === 0) continue;
    const held = { ...setChain(now, addToPool(now.chain, raw)), left: takeFault(left, "losses") };
    yield giveReply(held, process, `${label}, and the node only holds it`, { lost: true }, { sent: true });
  }
}

/** Sets a new state of the chain. A lagging node still shows the earlier state. */
function setChain(world: World, chain: Chain): World {
  if (chain === world.chain) return world;
  const before = chain.blocks > world.chain.blocks ? world.chain : world.before;
  const next = { ...world, chain, before };
  checkState(next);
  return next;
}

function isStored({ items }: World, hash: Hex): boolean {
  return [...items.values()].some((text) => text.includes('"rawTx"') && text.includes(hash));
}

function isPayable(world: View, payment: SignedPayment): boolean {
  return (
    findSettlement(world.chain, payment) === undefined && Math.floor(world.now / 1000) <= payment.deadline
  );
}

/** Yields the events that are caused by the chain, the node, strangers and the passing of time. */
async function* listOtherMoves(world: World): AsyncGenerator<ModelMove> {
  const { left, chain } = world;
  for (const [index, raw] of chain.pool.entries()) {
    const mined = mineOwnTransaction(world, raw);
    if (mined !== chain)
      yield { label: `the chain takes held transaction ${index}`, world: setChain(world, mined) };
    yield {
      label: `the node drops held transaction ${index}`,
      world: { ...world, chain: dropFromPool(chain, raw) },
    };
  }
  if (left.strangers > 0) {
    for (const one of [...purse.values()].filter(({ name }) => world.shown.includes(name))) {
      if (!isPayable(world, one)) continue;
      const next = setChain(world, settleAsStranger(world, one));
      yield {
        label: `a stranger settles ${one.name}`,
        world: { ...next, left: takeFault(left, "strangers") },
      };
    }
  }
  for (const request of world.coming.filter(({ signed }) => world.shown.includes(signed.name))) {
    const coming = world.coming.filter((one) => one !== request);
    yield {
      label: `${request.name} comes`,
      world: await addProcess({ ...world, coming }, request.name, request),
    };
  }
  if (left.pauses > 0) {
    const later = { ...world, now: world.now + 31_000, left: takeFault(left, "pauses") };
    yield { label: "half a minute passes", world: later };
    if (left.reconciliations > 0) {
      const next = await addProcess(
        { ...later, left: takeFault(later.left, "reconciliations") },
        "reconciler",
      );
      yield { label: "half a minute passes, and the reconciler begins", world: next };
    }
  } else if (left.reconciliations > 0 && !world.processes.some(isAlive)) {
    const later = { ...world, now: world.now + 61_000, left: takeFault(left, "reconciliations") };
    yield { label: "the reconciler begins a minute later", world: await addProcess(later, "reconciler") };
  }
}
