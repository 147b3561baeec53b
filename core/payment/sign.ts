import { keccak256 } from "viem/utils";
import type { Hex } from "../chain/hex.ts";
import { feeLimits, gasLimitsOf } from "../relayer/index.ts";
import type { Payment } from "./header.ts";
import { methodOf } from "./method.ts";
import type { PaymentPorts } from "./ports.ts";

/** A transaction ready to broadcast. */
export type Signed = { readonly txHash: Hex; readonly rawTx: Hex; readonly relayerNonce: number };

/** Signs the settlement of a payment from a leased relayer. Fees in wei; the gas gets a quarter of room. */
export async function signSettlement(
  { relayers, settings }: Pick<PaymentPorts, "relayers" | "settings">,
  { authorization, signature }: Pick<Payment, "authorization" | "signature">,
  from: { readonly relayer: Hex; readonly nonce: number; readonly gas: bigint; readonly gasPrice: bigint },
): Promise<Signed> {
  const rawTx = await relayers.sign(from.relayer, {
    chainId: settings.chainId,
    nonce: from.nonce,
    ...methodOf(authorization).call(settings, authorization, signature),
    ...feeLimits({ ...from, maxPrice: gasLimitsOf(settings).maxPrice }),
  });
  return { rawTx, txHash: keccak256(rawTx), relayerNonce: from.nonce };
}
