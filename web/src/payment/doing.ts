import type { State } from "./state.ts";

/** What may be going on in a payment; the dialog has the words. */
export const doings = [
  "opening",
  "funds",
  "wallet",
  "approving",
  "terms",
  "presenting",
  "sending",
  "pending",
  "resending",
] as const;
export type Doing = (typeof doings)[number];

/** What is going on now; nothing where a decision is waited for. */
export function doing({ phase, legs, way }: State): Doing | undefined {
  switch (phase.name) {
    case "entering":
    case "finding":
      return "opening";
    case "funds":
      return "funds";
    case "following":
      return phase.doing;
    case "network":
    case "approve":
    case "sign":
      return "wallet";
    case "approving":
      return "approving";
    case "terms":
      return "terms";
    case "send":
    case "pending":
      if (phase.tries > 0) return "resending";
      if (phase.name === "pending") return "pending";
      return phase.leg === "publisher" && legs.fee?.state !== "paid" && way !== undefined
        ? "presenting"
        : "sending";
    default:
      return undefined;
  }
}
