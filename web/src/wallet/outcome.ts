import type { Hash } from "../api/form.ts";
import { outcomeOf } from "./ask.ts";
import { ChainSilent } from "./chain-silent.ts";
import type { Wallets } from "./wallets.ts";

/** Milliseconds between looks at a transaction, how long they go on, and how many in a row may fail. */
const pause = 300;
const patience = 120_000;
const failuresAllowed = 3;

/** Waits for a transaction; `slow` where it is not mined after two minutes. Throws `ChainSilent`. */
export async function waitForOutcome(wallets: Wallets, tx: Hash): Promise<"success" | "reverted" | "slow"> {
  const until = Date.now() + patience;
  let failures = 0;
  while (Date.now() < until) {
    try {
      const outcome = await outcomeOf(wallets, tx);
      if (outcome !== undefined) return outcome;
      failures = 0;
    } catch (cause) {
      failures += 1;
      if (failures > failuresAllowed) throw new ChainSilent("The chain gives no answer.", { cause });
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  return "slow";
}
