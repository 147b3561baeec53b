import type { VerdictPorts } from "../../../core/verdict/index.ts";
import { openTestClient } from "../../support/database.ts";
import { openTestTable } from "../../support/table.ts";
import type { VerdictDesk } from "./desk.ts";

/**
 * Makes the ports of a process that dies after step number `last`. After the process's death, no port answers or does anything. A step is a
 * request to the table, a round trip to the node, or a signature. A death before a step is the same as a death after the previous step.
 */
export function makeCrashingPorts({ ports, storage }: Pick<VerdictDesk, "ports" | "storage">, last: number) {
  const ended = Promise.withResolvers<"died">();
  let acts = 0;
  async function runUntilCrash<Value>(act: () => Promise<Value>): Promise<Value> {
    acts += 1;
    if (acts !== last) return act();
    await act();
    ended.resolve("died");
    return new Promise(() => undefined);
  }
  const client = openTestClient(storage.database.endpoint);
  client.middlewareStack.add((next) => (request) => runUntilCrash(() => next(request)), {
    step: "deserialize",
    name: "crash",
    override: true,
  });
  const life: VerdictPorts = {
    ...ports,
    table: openTestTable(client, storage.name),
    chain: { batch: (calls) => runUntilCrash(() => ports.chain.batch(calls)) },
    auditor: { ...ports.auditor, sign: (...order) => runUntilCrash(() => ports.auditor.sign(...order)) },
  };
  return { ports: life, died: ended.promise, close: () => client.destroy() };
}

/** Returns the same ports with a clock whose time is after the end of every lease. */
export function makeLaterPorts(ports: VerdictPorts): VerdictPorts {
  return { ...ports, clock: { ...ports.clock, now: () => ports.clock.now() + 31_000 } };
}
