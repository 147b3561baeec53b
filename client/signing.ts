import type { Address, Hex } from "viem";
import { authorizationTypes, permitTypes, robinhoodChain } from "./typed-data.ts";

export { authorizationTypes, robinhoodChain };

/** The values that a wallet signs for a payment. The values are the same for both payment methods (EIP-3009 and Permit2). */
export type TransferTerms = {
  readonly chainId: number;
  readonly token: Address;
  readonly from: Address;
  readonly to: Address;
  /** The amount in base units, as a decimal integer. */
  readonly amount: string;
  /** The nonce has 32 bytes. */
  readonly nonce: Hex;
  /** The deadline in seconds since the epoch, as a decimal integer. */
  readonly until: string;
};

/**
 * Makes the message for USDG's own transfer (EIP-3009). The payer of a transfer by EIP-3009 needs neither an approval nor gas. `name` and
 * `version` come from the token's EIP-712 domain.
 */
export function makeAuthorizationData({
  chainId,
  token,
  name,
  version,
  from,
  to,
  amount: value,
  nonce,
  until: validBefore,
}: TransferTerms & { readonly name: string; readonly version: string }) {
  const typed = {
    domain: { name, version, chainId, verifyingContract: token },
    types: authorizationTypes,
    primaryType: "TransferWithAuthorization",
    message: { from, to, value: BigInt(value), validAfter: 0n, validBefore: BigInt(validBefore), nonce },
  } as const;
  return { typed, payload: { authorization: { from, to, value, validAfter: "0", validBefore, nonce } } };
}

/**
 * Makes the message of a permit for the contract `permit2`. The permit lets `spender`, the x402 proxy, move the token (specification §4.4).
 */
export function makePermitData({
  chainId,
  permit2,
  spender,
  token,
  from,
  to,
  amount,
  nonce,
  until: deadline,
}: TransferTerms & { readonly permit2: Address; readonly spender: Address }) {
  const typed = {
    domain: { name: "Permit2", chainId, verifyingContract: permit2 },
    types: permitTypes,
    primaryType: "PermitWitnessTransferFrom",
    message: {
      permitted: { token, amount: BigInt(amount) },
      spender,
      nonce: BigInt(nonce),
      deadline: BigInt(deadline),
      witness: { to, validAfter: 0n },
    },
  } as const;
  const permit2Authorization = {
    permitted: { token, amount },
    from,
    spender,
    nonce: String(BigInt(nonce)),
    deadline,
    witness: { to, validAfter: "0" },
  };
  return { typed, payload: { permit2Authorization } };
}

/**
 * The `payment-signature` header of x402 version 2. `identifier` names the attempt to pay (x402's payment-identifier). If the client sends
 * the same header with the same identifier again, the service repeats its first answer. `accepted` and `resource` are the parts of the
 * terms (status 402) that the client sends back with the payment.
 */
export function makePaymentHeader(
  { accepted, resource }: { readonly accepted: object; readonly resource: object },
  payload: { readonly signature: string },
  { identifier }: { readonly identifier: string },
): string {
  const payment = {
    x402Version: 2,
    accepted,
    resource,
    payload,
    extensions: { "payment-identifier": { info: { required: false, id: identifier } } },
  };
  const bytes = new TextEncoder().encode(JSON.stringify(payment));
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}
