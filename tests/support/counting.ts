import type { RpcCall } from "../../core/port/chain.ts";
import type { Payments } from "./payment.ts";
import type { TestTable } from "./table.ts";

/** The round trips that some work made to the node and to the table. */
export type RoundTrips = {
  readonly rpcTrips: number;
  /** The number of calls that send a transaction to the node. */
  readonly rpcWrites: number;
  readonly tableRequests: number;
};

/**
 * Wraps ports so that they count the requests to the node and to the table. One HTTP request to the node is one round trip, even if the
 * request contains many calls. Each request to the table counts, including each repeated request.
 */
export function makeCountingPorts({ ports, store }: Pick<Payments, "ports" | "store">) {
  const trips: (readonly RpcCall[])[] = [];
  const chain = {
    batch(calls: readonly RpcCall[]) {
      trips.push(calls);
      return ports.chain.batch(calls);
    },
  };
  return {
    ports: { ...ports, chain },
    /** Runs the work and returns the work's result and cost. Nothing else may use the ports or the table while the work runs. */
    async measureCost<Value>(
      work: () => Promise<Value>,
    ): Promise<{ readonly value: Value; readonly cost: RoundTrips }> {
      trips.length = 0;
      const { value, requests: tableRequests } = await countTableRequests(store, work);
      const rpcWrites = trips.flat().filter(({ method }) => method.startsWith("eth_send")).length;
      return { value, cost: { rpcTrips: trips.length, rpcWrites, tableRequests } };
    },
  };
}

/** Runs the work. Returns the work's result, and how many requests the work sent to the table. Nothing else may use the table while the work runs. */
export async function countTableRequests<Value>({ database }: TestTable, work: () => Promise<Value>) {
  let requests = 0;
  const { middlewareStack } = database.client;
  middlewareStack.add(
    (next) => (request) => {
      requests += 1;
      return next(request);
    },
    { step: "deserialize", name: "requests" },
  );
  try {
    const value = await work();
    return { value, requests };
  } finally {
    middlewareStack.remove("requests");
  }
}
