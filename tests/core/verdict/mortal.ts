import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { openTable } from "../../../core/table.ts";
import type { VerdictPorts } from "../../../core/verdict/index.ts";
import { clientFor } from "../../support/database.ts";
import type { Desk } from "./desk.ts";

/** When a life ends: at its how manieth act on the outside, before it is done or once it is. */
export type Death = { readonly act: number; readonly when: "before" | "after" };

/**
 * Ports of a process that dies: at that act nothing answers any more, and nothing that would follow is done. An act is
 * a request to the table, a round trip to the node, or a signature.
 */
export function mortal({ ports, storage }: Pick<Desk, "ports" | "storage">, death: Death) {
  const ended = Promise.withResolvers<"died">();
  let acts = 0;
  async function live<Value>(act: () => Promise<Value>): Promise<Value> {
    acts += 1;
    if (acts !== death.act) return act();
    if (death.when === "after") await act();
    ended.resolve("died");
    return new Promise(() => undefined);
  }
  const client = clientFor(storage.database.endpoint);
  client.middlewareStack.add((next) => (request) => live(() => next(request)), {
    step: "deserialize",
    name: "mortal",
    override: true,
  });
  const documents = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
  const life: VerdictPorts = {
    ...ports,
    table: openTable(documents, storage.name),
    chain: { batch: (calls) => live(() => ports.chain.batch(calls)) },
    auditor: { ...ports.auditor, sign: (...order) => live(() => ports.auditor.sign(...order)) },
  };
  return { ports: life, died: ended.promise, close: () => client.destroy() };
}

/** The ports of somebody who comes when every lease has lapsed. */
export function later(ports: VerdictPorts): VerdictPorts {
  return { ...ports, clock: { ...ports.clock, now: () => ports.clock.now() + 31_000 } };
}
