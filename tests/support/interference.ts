import { numberToHex } from "viem/utils";
import { makeChainError } from "../../core/chain/call.ts";
import { type Hex, HexInput } from "../../core/chain/hex.ts";
import type { PaymentPorts } from "../../core/payment/index.ts";
import type { Chain, RpcCall, RpcOutcome } from "../../core/port/chain.ts";
import type { TestTable } from "./table.ts";

/** Handles the calls that the service sends to its node. `ask` passes the calls on to the node. */
type CallHandler = (
  calls: readonly RpcCall[],
  ask: () => Promise<readonly RpcOutcome[]>,
) => Promise<readonly RpcOutcome[]>;

type NodePorts = Pick<PaymentPorts, "chain">;
type ClockPorts = Pick<PaymentPorts, "clock">;
type Act = () => Promise<unknown>;
type Stop = () => boolean;

/** Wraps ports so that calls to the node's methods with these names, single or batched, go through `handler`. */
export function alterNode<Ports extends NodePorts>(ports: Ports, names: RegExp, handler: CallHandler): Ports {
  const chain: Chain = {
    batch(calls) {
      const ask = () => ports.chain.batch(calls);
      return calls.some(({ method }) => names.test(method)) ? handler(calls, ask) : ask();
    },
  };
  return { ...ports, chain };
}

/** Ports that run `act` once, right before the node gets the first of the named calls. */
export function actBefore<Ports extends NodePorts>(ports: Ports, names: RegExp, act: Act): Ports {
  let acting: Promise<unknown> | undefined;
  return alterNode(ports, names, async (_, ask) => {
    acting ??= act();
    await acting;
    return ask();
  });
}

/** Ports that run `act` each time after the node has answered the named calls, before the service gets the answers. */
export function actAfter<Ports extends NodePorts>(ports: Ports, names: RegExp, act: Act): Ports {
  return alterNode(ports, names, async (_, ask) => {
    const outcomes = await ask();
    await act();
    return outcomes;
  });
}

/** Ports whose node never receives the named calls and never answers them. */
export function withholdCalls<Ports extends NodePorts>(ports: Ports, names: RegExp): Ports {
  return alterNode(ports, names, async () => {
    throw makeChainError("withheld");
  });
}

/** Ports whose node executes the named calls, but loses the answers. */
export function loseAnswers<Ports extends NodePorts>(ports: Ports, names: RegExp): Ports {
  return alterNode(ports, names, async (_, ask) => {
    await ask();
    throw makeChainError("lost");
  });
}

/** Ports whose table stores transactions for the chain, but loses the answers to these writes. */
export function loseStoreAnswers<Ports extends Pick<PaymentPorts, "table">>(ports: Ports): Ports {
  const { table } = ports;
  const write: typeof table.write = async (items) => {
    const outcome = await table.write(items);
    if (JSON.stringify(items).includes("rawTx")) throw makeChainError("lost");
    return outcome;
  };
  return { ...ports, table: { ...table, write } };
}

/** Runs `act` before each table request that has the given part, such as `TransactItems`. The returned function ends the calls of `act`. */
export function actBeforeRequests({ database }: Pick<TestTable, "database">, part: string, act: Act): Stop {
  const { middlewareStack } = database.client;
  const name = "act before requests";
  middlewareStack.add(
    (proceed) => async (asked) => {
      if (part in asked.input) await act();
      return proceed(asked);
    },
    { step: "initialize", name },
  );
  return () => middlewareStack.remove(name);
}

/** Ports whose node refuses the named calls with a JSON-RPC error. */
export function refuseCalls<Ports extends NodePorts>(ports: Ports, names: RegExp, code: number): Ports {
  return alterNode(ports, names, async (calls) =>
    calls.map(() => ({ status: "failed" as const, code, message: "refused" })),
  );
}

/** Ports that change the results that the node returns for one method. */
export function changeResults<Ports extends NodePorts>(
  ports: Ports,
  name: string,
  change: (result: unknown) => unknown,
): Ports {
  return alterNode(ports, new RegExp(`^${name}$`), async (calls, ask) =>
    (await ask()).map((outcome, at) =>
      calls[at]?.method === name && outcome.status === "ok"
        ? { ...outcome, result: change(outcome.result) }
        : outcome,
    ),
  );
}

/** Ports whose node reports the real gas price multiplied by `factor`. */
export function raiseGasPrice<Ports extends NodePorts>(ports: Ports, factor: bigint): Ports {
  return changeResults(ports, "eth_gasPrice", (price) => numberToHex(BigInt(String(price)) * factor));
}

/** Ports that record the raw transactions that are sent to the node. */
export function recordSends(ports: PaymentPorts, sent: Hex[]): PaymentPorts {
  return alterNode(ports, /^eth_sendRawTransaction/, (calls, ask) => {
    sent.push(...calls.map(({ params }) => HexInput.parse(params[0])));
    return ask();
  });
}

/** Ports with a single relayer key, by default the first key. */
export function limitToOneKey(ports: PaymentPorts, index = 0): PaymentPorts {
  const listAddresses = async () => (await ports.relayers.addresses()).slice(index, index + 1);
  return { ...ports, relayers: { ...ports.relayers, addresses: listAddresses } };
}

type DeathTime = "before" | "after";

/** Ports of a process that dies at a named call, before the node receives the call or after the node has executed it. */
export function makeDyingPorts<Ports extends NodePorts>(ports: Ports, names: RegExp, when: DeathTime) {
  const end = Promise.withResolvers<void>();
  const dead = alterNode(ports, names, async (_, ask) => {
    if (when === "after") await ask();
    end.resolve();
    return new Promise(() => undefined);
  });
  return { ports: dead, ended: end.promise };
}

/** Ports of a process that dies before it signs a transaction. */
export function makePortsDyingAtSigning(ports: PaymentPorts) {
  const end = Promise.withResolvers<void>();
  const sign = () => {
    end.resolve();
    return new Promise<Hex>(() => undefined);
  };
  return { ports: { ...ports, relayers: { ...ports.relayers, sign } }, ended: end.promise };
}

/** Ports whose clock shows a later time, and whose waits take no time. */
export function advanceClock<Ports extends ClockPorts>(ports: Ports, milliseconds: number): Ports {
  const clock = { now: () => ports.clock.now() + milliseconds, sleep: async () => undefined };
  return { ...ports, clock };
}

/** Ports whose waits take no time. */
export function skipWaits<Ports extends ClockPorts>(ports: Ports): Ports {
  return advanceClock(ports, 0);
}

/** Ports whose waits take five times as long, so that no payment stops waiting before a busy machine has started the other payments. */
export function lengthenWaits(ports: PaymentPorts): PaymentPorts {
  const { now, sleep } = ports.clock;
  return { ...ports, clock: { now, sleep: (milliseconds, how) => sleep(5 * milliseconds, how) } };
}

/** Ports that always choose the first option where the usual ports choose at random. */
export function pickFirstOption(ports: PaymentPorts): PaymentPorts {
  return { ...ports, ids: { ...ports.ids, pick: () => 0 } };
}
