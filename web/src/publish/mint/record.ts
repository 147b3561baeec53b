import * as z from "zod";
import { type Hash, HashForm } from "../../api/form.ts";
import { kept, NotKept } from "../../store/kept.ts";

/** Mints that were sent and whose press is not live yet, by wallet and press: a reload goes on with them. */
const drawer = kept("mint", z.object({ tx: HashForm }));

const keyOf = (wallet: string, id: number) => `${wallet}:${id}`;

export function sentMint(wallet: string, id: number): Hash | undefined {
  return drawer.read(keyOf(wallet, id))?.tx;
}

/** Answers whether this browser keeps it. */
export function keepMint(wallet: string, id: number, tx: Hash): boolean {
  try {
    drawer.write(keyOf(wallet, id), { tx });
    return true;
  } catch (error) {
    if (error instanceof NotKept) return false;
    throw error;
  }
}

export function forgetMint(wallet: string, id: number): void {
  drawer.remove(keyOf(wallet, id));
}
