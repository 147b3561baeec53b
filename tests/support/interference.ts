import { unavailable } from "../../core/chain/call.ts";
import type { Hex } from "../../core/chain/hex.ts";
import type { PaymentPorts } from "../../core/payment/index.ts";
import type { Chain, RpcCall, RpcOutcome } from "../../core/port/chain.ts";

/** Stands between the service and its node: `ask` lets the calls through. */
type Between = (
  calls: readonly RpcCall[],
  ask: () => Promise<readonly RpcOutcome[]>,
) => Promise<readonly RpcOutcome[]>;

/** Ports whose calls to the node of such a name, alone or in a batch, go through `between`. */
export function meddling(ports: PaymentPorts, names: RegExp, between: Between): PaymentPorts {
  const chain: Chain = {
    batch(calls) {
      const ask = () => ports.chain.batch(calls);
      return calls.some(({ method }) => names.test(method)) ? between(calls, ask) : ask();
    },
  };
  return { ...ports, chain };
}

/** The node never hears these calls, and no answer comes. */
export function withheld(ports: PaymentPorts, names: RegExp): PaymentPorts {
  return meddling(ports, names, async () => {
    throw unavailable("withheld");
  });
}

/** The node does what these calls say, and its answer is lost. */
export function unanswered(ports: PaymentPorts, names: RegExp): PaymentPorts {
  return meddling(ports, names, async (_, ask) => {
    await ask();
    throw unavailable("lost");
  });
}

/** The node refuses calls of this name with a JSON-RPC error. */
export function refused(ports: PaymentPorts, names: RegExp, code: number): PaymentPorts {
  return meddling(ports, names, async (calls) =>
    calls.map(() => ({ status: "failed" as const, code, message: "refused" })),
  );
}

/** A process that ends when it comes to such a call: before the node hears it, or once the node has done it. */
export function dying(ports: PaymentPorts, names: RegExp, when: "before" | "after") {
  const end = Promise.withResolvers<void>();
  const dead = meddling(ports, names, async (_, ask) => {
    if (when === "after") await ask();
    end.resolve();
    return new Promise(() => undefined);
  });
  return { ports: dead, ended: end.promise };
}

/** A process that ends when it comes to sign. */
export function dyingToSign(ports: PaymentPorts) {
  const end = Promise.withResolvers<void>();
  const sign = () => {
    end.resolve();
    return new Promise<Hex>(() => undefined);
  };
  return { ports: { ...ports, relayers: { ...ports.relayers, sign } }, ended: end.promise };
}

/** Ports of a later moment, whose waiting costs no time. */
export function later(ports: PaymentPorts, milliseconds: number): PaymentPorts {
  const clock = { now: () => ports.clock.now() + milliseconds, sleep: async () => undefined };
  return { ...ports, clock };
}

/** Ports that lose no time with waiting. */
export function impatient(ports: PaymentPorts): PaymentPorts {
  return later(ports, 0);
}

/** Ports that always choose the first of what there is to choose from. */
export function predictable(ports: PaymentPorts): PaymentPorts {
  return { ...ports, ids: { ...ports.ids, pick: () => 0 } };
}
