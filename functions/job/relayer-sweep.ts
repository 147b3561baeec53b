import { formatEther } from "viem/utils";
import * as z from "zod";
import { AddressInput, HexInput, lower } from "../../core/chain/hex.ts";
import { sweep } from "../../core/relayer/operators.ts";
import { environment } from "../lib/environment.ts";
import { operatorJob } from "../lib/job.ts";
import { log } from "../lib/log.ts";
import * as runtime from "../lib/runtime.ts";

/** The key, the approvals, and until when they are valid. Without enough approvals the job only reports what it found. */
const Order = z.strictObject({
  relayer: AddressInput.transform(lower),
  until: z.iso.datetime().transform((text) => Date.parse(text)),
  approvals: z.array(HexInput).max(20).default([]),
});

/**
 * Moves a retired key's ETH to the address in the stage's settings (docs/operations.md, "Gas"). Throws an Error when the settings have no
 * such address or no retired key.
 */
export const handler = operatorJob("relayer-sweep", Order, async (order) => {
  const terms = environment.sweepTerms();
  if (terms === undefined)
    throw new Error("infra/stages.ts names no `sweep`, or no retired relayer. Nothing was moved.");
  const ports = {
    table: runtime.table(),
    clock: runtime.clock,
    chain: runtime.chain(),
    relayers: runtime.sweepers(),
    settings: runtime.settings(),
  };
  const { statement, balance, amount, approvedBy, left, txHash } = await sweep(ports, terms, order);
  log.warn("A key was to be swept", { relayer: order.relayer, txHash, left, approvedBy });
  const eth = (wei: bigint) => `${formatEther(wei)} ETH`;
  return {
    table: [
      `statement to sign: ${statement}`,
      `${order.relayer} has ${eth(balance)}, approved by ${approvedBy.join(", ") || "nobody"} of ${terms.approvers.join(", ")}`,
      left === undefined
        ? `moved ${eth(amount)} to ${terms.to} in ${txHash}`
        : `NOT MOVED: ${left}${txHash === undefined ? "" : ` (${txHash})`}`,
    ],
  };
});
