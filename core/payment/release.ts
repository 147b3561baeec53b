import { result } from "../chain/call.ts";
import { nonceSpent, nonceWordCalldata } from "../chain/permit2.ts";
import { settledElsewhere } from "./credit.ts";
import { fail, finish } from "./end.ts";
import type { SettlementItem } from "./entity.ts";
import { Block, type Ending, permitOf, type ResolvePorts, Word } from "./resolve.ts";

/** How a claim that lapsed has ended. `gone`: by somebody else's hand meanwhile. */
export type Released =
  | Extract<Ending, { kind: "settled" }>
  | { readonly kind: "released" }
  | { readonly kind: "gone" };

/**
 * Ends a claim that lapsed with nothing stored for broadcast: it is given back, unless somebody else has settled its
 * permit, which pays the leg all the same (invariants 3 and 5). Throws `upstream` when the chain cannot say.
 */
export async function release(
  ports: ResolvePorts,
  claimed: SettlementItem,
  token?: string,
): Promise<Released> {
  const permit = permitOf(ports.settings, claimed);
  const { permit2 } = ports.settings.contracts;
  const [word, latest] = await ports.chain.batch([
    {
      method: "eth_call",
      params: [{ to: permit2, data: nonceWordCalldata(permit.from, permit.nonce) }, "latest"],
    },
    { method: "eth_getBlockByNumber", params: ["latest", false] },
  ]);
  const spent = nonceSpent(permit.nonce, result(word, Word));
  const proofs = spent ? await settledElsewhere(ports, permit, result(latest, Block).number) : [];
  for (const proof of proofs) {
    const settlement = await finish(ports, claimed, { ...proof, token });
    if (settlement !== undefined) return { kind: "settled", settlement, sessionStored: token !== undefined };
  }
  return { kind: (await fail(ports, claimed, "released")) === undefined ? "gone" : "released" };
}
