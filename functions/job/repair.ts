import * as z from "zod";
import * as Mint from "../../core/mint/index.ts";
import * as Payment from "../../core/payment/index.ts";
import { operatorJob } from "../lib/job.ts";
import { log } from "../lib/log.ts";
import { paymentPorts } from "../lib/payment.ts";
import * as runtime from "../lib/runtime.ts";

/** The restore point, and `write`: without it the job only reports what it found. */
const Order = z.object({
  since: z.iso.datetime().transform((text) => Date.parse(text)),
  write: z.boolean().default(false),
});

/**
 * Repairs a restored table from the chain (docs/operations.md, "Backup and restore"): mints first, because a payment needs its press.
 * Returns a table for people, whose last line says what is left.
 */
export const handler = operatorJob("repair", Order, async (order) => {
  const payments = paymentPorts();
  const { table, clock, chain, settings } = payments;
  const mints = await Mint.repair({ table, clock, chain, settings, mints: runtime.mints() }, order);
  const keys = await runtime.relayers().addresses();
  const { from, to, found } = await Payment.repair({ ...payments, keys }, order);
  const states = Object.fromEntries(
    [...Map.groupBy([...mints, ...found], ({ state }) => state)].map(([state, all]) => [state, all.length]),
  );
  log.info("The table was mended from the chain", { from: Number(from), to: Number(to), states });
  const lines = [...mints.map(mintLine), ...found.map(paymentLine)].filter((line) => line !== undefined);
  const total = Object.entries(states).map(([state, count]) => `${count} ${state}`);
  return { table: [...lines, `blocks ${from} to ${to}: ${total.join(", ") || "nothing"}`] };
});

function mintLine({ txHash, id, pressId, state }: Mint.FoundMint): string | undefined {
  return line(`mint of press ${id} as ${pressId}`, txHash, state, Mint.mintLeftBecause);
}

function paymentLine({ txHash, payer, purpose, amount, state }: Payment.Found): string | undefined {
  const what = purpose === undefined ? "payment" : `${purpose.leg} of ${purpose.pressId}`;
  const who = payer === undefined ? "" : ` by ${payer}: ${amount} units`;
  return line(`${what}${who}`, txHash, state, Payment.leftBecause);
}

/** Known payments and mints are only counted. */
function line(
  what: string,
  txHash: string,
  state: string,
  reasons: Readonly<Record<string, string>>,
): string | undefined {
  if (state === "known") return undefined;
  const reason = reasons[state];
  return `${reason === undefined ? state : "LEFT"}  ${what} in ${txHash}${reason === undefined ? "" : `: ${reason}`}`;
}
