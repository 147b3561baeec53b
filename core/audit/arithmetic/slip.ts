import type { Quantity } from "../quantity.ts";

/** A figure that does not follow from the figures beside it, and the calculation that shows it. */
export type Slip = {
  readonly claim: Quantity;
  readonly shown: string;
  /** The calculation says both sides itself. */
  readonly isWhole?: boolean;
};

const steps = [
  [1e12, " trillion"],
  [1e9, " billion"],
  [1e6, " million"],
] as const;
const signs: Readonly<Record<string, string>> = { USD: "$", EUR: "€", GBP: "£", JPY: "¥", INR: "₹" };

/** A result as the text would write it: "$4.9 billion". */
export function shown(value: number, { kind, currency }: Pick<Quantity, "kind" | "currency">): string {
  if (kind === "percent") return `${trimmed(value)}%`;
  const [size, name] = steps.find(([least]) => Math.abs(value) >= least) ?? [1, ""];
  const number = size === 1 ? trimmed(value) : trimmed(value / size);
  const sign = kind === "money" ? (signs[currency] ?? `${currency} `) : "";
  return `${sign}${number}${name}`;
}

function trimmed(value: number): string {
  const digits = Math.abs(value) >= 1000 ? 0 : Math.abs(value) >= 100 ? 1 : 2;
  return value.toLocaleString("en-US", { maximumFractionDigits: digits });
}
