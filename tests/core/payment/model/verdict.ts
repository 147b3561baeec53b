import { AppError } from "../../../../core/error.ts";
import type { PayOutcome } from "../../../../core/payment/index.ts";
import { owners, payers } from "./ground.ts";
import { type Purse, placeName, type Signed } from "./purse.ts";
import { must } from "./violation.ts";
import type { Condition, World } from "./world.ts";

/** How a request ended, as its client sees it. */
export type Answer = PayOutcome | { readonly kind: "error"; readonly error: unknown };

export function answerName(answer: Answer): string {
  if (answer.kind === "terms") return `402 ${answer.terms.code}`;
  if (answer.kind === "paid") return answer.already ? "200 already" : "200 paid";
  if (answer.error instanceof AppError) return answer.error.code;
  return mayFail(answer.error) ? "500 by the table's fault" : String(answer.error);
}

const refusals = new Set([
  "fee_first",
  "already_unlocked",
  "settlement_pending",
  "payments_unavailable",
  "chain_unavailable",
  "wallet_gas_limit",
]);

/** Whether an error is one that the service may give; what was injected into the table comes out as it went in. */
export function mayFail(error: unknown): boolean {
  if (error instanceof AppError) return refusals.has(error.code);
  if (error instanceof AggregateError) return error.errors.every(mayFail);
  return error instanceof Error && /injected/.test(`${error.message} ${String(error.cause)}`);
}

/** Seconds that a permit may be good for. */
const longest = 600n;

/** Leniency for clocks that differ, and for the seconds that a permit must still be good for. */
const slack = 10n;

/**
 * A 402's reason must have been true since the request came, or since its leg was broadcast: a node's fault is never a
 * verdict about the payer (invariant 4). `since` is the earliest block that the request may have been shown, `now` in
 * milliseconds. Throws Violation.
 */
export function justified(
  code: string,
  place: Signed,
  { purse, world, since, now }: { purse: Purse; world: World; since: bigint; now: number },
): void {
  const wallet = payers[place.payer]?.wallet ?? "0x";
  const held = (condition: Condition) => world.held(condition, since);
  const poor = held(`drained ${wallet}`);
  const revoked = held(`revoked ${wallet}`);
  const frozen = [wallet, ...owners].some((account) => held(`frozen ${account}`));
  const truths: Readonly<Record<string, boolean>> = {
    permit2_insufficient_balance: poor,
    permit2_allowance_required: revoked,
    permit2_simulation_failed: poor || revoked || frozen || held("paused"),
    permit2_deadline_expired: purse
      .of(place)
      .some(({ permit }) => permit.deadline * 1000n < BigInt(now) + slack * 1000n),
    permit2_deadline_too_far: purse
      .of(place)
      .some(({ permit }) => permit.deadline > BigInt(now) / 1000n + longest - slack),
    // A permit that was broadcast in vain is everybody's: only who shows more than it has it tried again.
    permit2_invalid_nonce:
      purse.of(place).some(({ takenBack }) => takenBack) || (place.leg === "publisher" && place.broadcast),
    invalid_permit2_recipient_mismatch: held("moved"),
  };
  must(truths[code] === true, "broken promise", `${code} for ${placeName(place)} was not true`);
}
