import type { Row } from "./row.ts";

/** Section 4.4. */
export const payments = [
  {
    id: "4.4 request",
    claim: "both endpoints take POST with { pressId } of an integer",
    beside:
      "`?method=` asks for one way to pay alone, `?payer=` for the terms of a wallet that has paid the fee; unsigned and without a body: the terms of the newest press",
  },
  { id: "4.4 token", claim: "both charge USDG" },
  { id: "4.4 ids", claim: "the id counts in the body only, never in query or path" },
  { id: "4.4 payment-signature", claim: "the payment comes in the payment-signature header" },
  { id: "4.4 x-payment", claim: "the x-payment header is accepted as well" },
  { id: "4.4 flow", claim: "402 with terms, then the same request again with the signed header succeeds" },
  { id: "4.4 treasury", claim: "charges floor(priceUnits x 10 / 100) to the platform's treasury" },
  { id: "4.4 treasury: 200", claim: "{ paid: true, tx }" },
  {
    id: "4.4 treasury: already",
    claim: "a wallet that has paid the fee hears { paid: true, tx, already: true }",
  },
  { id: "4.4 treasury: nothing again", claim: "and nothing is settled again" },
  { id: "4.4 publisher", claim: "charges priceUnits without the fee" },
  {
    id: "4.4 publisher: payee",
    claim: "to the wallet that owns the press's NFT at request time, as the chain says",
  },
  { id: "4.4 publisher: 200", claim: "{ paid: true, tx, body } with the full text" },
  { id: "4.4 publisher: cookie", claim: "the response also sets a session cookie for the paying wallet" },
  { id: "4.4 publisher: fee first", claim: "409 Pay the platform fee first. without a recorded fee" },
  {
    id: "4.4 publisher: already",
    claim: "409 You've already unlocked this press. the second time, nothing charged",
  },

  { id: "4.4 terms", claim: "the terms stand in the 402's body and, base64, in its payment-required header" },
  { id: "4.4 terms.x402Version", claim: "integer 2" },
  { id: "4.4 terms.error", claim: "string", beside: "`code` beside it, stable" },
  {
    id: "4.4 terms.accepts[]",
    claim: "list of ways to pay with the fields below",
    beside:
      "a second entry by EIP-3009, for wallets without allowance and ETH; first after a missing allowance",
  },
  { id: "4.4 terms.accepts[].scheme", claim: "exact" },
  { id: "4.4 terms.accepts[].network", claim: "eip155:4663" },
  { id: "4.4 terms.accepts[].amount", claim: "string of base units" },
  { id: "4.4 terms.accepts[].asset", claim: "USDG's address" },
  { id: "4.4 terms.accepts[].payTo", claim: "the recipient's address" },
  { id: "4.4 terms.accepts[].maxTimeoutSeconds", claim: "300" },
  { id: "4.4 terms.accepts[].extra.assetTransferMethod", claim: "permit2" },
  { id: "4.4 terms.accepts[].extra.spender", claim: "address of the contract that may move the tokens" },
  {
    id: "4.4 terms.accepts[].extra.name",
    claim: "USDG",
    beside: "`ticket`: random, of this offer; whoever repeats it gets what it paid for",
  },
  {
    id: "4.4 terms.resource",
    claim: "{ url } of the endpoint",
    beside: "`extensions`: payment-identifier and bazaar",
  },

  { id: "4.4 signed: EIP-712", claim: "a permit signed just as specified settles" },
  {
    id: "4.4 signed: domain",
    claim: "name Permit2, chainId 4663, verifyingContract Permit2: under another nothing settles",
  },
  { id: "4.4 signed: primary type", claim: "PermitWitnessTransferFrom: under another nothing settles" },
  { id: "4.4 signed: permitted", claim: "{ token: asset, amount }: another amount is refused" },
  { id: "4.4 signed: spender", claim: "extra.spender: another is refused" },
  { id: "4.4 signed: nonce", claim: "a random 256-bit number: the greatest serves, a spent one is refused" },
  { id: "4.4 signed: deadline", claim: "seconds, a few minutes ahead: one that is over is refused" },
  { id: "4.4 signed: witness", claim: "{ to: payTo, validAfter: 0 }: a later validAfter is refused" },
  {
    id: "4.4 signed: types",
    claim: "the three types as written: with the fields in another order nothing settles",
  },
  {
    id: "4.4 signed: recipient",
    claim: "the recipient is inside the witness: whoever changes it breaks the signature",
  },

  { id: "4.4 header", claim: "payment-signature is base64 of JSON: the JSON itself is refused" },
  { id: "4.4 header.x402Version", claim: "2, required" },
  { id: "4.4 header.accepted", claim: "the chosen entry of accepts, required" },
  { id: "4.4 header.resource", claim: "{ url }, sent along" },
  { id: "4.4 header.payload.signature", claim: "hex, required" },
  { id: "4.4 header…permitted", claim: "{ token, amount }, required" },
  { id: "4.4 header…from", claim: "the wallet's address, required" },
  { id: "4.4 header…spender", claim: "required" },
  { id: "4.4 header…nonce", claim: "required" },
  { id: "4.4 header…deadline", claim: "required" },
  { id: "4.4 header…witness", claim: "{ to, validAfter }, required" },
  { id: "4.4 header: strings", claim: "numeric values in the authorization are strings" },

  {
    id: "4.4 payment-response",
    claim: "every 200 carries the receipt as base64 JSON in payment-response",
    beside:
      "and 402s after something was sent and failed; `extensions` holds the signed receipt (offer-receipt)",
  },
  { id: "4.4 payment-response.success", claim: "true" },
  { id: "4.4 payment-response.transaction", claim: "the transaction that paid" },
  { id: "4.4 payment-response.network", claim: "eip155:4663" },
  { id: "4.4 payment-response.payer", claim: "the paying wallet" },

  {
    id: "4.4 approval",
    claim: "once, the wallet approves Permit2 for its USDG: without it nothing can be charged",
  },
  {
    id: "4.4 approval: the only transaction",
    claim: "the approval is the only transaction that the wallet sends",
  },
  { id: "4.4 approval: relay", claim: "it may be sent through the RPC relay" },
] as const satisfies readonly Row[];
