import { payment as words } from "../strings/payment.ts";
import type { State } from "./state.ts";

/** What is going on now, for the reader; nothing where a decision is waited for. */
export function doing({ phase, legs, way }: State): string | undefined {
  switch (phase.name) {
    case "entering":
    case "finding":
      return words.doing.opening;
    case "funds":
      return words.doing.funds;
    case "following":
      return phase.doing;
    case "network":
    case "approve":
    case "sign":
      return words.doing.wallet;
    case "approving":
      return words.doing.approving;
    case "terms":
      return words.doing.terms;
    case "send":
    case "pending":
      if (phase.tries > 0) return words.doing.resending;
      if (phase.name === "pending") return words.doing.pending;
      return phase.leg === "publisher" && legs.fee?.state !== "paid" && way !== undefined
        ? words.doing.presenting
        : words.doing.sending;
    default:
      return undefined;
  }
}
