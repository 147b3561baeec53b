import { creditOthers } from "./credit.ts";
import { fail } from "./end.ts";
import type { SettlementItem } from "./entity.ts";
import type { Ending, ResolvePorts } from "./resolve.ts";
import { allSigned, isSameNonce } from "./standing.ts";

/** How a claim that lapsed has ended. `gone`: by somebody else's hand meanwhile. */
export type Released =
  | Extract<Ending, { kind: "settled" }>
  | { readonly kind: "released" }
  | { readonly kind: "gone" };

/**
 * Ends a claim that lapsed with nothing stored for broadcast: it is given back, unless somebody else has settled its
 * permit, which pays the leg all the same (invariants 1 and 3). Throws `upstream` when the chain cannot say.
 */
export async function release(ports: ResolvePorts, claimed: SettlementItem): Promise<Released> {
  const credit = await creditOthers(ports, claimed);
  if (credit.kind === "settled") return { ...credit, answered: false };
  const live = credit.kind === "unpaid" ? credit.live : allSigned(claimed);
  const [own, earlier] = [
    live.filter((signed) => isSameNonce(signed, claimed.signed)),
    live.filter((signed) => !isSameNonce(signed, claimed.signed)),
  ];
  const from = { ...claimed, earlier: [...earlier] };
  const failed = await fail(ports, from, { code: "released", over: own.length === 0 });
  return { kind: failed === undefined ? "gone" : "released" };
}
