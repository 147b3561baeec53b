import { setImmediate } from "node:timers/promises";
import { serializeTransaction } from "viem/utils";
import { makeChainError } from "../../../../core/chain/call.ts";
import { mainnet } from "../../../../core/chain/deployment.ts";
import { type Address, type Hex, toAddress } from "../../../../core/chain/hex.ts";
import type { PaymentPorts } from "../../../../core/payment/index.ts";
import type { RelayTransaction, RpcCall, RpcOutcome } from "../../../../core/port/chain.ts";
import { treasury } from "../../../support/payment.ts";
import { openModelTable, type TableReply } from "./table.ts";

/**
 * A call of a service process to the table, the chain or the clock. While a process runs between two of its calls, no other process can
 * act.
 */
export type PortCall =
  | { readonly kind: "table"; readonly input: object }
  | { readonly kind: "chain"; readonly calls: readonly RpcCall[] }
  | { readonly kind: "sleep"; readonly milliseconds: number };

/** The answer to a process's call, and the time of the answer in milliseconds since the epoch. */
export type CallReply = {
  readonly now: number;
  readonly table?: TableReply;
  readonly chain?: readonly RpcOutcome[];
  readonly lost?: true;
  readonly down?: true;
};

/** An error that means that the table itself has failed. */
export class TableDownError extends Error {
  override readonly name = "TableDown";
}

export type ProcessEnd = { readonly value: unknown } | { readonly error: unknown };

/**
 * The state of a process after a given series of answers to its calls. A process's next action depends only on the answers to its calls,
 * so one run of the real code is enough for all states of the simulation.
 */
export type ProcessNode = {
  readonly id: number;
  readonly ask: PortCall | undefined;
  /** The number of the process's concurrent calls that have no answer yet. */
  readonly asks: number;
  readonly end: ProcessEnd | undefined;
  /** Returns the process in its state after the given answer. */
  tell(told: CallReply): Promise<ProcessNode>;
};

type WaitingCall = { readonly ask: PortCall; readonly tell: (told: CallReply) => void };
type RunningProcess = { readonly waiting: WaitingCall[]; now: number; end: ProcessEnd | undefined };

export type ProcessStart = { readonly now: number; readonly name: string };
export type ProcessWork = (ports: PaymentPorts) => Promise<unknown>;

let nodes = 0;

/** Starts one task of the service. Every id that this task makes begins with `name`. */
export async function startProgram(start: ProcessStart, work: ProcessWork): Promise<ProcessNode> {
  return makeNode(await begin(start, work), []);

  /**
   * The list `path` contains the answers so far. The first answer to this process's call continues the current run. For each other answer,
   * a new run first gets the answers in `path` again.
   */
  function makeNode(running: RunningProcess, path: readonly string[]): ProcessNode {
    const [first] = running.waiting;
    const { end } = running;
    if (first === undefined && end === undefined) {
      throw new Error("A process waits for something that is not modelled");
    }
    let live = end === undefined ? running : undefined;
    const children = new Map<string, ProcessNode>();
    return {
      id: nodes++,
      ask: end === undefined ? first?.ask : undefined,
      asks: running.waiting.length,
      end,
      async tell(reply) {
        const text = JSON.stringify(reply);
        const known = children.get(text);
        if (known !== undefined) return known;
        const run = live ?? (await replay(path));
        live = undefined;
        await deliverReply(run, text);
        const next = makeNode(run, [...path, text]);
        children.set(text, next);
        return next;
      },
    };
  }

  async function replay(path: readonly string[]): Promise<RunningProcess> {
    const running = await begin(start, work);
    for (const text of path) await deliverReply(running, text);
    return running;
  }
}

async function begin({ now, name }: ProcessStart, work: ProcessWork): Promise<RunningProcess> {
  const running: RunningProcess = { waiting: [], now, end: undefined };
  current = running;
  void work(makePorts(running, name)).then(
    (value) => {
      running.end = { value };
    },
    (error: unknown) => {
      running.end = { error };
    },
  );
  await waitForCall(running);
  return running;
}

async function deliverReply(running: RunningProcess, text: string): Promise<void> {
  const told: CallReply = JSON.parse(text);
  running.now = told.now;
  current = running;
  running.waiting.shift()?.tell(told);
  await waitForCall(running);
}

/** Lets the run continue until it makes a call or has ended. The first run loads modules, which takes many cycles of the event loop. */
async function waitForCall(running: RunningProcess): Promise<void> {
  const until = performance.now() + 60_000;
  while (performance.now() < until) {
    await setImmediate();
    if (running.end !== undefined || running.waiting.length > 0) return;
  }
}

/** The address of the only relayer key in these tests. */
export const relayer: Address = toAddress("0x4e1a7e4000000000000000000000000000000001");
/** The transactions that our key has signed, keyed by their raw bytes. */
export const signedByUs = new Map<string, RelayTransaction>();

/** The run that is active now; only one run is active at a time. */
let current: RunningProcess | undefined;
const opened = openModelTable(async (input) => {
  const told = await new Promise<CallReply>((tell) =>
    current?.waiting.push({ ask: { kind: "table", input }, tell }),
  );
  if (told.down === true) throw new TableDownError("the table is down");
  if (told.table === undefined) throw new TypeError("The table was asked and something else answered");
  return told.table;
});
/** All runs share the table, so reads of different runs must not be joined into one request. */
const table = Object.assign(opened, { joined: opened.together });

function makePorts(running: RunningProcess, name: string): PaymentPorts {
  let ids = 0;
  const makeId = () => `${name}-${++ids}`;
  const callPort = (ask: PortCall) => new Promise<CallReply>((tell) => running.waiting.push({ ask, tell }));
  return {
    table,
    clock: {
      now: () => running.now,
      sleep: async (milliseconds) => void (await callPort({ kind: "sleep", milliseconds })),
    },
    ids: { secret: makeId, nonce: makeId, uuid: makeId, pick: () => 0 },
    settings: {
      // Limits on gas have their own tests (tests/attack), so no payer is refused here because of gas.
      gas: { allowance: 10 ** 12 },
      origin: "http://localhost:3000",
      chainId: mainnet.chainId,
      chainName: mainnet.name,
      contracts: mainnet.contracts,
      treasury,
    },
    chain: {
      async batch(calls) {
        const { chain, lost } = await callPort({ kind: "chain", calls: JSON.parse(JSON.stringify(calls)) });
        if (lost === true || chain === undefined) throw makeChainError("the node's answer was lost");
        return chain;
      },
    },
    relayers: {
      addresses: async () => [relayer],
      sign: async (_, transaction) => sign(transaction),
    },
    meter: { count: () => undefined },
  };
}

/** Makes a fake signature, because no signature is checked here. The fake signature only has to be the same for equal transactions. */
function sign(transaction: RelayTransaction): Hex {
  const word = `0x${"11".repeat(32)}` as const;
  const raw = serializeTransaction({ ...transaction, type: "eip1559" }, { r: word, s: word, yParity: 0 });
  signedByUs.set(raw, transaction);
  return raw;
}
