import type { RpcCall } from "../../core/port/chain.ts";
import type { Payments } from "./payment.ts";
import type { TestTable } from "./table.ts";

/** What a piece of work asked of the node and of the table, in round trips. */
export type Cost = {
  readonly rpcTrips: number;
  /** Calls that hand a transaction to the node. */
  readonly rpcWrites: number;
  readonly tableRequests: number;
};

/**
 * Ports that count. A round trip to the node is one HTTP request, however many calls travel in it; a request to the
 * table is one that the client has sent, repeated ones included.
 */
export function counting({ ports, store }: Pick<Payments, "ports" | "store">) {
  const trips: (readonly RpcCall[])[] = [];
  let tableRequests = 0;
  store.database.client.middlewareStack.add(
    (next) => (request) => {
      tableRequests += 1;
      return next(request);
    },
    { step: "deserialize", name: "counting", override: true },
  );
  const chain = {
    batch(calls: readonly RpcCall[]) {
      trips.push(calls);
      return ports.chain.batch(calls);
    },
  };
  return {
    ports: { ...ports, chain },
    /** Does the work and says what it took. Nothing else may use the ports or the table meanwhile. */
    async costOf<Value>(work: () => Promise<Value>): Promise<{ readonly value: Value; readonly cost: Cost }> {
      trips.length = 0;
      tableRequests = 0;
      const value = await work();
      const rpcWrites = trips.flat().filter(({ method }) => method.startsWith("eth_send")).length;
      return { value, cost: { rpcTrips: trips.length, rpcWrites, tableRequests } };
    },
  };
}

/** How many requests a piece of work sends to the table. Nothing else may use it meanwhile. */
export async function requestsOf({ database }: TestTable, work: () => Promise<unknown>): Promise<number> {
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
    await work();
    return requests;
  } finally {
    middlewareStack.remove("requests");
  }
}
