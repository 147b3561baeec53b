import { AppError } from "../error.ts";
import { transact } from "../transact.ts";
import { creditOthers } from "./credit.ts";
import type { SettlementItem } from "./entity.ts";
import type { PaymentPorts } from "./ports.ts";
import { rebroadcast } from "./rebroadcast.ts";
import { release } from "./release.ts";
import { resolve } from "./resolve.ts";
import { isSent } from "./sent.ts";
import { allSigned, isSameNonce } from "./standing.ts";

/** Milliseconds after which something under way is nobody's business but the reconciler's. */
const grace = 15_000;

/** Settlements that one run looks at, the oldest first. */
const most = 100;

/** Milliseconds after which a run looks at no more of them: a node that lets every question time out is slow. */
const longestRun = 40_000;

/** What one run did. `pending` stay under way; `unknown` could not be looked at. */
export type Reconciliation = {
  readonly settled: number;
  readonly failed: number;
  readonly released: number;
  readonly pending: number;
  /** Failed ones of which others may still charge what was signed for them. */
  readonly watched: number;
  readonly unknown: number;
  /** Milliseconds that the oldest settlement still under way, or of unknown end, has waited. */
  readonly oldest: number;
};

/**
 * Finishes, sends again or releases everything that is under way and has not moved for a while (invariant 3): what a
 * process left behind when it died, and what the chain was slow to take. Credits failed ones that others have charged
 * (invariant 1). Every minute, and safe beside requests and other runs: each step is conditional on the state that it
 * saw. Throws AggregateError after the run when something unexpected met one of them.
 */
export async function reconcile(ports: PaymentPorts): Promise<Reconciliation> {
  const now = ports.clock.now();
  const found = await Promise.all(
    (["pending", "watched"] as const).map((pending) =>
      ports.table.entities.settlement.query
        .inFlight({ pending })
        .lt({ changedAt: now - grace })
        .go({ limit: most, order: "asc" }),
    ),
  );
  const data = found.flatMap((page) => page.data);
  const outcomes: Outcome[] = [];
  const defects: unknown[] = [];
  for (const item of data) {
    try {
      outcomes.push(ports.clock.now() - now > longestRun ? "unknown" : await endOne(ports, item));
    } catch (error) {
      // One that meets a defect of ours must not keep the others waiting, and must not go unseen.
      outcomes.push("unknown");
      defects.push(error);
    }
  }
  if (defects.length > 0) throw new AggregateError(defects, "Some payments could not be reconciled");
  const count = (kind: Outcome) => outcomes.filter((outcome) => outcome === kind).length;
  const waiting = data.filter((_, index) => outcomes[index] === "pending" || outcomes[index] === "unknown");
  return {
    settled: count("settled"),
    failed: count("failed"),
    released: count("released"),
    pending: count("pending"),
    watched: count("watched"),
    unknown: count("unknown"),
    oldest: Math.max(0, ...waiting.map(({ changedAt }) => now - changedAt)),
  };
}

type Outcome = "settled" | "failed" | "released" | "pending" | "watched" | "unknown" | "gone";

async function endOne(ports: PaymentPorts, { wallet, pressId, leg }: SettlementItem): Promise<Outcome> {
  // The index lags behind the table: what counts is read from the table itself.
  const { data: item } = await ports.table.entities.settlement
    .get({ wallet, pressId, leg })
    .go({ consistent: true });
  if (item === null || item.pending === undefined) return "gone";
  if (item.state === "claimed" && item.claimUntil >= ports.clock.now()) return "pending";
  try {
    if (item.state === "claimed") return (await release(ports, item)).kind;
    if (item.state === "failed") return watch(ports, item);
    if (!isSent(item)) return "gone";
    const { kind } = await resolve(ports, item);
    if (kind === "pending") await rebroadcast(ports, item);
    return kind;
  } catch (error) {
    // One that cannot be looked at now must not keep the others waiting; the next run comes in a minute.
    if (error instanceof AppError && error.kind === "upstream") return "unknown";
    throw error;
  }
}

/** Looks at a failed settlement until nothing that was signed for it can be charged any more. */
async function watch(ports: PaymentPorts, item: SettlementItem): Promise<Outcome> {
  const credit = await creditOthers(ports, item);
  if (credit.kind === "settled") return "settled";
  const left = credit.kind === "unclear" ? allSigned(item) : credit.live;
  const earlier = left.filter((signed) => !isSameNonce(signed, item.signed));
  const { pending: _pending, earlier: _earlier, ...rest } = item;
  const next: SettlementItem = {
    ...rest,
    // Behind the others, so that each has its turn.
    changedAt: ports.clock.now(),
    ...(left.length > 0 && { pending: "watched", earlier: [...earlier] }),
  };
  const outcome = await transact(ports.clock, () =>
    ports.table.transaction
      .write(({ settlement }) => [
        settlement
          .put(next)
          .where(({ state, claim }, { eq }) => `${eq(state, "failed")} AND ${eq(claim, item.claim)}`)
          .commit(),
      ])
      .go(),
  );
  if (outcome.canceled) return "gone";
  if (credit.kind === "unclear") return "unknown";
  return left.length > 0 ? "watched" : "gone";
}
