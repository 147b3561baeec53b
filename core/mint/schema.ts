import * as z from "zod";
import { AddressInput, HashInput } from "../chain/hex.ts";
import { Id } from "../press/schema.ts";

/** Confirmation of a mint (specification §4.8). */
export const MintedInput = z.object({ id: Id, txHash: HashInput });
export type MintedInput = z.infer<typeof MintedInput>;

/** A press that its mint has made live. */
export const Minted = z.object({ slug: z.string(), pressId: z.int() });
export type Minted = Readonly<z.infer<typeof Minted>>;

/** The queue's message of a mint: its press, its transaction, its publisher, and the progress so far. */
export const MintOrder = z.object({
  id: Id,
  txHash: HashInput,
  wallet: AddressInput,
  /** How often and since when (milliseconds) the chain has been asked, and whether a node has shown the transaction. */
  attempt: z.int().nonnegative(),
  since: z.number().optional(),
  seen: z.boolean().optional(),
  /** The claim's slot among those of its press. */
  slot: z.int().optional(),
});
export type MintOrder = z.infer<typeof MintOrder>;
