import * as z from "zod";
import type { RpcCall } from "../../../../core/port/chain.ts";

const Item = z.looseObject({
  __edb_e__: z.string(),
  state: z.string().optional(),
  hashes: z.array(z.string()).optional(),
});
const Update = z.object({ Key: z.object({ sk: z.string() }) });
const Write = z.object({
  TransactItems: z.array(z.object({ Put: z.object({ Item }).optional(), Update: Update.optional() })),
});
const Put = z.object({ Item });
/** A session is written once under its token and once under its wallet. */
const isSession = /^(?:session|listedSession)$/;
const Counted = z.object({ Key: z.object({ sk: z.string() }) });
const Get = z.object({ Key: z.object({ pk: z.string(), sk: z.string() }) });

const written = { queued: "claim", submitted: "store", settled: "finish", failed: "give back" } as const;
const State = z.enum(["queued", "submitted", "settled", "failed"]);
const Keys = z.object({
  RequestItems: z.record(z.string(), z.object({ Keys: z.array(z.object({ sk: z.string() })) })),
});

/** The name of the step of a payment to which a table request belongs. Throws for an unknown request, so that no step is missed. */
export function findRequestStep(command: string | undefined, input: unknown): string {
  switch (command) {
    case "TransactWriteItemsCommand": {
      const actions = Write.parse(input).TransactItems;
      if (actions.some(({ Update: update }) => update?.Key.sk.startsWith("$settlement_"))) return "answer";
      const items = actions.flatMap(({ Put: put }) => put?.Item ?? []);
      if (items.every(({ __edb_e__ }) => isSession.test(__edb_e__))) return "session";
      const settlement = items.find(({ __edb_e__ }) => __edb_e__ === "settlement");
      const transaction = items.find(({ __edb_e__ }) => __edb_e__ === "transaction");
      if ((transaction?.hashes?.length ?? 0) > 1) return "replace";
      return written[State.parse(settlement?.state)];
    }
    case "QueryCommand":
      return "in flight";
    case "BatchGetItemCommand": {
      const kinds = Object.values(Keys.parse(input).RequestItems).flatMap(({ Keys: keys }) =>
        keys.map(({ sk }) => sk.slice(1).split("_")[0]),
      );
      if (kinds.includes("agent")) return "state";
      return kinds.includes("transfer") ? "used transfers" : `read ${kinds[0]}`;
    }
    case "PutItemCommand":
      return `put ${Put.parse(input).Item.__edb_e__}`;
    case "UpdateItemCommand":
      return `count ${Counted.parse(input).Key.sk.split("_")[0]?.slice(1)}`;
    case "GetItemCommand": {
      const entity = /^\$([a-z]+)_/.exec(Get.parse(input).Key.sk)?.[1];
      return `read ${z.string().parse(entity)}`;
    }
    default:
      throw new TypeError(`A request without a name: ${command}`);
  }
}

/** The round trips of a payment to the node, each recognised by RPC methods that no earlier entry has. */
const trips: readonly { readonly step: string; readonly tells: readonly string[] }[] = [
  { step: "inspect", tells: ["eth_estimateGas"] },
  { step: "broadcast", tells: ["eth_sendRawTransactionSync"] },
  { step: "send", tells: ["eth_sendRawTransaction"] },
  { step: "transfers", tells: ["eth_getLogs"] },
  { step: "proof", tells: ["eth_getTransactionByHash"] },
  { step: "price", tells: ["eth_gasPrice"] },
  { step: "outcome", tells: ["eth_getTransactionReceipt", "eth_getBlockByNumber"] },
  { step: "receipt", tells: ["eth_getTransactionReceipt"] },
  { step: "head", tells: ["eth_getBlockByNumber"] },
  { step: "relayer", tells: ["eth_getTransactionCount"] },
  { step: "call", tells: ["eth_call"] },
];

/** The name of the step of a payment to which a round trip to the chain belongs. Throws for an unknown round trip. */
export function findBatchStep(calls: readonly RpcCall[]): string {
  const methods = calls.map(({ method }) => method);
  const trip = trips.find(({ tells }) => tells.every((method) => methods.includes(method)));
  if (trip === undefined) throw new TypeError(`A round trip without a name: ${methods}`);
  return trip.step;
}
