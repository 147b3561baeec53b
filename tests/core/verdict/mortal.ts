import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { openTable } from "../../../core/table.ts";
import type { VerdictPorts } from "../../../core/verdict/index.ts";
import { clientFor } from "../../support/database.ts";
import type { Desk } from "./desk.ts";

/**
 * Ports of a process that dies: after step number `last` no port answers or does anything more. A step is a request to the table, a round
 * trip to the node, or a signature. A death before a step is the same as a death after the previous step.
 */
export function mortal({ ports, storage }: Pick<Desk, "ports" | "storage">, last: number) {
  const ended = Promise.withResolvers<"died">();
  let acts = 0;
  async function live<Value>(act: () => Promise<Value>): Promise<Value> {
    acts += 1;
    if (acts !== last) return act();
    await act();
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

/** The same ports at a time when every lease has expired. */
export function later(ports: VerdictPorts): VerdictPorts {
  return { ...ports, clock: { ...ports.clock, now: () => ports.clock.now() + 31_000 } };
}
