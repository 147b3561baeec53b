import { permitTypes } from "../../../core/chain/schema.ts";
import type { Address } from "../api/request.ts";
import type { Terms } from "./terms.ts";

type Permit2Domain = { readonly chainId: number; readonly permit2: Address };

/** Chance that a permit needs: a nonce of 256 bits, decimal, and a name for the attempt of 16 to 128 of `[A-Za-z0-9_-]`. */
export type Chance = { readonly nonce: string; readonly identifier: string };

/** What the wallet is asked to sign for terms, with what the header will say of it. Numbers are decimal texts. */
export function permitFor({ accepted, offeredAt }: Terms, from: Address, { nonce }: Chance) {
  const { asset: token, amount, payTo, maxTimeoutSeconds, extra } = accepted;
  return {
    permitted: { token, amount },
    from,
    spender: extra.spender,
    nonce,
    deadline: String(offeredAt + Math.floor(maxTimeoutSeconds)),
    witness: { to: payTo, validAfter: "0" },
  } as const;
}
type PermitAuthorization = ReturnType<typeof permitFor>;

/** The permit as EIP-712 typed data. */
export function typedPermit(
  { permitted, spender, nonce, deadline, witness }: PermitAuthorization,
  { chainId, permit2 }: Permit2Domain,
) {
  return {
    domain: { name: "Permit2", chainId, verifyingContract: permit2 },
    types: permitTypes,
    primaryType: "PermitWitnessTransferFrom",
    message: {
      permitted: { token: permitted.token, amount: BigInt(permitted.amount) },
      spender,
      nonce: BigInt(nonce),
      deadline: BigInt(deadline),
      witness: { to: witness.to, validAfter: BigInt(witness.validAfter) },
    },
  } as const;
}

/**
 * The `payment-signature` header (specification §4.4), with a name for the attempt (x402's payment-identifier): under the
 * same name and header the service repeats its first answer.
 */
export function paymentHeader(
  { accepted, resource }: Terms,
  permit2Authorization: PermitAuthorization,
  signature: string,
  { identifier }: Chance,
): string {
  const payload = {
    x402Version: 2,
    accepted,
    resource,
    payload: { signature, permit2Authorization },
    extensions: { "payment-identifier": { info: { required: false, id: identifier } } },
  };
  const bytes = new TextEncoder().encode(JSON.stringify(payload));
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}
