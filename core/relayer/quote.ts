import { Quantity, result } from "../chain/call.ts";
import type { Address } from "../chain/hex.ts";
import { ethPriceCalls, ethPriceIn, type GasRate } from "../gas/index.ts";
import type { RpcCall, RpcOutcome } from "../port/chain.ts";
import type { CarryPorts } from "./intent.ts";
import { free, type Keys, type Relayer, relayerCalls, relayerIn } from "./key.ts";

/** What sending would cost, and the key that would send, as the chain knows them now. */
export type Quote = Omit<GasRate, "l1Gas"> & { readonly relayer: Relayer };

/** The questions to the chain that a quote takes, so that they travel with others, and the quote in their answers. */
export type Quoting = {
  readonly sender: Address;
  readonly calls: readonly RpcCall[];
  /** Throws `upstream` for a node that gives no answer. */
  quoteIn(answers: readonly (RpcOutcome | undefined)[]): Quote;
};

/** Asks for a quote from a free key of the pool, or else any of them; `undefined` where the pool has none. */
export function quoting(
  { clock, ids, settings }: Pick<CarryPorts, "clock" | "ids" | "settings">,
  keys: Keys,
): Quoting | undefined {
  const choices = free(keys, clock.now());
  const choice = choices.length === 0 ? undefined : choices[ids.pick(choices.length)];
  const [any] = keys.addresses;
  const sender = choice?.address ?? any;
  if (sender === undefined) return undefined;
  return {
    sender,
    calls: [{ method: "eth_gasPrice", params: [] }, ...relayerCalls(sender), ...ethPriceCalls(settings)],
    quoteIn([price, count, balance, ...ethPrice]) {
      return {
        gasPrice: result(price, Quantity),
        ethPrice: ethPriceIn(settings, ethPrice, clock.now()),
        relayer: relayerIn(sender, [count, balance]),
      };
    },
  };
}
