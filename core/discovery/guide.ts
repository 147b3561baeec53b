import { getAddress } from "viem/utils";
import type { Settings } from "../port/settings.ts";

/** From an empty wallet to the text, in order. The approval is the only transaction that the wallet sends. */
export function flow({ chainId, contracts, origin }: Settings): readonly string[] {
  const usdg = getAddress(contracts.usdg);
  const permit2 = getAddress(contracts.permit2);
  return [
    `Once per wallet: approve Permit2 for USDG, with approve(${permit2}, 2^256 - 1) on ${usdg}. It needs a little of the chain's gas token and may be sent through POST ${origin}/api/rpc.`,
    `Once per program with the official x402 client: allow the asset, with client.setSpendControls({allowedAssets:[{network:"eip155:${chainId}",asset:"${usdg}"}]}). It then does the signing below by itself.`,
    "list: choose a press and take its pressId.",
    "payFee: POST { pressId }. The 402 answer carries the terms, in its body and in the payment-required header (base64).",
    `Sign the terms (EIP-712): domain { name: "Permit2", chainId: ${chainId}, verifyingContract: ${permit2} }, primary type PermitWitnessTransferFrom with permitted { token: asset, amount }, spender extra.spender, a random 256-bit nonce, a deadline a few minutes ahead in seconds, and witness { to: payTo, validAfter: 0 }.`,
    "Repeat the same POST with the payment-signature header: base64 of the JSON { x402Version: 2, accepted, resource, payload: { signature, permit2Authorization } }. The 200 answer carries the receipt in payment-response.",
    "payPublisher: the same two requests, with its own terms. The 200 answer carries the full text.",
    "read: with the session cookie of that answer, or after a sign-in, the text can be read again without paying.",
  ];
}

export const rules: readonly string[] = [
  "The fee comes first: payPublisher without it is answered 409.",
  "A wallet buys a press once. A second purchase is answered 409 and charges nothing.",
  "The press goes in the body of the request only, never in query or path.",
  "Sign the terms as they are: another network, token, amount or recipient is answered with a fresh 402.",
  "A 503 after a payment was sent does not mean that it failed: wait for Retry-After and repeat the request. It continues the payment that is under way.",
  "Terms are good for 300 seconds; a signed payment ends at its own deadline.",
  "Nothing published here is investment advice.",
];
