import { payment as words } from "../strings/payment.ts";
import { dollars } from "../usdg.ts";
import type { State } from "./state.ts";
import { type Leg, legPrice } from "./terms.ts";

/**
 * What has become of the reader's money, in a sentence that follows from the two payments and from nothing else: what was
 * paid, what is signed and may be charged, and what remains.
 */
export function moneyOf({ legs, purchase }: Pick<State, "legs" | "purchase">): string {
  const amount = (leg: Leg) => dollars(legs[leg]?.amount ?? legPrice(purchase, leg));
  const fee = legs.fee?.state ?? "none";
  const publisher = legs.publisher?.state ?? "none";
  const total = dollars(
    String(
      BigInt(legs.fee?.amount ?? legPrice(purchase, "fee")) +
        BigInt(legs.publisher?.amount ?? legPrice(purchase, "publisher")),
    ),
  );
  return words.money[fee][publisher]({ fee: amount("fee"), publisher: amount("publisher"), total });
}
