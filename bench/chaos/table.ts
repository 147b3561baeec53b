import { gasBudget } from "../../tests/core/payment/model/griefers.ts";
import type { Harm, Tally } from "../../tests/core/payment/model/violation.ts";

/** Who is at work on a market day of the whole service, and the requests that nearly fit its document. */
const actors = ["fuzz", "readers", "publisher", "copier", "late settler", "flooder"];

/** What a chaos run comes to: what was done, what went wrong around the service, and what it must never do. */
export function chaosTable(tally: Tally, broken: readonly (Harm | "defect")[], seconds: number): string {
  const of = (name: string) => tally.get(name) ?? 0;
  const harm = (kind: Harm | "defect") => broken.filter((one) => one === kind).length;
  const group = (prefix: string) =>
    [...tally]
      .filter(([name]) => name.startsWith(prefix))
      .sort(([one], [other]) => one.localeCompare(other))
      .map(([name, times]) => [`  ${name.slice(prefix.length)}`, times] as const);
  const sum = (prefix: string) => group(prefix).reduce((total, [, times]) => total + times, 0);
  const rows: readonly (readonly [string, number | string])[] = [
    ["operations", of("operations")],
    ["payment requests", of("requests")],
    ["seconds", seconds.toFixed(1)],
    ["faults injected", sum("fault: ")],
    ...group("fault: "),
    ["what others did", sum("world: ")],
    ...group("world: "),
    ["… just before a call of a request", sum("ambush: ")],
    ...group("ambush: "),
    ["answers", sum("answer: ")],
    ...group("answer: "),
    ["copied permits presented", of("copies")],
    ...group("copy: "),
    ["transactions broadcast", of("broadcasts")],
    ["charges on the chain", of("charges on the chain")],
    ["  credited from somebody else's transaction", of("credited to somebody else's transaction")],
    [
      "  by others, of permits that we never broadcast",
      of("permits never accepted that others settled besides"),
    ],
    ["unlocks", of("unlocks")],
    ...actors.flatMap((name) => [[name, sum(`${name}: `)] as const, ...group(`${name}: `)]),
    ["requests of griefing wallets", of("griefing requests")],
    ...group("to griefers: "),
    ["gas burned by them", of("gas burned by griefing wallets")],
    ["  most in a run", of("most of it in a run")],
    ["  their budget of a day, with what is under way", gasBudget],
    ["double charges", harm("double charge")],
    ["lost unlocks", harm("lost unlock")],
    ["stolen texts", harm("stolen text")],
    ["stuck leases", harm("stuck lease")],
    ["broken promises", harm("broken promise")],
    ["gas drains", harm("gas drain")],
    ["other defects", harm("defect")],
  ];
  const [wide, high] = [0, 1].map((column) => Math.max(...rows.map((row) => String(row[column]).length)));
  return rows
    .map(([name, value]) => `${name.padEnd(wide ?? 0)}  ${String(value).padStart(high ?? 0)}`)
    .join("\n");
}
