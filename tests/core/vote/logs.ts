import { numberToHex, padHex } from "viem/utils";

/** An event log in the form in which a node returns it. */
export type Log = { readonly address: string; readonly topics: readonly string[]; readonly data: string };

export function readLogs({ logs }: Readonly<Record<string, unknown>>): readonly Log[] {
  if (!Array.isArray(logs)) throw new Error("A receipt without logs");
  return logs;
}

/** Changes every log of a receipt. */
export function makeLogChanger(change: (log: Log) => object) {
  return (answer: Readonly<Record<string, unknown>>) => ({ ...answer, logs: readLogs(answer).map(change) });
}

export function replaceTopic(topics: readonly string[], index: number, value: bigint): readonly string[] {
  return topics.with(index, padHex(numberToHex(value), { size: 32 }));
}
