import { toAddress } from "../chain/hex.ts";
import { AppError } from "../error.ts";
import type { SettlementItem } from "./entity.ts";
import type { PaymentPorts } from "./ports.ts";
import { type Ending, resend, resolve } from "./resolve.ts";
import type { Leg } from "./schema.ts";
import { busy, readState, type State } from "./state.ts";

/** What the records say of a wallet that asks to pay a leg. */
export type Known =
  /** It is paid. `before`: it was so when the request came, and nothing is left to deliver but the receipt. */
  | {
      readonly kind: "settled";
      readonly settlement: SettlementItem;
      readonly before: boolean;
      readonly sessionStored: boolean;
    }
  /** It may be paid now; `state` is the newest. */
  | { readonly kind: "open"; readonly state: State };

/** Milliseconds between looks at a settlement that is under way, and how many looks one request spends. */
const pause = 150;
const looks = 40;

/**
 * Brings whatever is under way for this wallet and press to its end before anything new may start (invariants 2, 3
 * and 6). Throws `conflict` `already_unlocked` and `fee_first`, `upstream` `settlement_pending` and
 * `payments_unavailable`.
 */
export async function known(
  ports: PaymentPorts,
  first: State,
  leg: Leg,
  token: string | undefined,
): Promise<Known> {
  let state = first;
  for (let look = 0; ; look += 1) {
    const own = state.legs[leg];
    if (own?.state === "settled") return settled(own, state === first);
    const current = underWay(state, leg, ports.clock.now());
    if (current === undefined) return open(state, leg);
    const ending = await advance(ports, current, current === own ? token : undefined, look === 0);
    if (ending?.kind === "settled" && current === own) {
      return { ...ending, before: false };
    }
    if (ending === undefined || ending.kind === "pending") {
      if (look === looks) throw ending === undefined ? busy() : pending(ending.txHash);
      await ports.clock.sleep(pause);
    }
    state = await readState(ports, state.agent.pressId, toAddress(current.wallet));
  }
}

/** Specification §4.4: a second purchase is refused and charges nothing; a second fee is simply paid. */
function settled(settlement: SettlementItem, before: boolean): Known {
  if (before && settlement.leg === "publisher") {
    throw new AppError("conflict", "already_unlocked", "You've already unlocked this press.");
  }
  return { kind: "settled", settlement, before, sessionStored: false };
}

function open(state: State, leg: Leg): Known {
  if (leg === "publisher" && state.legs.fee?.state !== "settled") {
    throw new AppError("conflict", "fee_first", "Pay the platform fee first.");
  }
  return { kind: "open", state };
}

/** The leg that must end before this one may go on: itself, or the fee that the publisher's leg waits for. */
function underWay({ legs }: State, leg: Leg, now: number): SettlementItem | undefined {
  const waitsFor = leg === "publisher" ? [legs.publisher, legs.fee] : [legs.fee];
  return waitsFor.find(
    (item) => item?.state === "sent" || (item?.state === "claimed" && item.claimUntil >= now),
  );
}

/** One step towards the end of a settlement; `undefined` while another request has only claimed it. */
async function advance(
  ports: PaymentPorts,
  item: SettlementItem,
  token: string | undefined,
  firstLook: boolean,
): Promise<Ending | undefined> {
  const { txHash, rawTx } = item;
  if (item.state !== "sent" || txHash === undefined || rawTx === undefined) return undefined;
  try {
    const ending = await resolve(ports, { ...item, txHash, rawTx }, token);
    if (ending.kind === "pending" && firstLook) await resend(ports, rawTx);
    return ending;
  } catch (error) {
    // A node's trouble says nothing about a transaction that was sent: it is pending, not refused.
    if (error instanceof AppError && error.kind === "upstream") return { kind: "pending", txHash };
    throw error;
  }
}

export function pending(txHash: string): AppError {
  return new AppError(
    "upstream",
    "settlement_pending",
    "The payment was sent and waits for the chain. Repeat this request: you will not be charged again.",
    { retryAfter: 1, details: { transaction: txHash } },
  );
}
