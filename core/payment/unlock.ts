import type { Address } from "../chain/hex.ts";
import type { Table } from "../table.ts";

/**
 * Whether the wallet has unlocked the press: its publisher leg is settled. `pressId` is the agent id. One consistent
 * read.
 */
export async function hasUnlocked(
  { table }: { readonly table: Table },
  wallet: Address,
  pressId: number,
): Promise<boolean> {
  const { data } = await table.entities.settlement
    .get({ wallet, pressId, leg: "publisher" })
    .go({ consistent: true });
  return data?.state === "settled";
}
