import type { Operation, ReadFault, SendFault, TableFault } from "./operation.ts";
import { count, type Tally } from "./violation.ts";

/** The faults that are to come, each kind in a line of its own. */
export function openFaults(tally: Tally) {
  let reads: readonly ReadFault[] = [];
  let sends: readonly SendFault[] = [];
  let tables: readonly (TableFault | undefined)[] = [];

  return {
    /** What goes wrong with the next batch of reads, broadcast or request to the table, if anything. */
    read(): ReadFault | undefined {
      const [first] = reads;
      reads = reads.slice(1);
      if (first !== undefined) count(tally, `fault: node ${first.kind}`);
      return first;
    },
    send(): SendFault | undefined {
      const [first] = sends;
      sends = sends.slice(1);
      if (first !== undefined) count(tally, `fault: broadcast ${first}`);
      return first;
    },
    table(): TableFault | undefined {
      const [first] = tables;
      tables = tables.slice(1);
      if (first !== undefined) count(tally, `fault: table ${first}`);
      return first;
    },
    /** Takes note of an operation that is a fault. */
    add(operation: Extract<Operation, { readonly do: "read fault" | "send fault" | "table fault" }>): void {
      switch (operation.do) {
        case "read fault":
          reads = [...reads, ...Array.from({ length: operation.times }, () => operation.fault)];
          return;
        case "send fault":
          sends = [...sends, ...Array.from({ length: operation.times }, () => operation.fault)];
          return;
        case "table fault":
          tables = [...tables, ...Array.from({ length: operation.after }, () => undefined), operation.fault];
      }
    },
    /** Ends all trouble. */
    calm(): void {
      reads = [];
      sends = [];
      tables = [];
    },
  };
}
export type Faults = ReturnType<typeof openFaults>;
