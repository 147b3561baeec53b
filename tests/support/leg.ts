/** Makes the fields that the record of a payment has in every state, for a press that costs 0.25 USDG. */
export function makeLegFields(wallet: string, pressId: number) {
  const terms = { method: "eip3009", chainId: 4663, token: wallet, spender: wallet, payTo: wallet } as const;
  const times = { nonce: "1", validAfter: "0", deadline: "1", signature: "0x", block: 1 } as const;
  const press = { id: pressId, slug: "a-press", headline: "A press", stock: "AAPL", priceUnits: "250000" };
  const signed = { ...terms, ...times, amount: "25000" };
  return { wallet, pressId, ...press, signed, claim: "a", claimUntil: 0, changedAt: 0 };
}
