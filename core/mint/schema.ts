import * as z from "zod";
import { AddressInput, HashInput } from "../chain/hex.ts";
import { Id } from "../press/schema.ts";

/** Confirmation of a mint (specification §4.8). */
export const MintedInput = z.object({ id: Id, txHash: HashInput });
export type MintedInput = z.infer<typeof MintedInput>;

/** A press that has gone live through its mint. */
export const Minted = z.object({ slug: z.string(), pressId: z.int() });
export type Minted = Readonly<z.infer<typeof Minted>>;

/** The queue's message about a mint: the press, the transaction, the publisher, and the progress so far. */
export const MintOrder = z.object({
  id: Id,
  txHash: HashInput,
  wallet: AddressInput,
  /**
   * How often the chain was asked about the transaction, when (in milliseconds) it was first asked, and whether a node has shown the
   * transaction.
   */
  attempt: z.int().nonnegative(),
  since: z.number().optional(),
  seen: z.boolean().optional(),
  /** The number of the slot that this message's mint has taken. Each press has three slots for unconfirmed mints. */
  slot: z.int().optional(),
});
export type MintOrder = z.infer<typeof MintOrder>;
