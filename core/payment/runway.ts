import { Quantity, result } from "../chain/call.ts";
import type { Address } from "../chain/hex.ts";
import { feeCap, gasLimitsOf } from "../relayer/index.ts";
import type { PaymentPorts } from "./ports.ts";

/** Gas units of a settlement that is signed by a plain account, rounded up from what the devnet takes. */
const usualGas = 120_000n;

/** How far a key's gas goes. */
export type Runway = { readonly address: Address; readonly settlements: number };

/**
 * How many settlements each key can pay for at the gas price of now, each at the most that it may cost: at 0 a
 * relayer is passed over. In the given order. Throws `upstream` when the chain cannot be asked.
 */
export async function runway({
  chain,
  addresses,
  settings,
}: {
  readonly chain: PaymentPorts["chain"];
  readonly settings: PaymentPorts["settings"];
  readonly addresses: readonly Address[];
}): Promise<readonly Runway[]> {
  const [price, ...balances] = await chain.batch([
    { method: "eth_gasPrice", params: [] },
    ...addresses.map((address) => ({ method: "eth_getBalance", params: [address, "latest"] })),
  ]);
  const cost = feeCap({
    gas: usualGas,
    gasPrice: result(price, Quantity),
    maxPrice: gasLimitsOf(settings).maxPrice,
  });
  return addresses.map((address, index) => ({
    address,
    settlements: Number(result(balances[index], Quantity) / (cost === 0n ? 1n : cost)),
  }));
}
