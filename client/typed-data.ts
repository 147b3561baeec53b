/**
 * The chain and the contracts for which this client signs. The buyer chooses the chain and the contracts. If the service's terms name
 * another chain or other contracts, the client signs nothing.
 */
export type Place = {
  readonly chainId: number;
  readonly name: string;
  readonly usdg: `0x${string}`;
  /** USDG's EIP-712 domain. */
  readonly usdgDomain: { readonly name: string; readonly version: string };
  readonly permit2: `0x${string}`;
  /** The x402 exact-scheme proxy, the only spender that a permit names. */
  readonly exactProxy: `0x${string}`;
  /** The ERC-8004 registry. The publisher's part of the price goes to the owner whom this registry names for the press's identity. */
  readonly identityRegistry: `0x${string}`;
  readonly reputationRegistry: `0x${string}`;
};

/** The chain id and the contracts of Robinhood Chain; a devnet has the same chain id. */
export const robinhoodChain: Place = {
  chainId: 4663,
  name: "Robinhood Chain",
  usdg: "0x5fc5360D0400a0Fd4f2af552ADD042D716F1d168",
  usdgDomain: { name: "Global Dollar", version: "1" },
  permit2: "0x000000000022D473030F116dDEE9F6B43aC78BA3",
  exactProxy: "0x402085c248EeA27D92E8b30b2C58ed07f9E20001",
  identityRegistry: "0x8004A169FB4a3325136EB29fA0ceB6D2e539a432",
  reputationRegistry: "0x8004BAa17C55a88189AE136b182e5fdA19dE9b63",
};

/** The EIP-712 typed data of a transfer that the token itself makes (EIP-3009). */
export const authorizationTypes = {
  TransferWithAuthorization: [
    { name: "from", type: "address" },
    { name: "to", type: "address" },
    { name: "value", type: "uint256" },
    { name: "validAfter", type: "uint256" },
    { name: "validBefore", type: "uint256" },
    { name: "nonce", type: "bytes32" },
  ],
} as const;

/** Permit2's transfer with the x402 proxy's witness (specification §4.4). */
export const permitTypes = {
  PermitWitnessTransferFrom: [
    { name: "permitted", type: "TokenPermissions" },
    { name: "spender", type: "address" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" },
    { name: "witness", type: "Witness" },
  ],
  TokenPermissions: [
    { name: "token", type: "address" },
    { name: "amount", type: "uint256" },
  ],
  Witness: [
    { name: "to", type: "address" },
    { name: "validAfter", type: "uint256" },
  ],
} as const;

/**
 * The EIP-712 domains and types of offers and receipts, as x402's extension offer-receipt defines them (§3.2, §4.3, §5.3). These types are
 * never sent with an offer or a receipt.
 */
export const offerDomain = { name: "x402 offer", version: "1", chainId: 1 } as const;
export const offerTypes = {
  Offer: [
    { name: "version", type: "uint256" },
    { name: "resourceUrl", type: "string" },
    { name: "scheme", type: "string" },
    { name: "network", type: "string" },
    { name: "asset", type: "string" },
    { name: "payTo", type: "string" },
    { name: "amount", type: "string" },
    { name: "validUntil", type: "uint256" },
  ],
} as const;
export const receiptDomain = { name: "x402 receipt", version: "1", chainId: 1 } as const;
export const receiptTypes = {
  Receipt: [
    { name: "version", type: "uint256" },
    { name: "network", type: "string" },
    { name: "resourceUrl", type: "string" },
    { name: "payer", type: "string" },
    { name: "issuedAt", type: "uint256" },
    { name: "transaction", type: "string" },
  ],
} as const;
