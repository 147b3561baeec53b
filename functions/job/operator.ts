import { formatEther } from "viem/utils";
import * as z from "zod";
import { AddressInput, HexInput, lower } from "../../core/chain/hex.ts";
import * as Mint from "../../core/mint/index.ts";
import * as Payment from "../../core/payment/index.ts";
import { sweepKey } from "../../core/relayer/operators.ts";
import { environment } from "../lib/environment.ts";
import { makeOperatorJob } from "../lib/job.ts";
import { log } from "../lib/log.ts";
import * as runtime from "../lib/runtime.ts";

/**
 * The operator's input for a repair, which names the restore point. If `write` is not set, the job only reports what it found and changes
 * nothing.
 */
const RepairOrder = z.object({
  since: z.iso.datetime().transform((text) => Date.parse(text)),
  write: z.boolean().default(false),
});

/**
 * Repairs a restored table from the chain (docs/operations.md, "Backup and restore"). The job repairs mints first, because a payment can be
 * restored only after the press that it pays for. Returns a table that people can read; its last line says what remains to be repaired.
 */
export const repair = makeOperatorJob("repair", RepairOrder, async (order) => {
  const payments = runtime.makePaymentPorts();
  const { table, clock, chain, settings } = payments;
  const mints = await Mint.repair({ table, clock, chain, settings, mints: runtime.mints() }, order);
  const keys = await runtime.relayers().addresses();
  const { from, to, found } = await Payment.repair({ ...payments, keys }, order);
  const states = Object.fromEntries(
    [...Map.groupBy([...mints, ...found], ({ state }) => state)].map(([state, all]) => [state, all.length]),
  );
  log.info("The table was repaired from the chain", { from: Number(from), to: Number(to), states });
  const lines = [...mints.map(formatMint), ...found.map(formatPayment)].filter((line) => line !== undefined);
  const total = Object.entries(states).map(([state, count]) => `${count} ${state}`);
  return { table: [...lines, `blocks ${from} to ${to}: ${total.join(", ") || "nothing"}`] };
});

function formatMint({ txHash, id, pressId, state }: Mint.FoundMint): string | undefined {
  return formatLine(`mint of press ${id} as ${pressId}`, txHash, state, Mint.mintLeftBecause);
}

function formatPayment({ txHash, payer, purpose, amount, state }: Payment.FoundPayment): string | undefined {
  const what = purpose === undefined ? "payment" : `${purpose.leg} of ${purpose.pressId}`;
  const who = payer === undefined ? "" : ` by ${payer}: ${amount} units`;
  return formatLine(`${what}${who}`, txHash, state, Payment.leftBecause);
}

/** A payment or mint that the table already contains gets no line of its own and is only counted. */
function formatLine(
  what: string,
  txHash: string,
  state: string,
  reasons: Readonly<Record<string, string>>,
): string | undefined {
  if (state === "known") return undefined;
  const reason = reasons[state];
  return `${reason === undefined ? state : "LEFT"}  ${what} in ${txHash}${reason === undefined ? "" : `: ${reason}`}`;
}

/**
 * The operator's input for a sweep. The input names the key, the approvals, and the time at which the approvals expire. Without enough
 * approvals the job only reports the ETH that it found and moves nothing.
 */
const SweepOrder = z.strictObject({
  relayer: AddressInput.transform(lower),
  until: z.iso.datetime().transform((text) => Date.parse(text)),
  approvals: z.array(HexInput).max(20).default([]),
});

/**
 * Moves a retired key's ETH to the address in the stage's settings (docs/operations.md, "Gas"). Throws an Error if the stage's settings
 * name no address to which ETH may be moved, or no retired key.
 */
export const sweepRelayer = makeOperatorJob("relayer-sweep", SweepOrder, async (order) => {
  const terms = environment.sweepTerms();
  if (terms === undefined)
    throw new Error("infra/stages.ts names no `sweep`, or no retired relayer. Nothing was moved.");
  const ports = {
    ...runtime.makeTablePorts(),
    chain: runtime.chain(),
    relayers: runtime.sweepers(),
    settings: runtime.readSettings(),
  };
  const { statement, balance, amount, approvedBy, left, txHash } = await sweepKey(ports, terms, order);
  log.warn("An operator requested a sweep of a key", { relayer: order.relayer, txHash, left, approvedBy });
  const formatEth = (wei: bigint) => `${formatEther(wei)} ETH`;
  return {
    table: [
      `statement to sign: ${statement}`,
      `${order.relayer} has ${formatEth(balance)}, approved by ${approvedBy.join(", ") || "nobody"} of ${terms.approvers.join(", ")}`,
      left === undefined
        ? `moved ${formatEth(amount)} to ${terms.to} in ${txHash}`
        : `NOT MOVED: ${left}${txHash === undefined ? "" : ` (${txHash})`}`,
    ],
  };
});
