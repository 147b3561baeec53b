/** How a demo tells what it does: parts with a title, steps with what came of them, and longer texts. */
export type Say = {
  part(title: string): void;
  step(what: string, detail: string): void;
  text(text: string): void;
};

/** Prints to the terminal. */
export const terminal: Say = {
  part: (title) => console.log(`\n${title}\n${"-".repeat(title.length)}`),
  step: (what, detail) => console.log(`  ${`${what}`.padEnd(22)} ${detail}`),
  text: (text) => console.log(text.replace(/^/gm, "  | ")),
};

/** Base units as people write an amount. */
export function usdg(units: bigint): string {
  const digits = String(units).padStart(7, "0");
  const cents = digits.slice(-6).replace(/0{1,4}$/, "");
  return `${digits.slice(0, -6)}.${cents} USDG`;
}
