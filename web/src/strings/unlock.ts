/** Texts of the card that sells a press's text, and of the time before the payment dialog is loaded. */
export const unlock = {
  unlockTitle: "Unlock the full text",
  unlockLead: "Pay once in USDG. Read it whenever you sign in with the same wallet.",
  priceLabel: "Price",
  priceSince: "Price since",
  offSaleTitle: "Off sale",
  offSale: "This article cannot be unlocked now. If you have paid for it, sign in with the same wallet.",
  split: (fee: string, publisher: string) => `${publisher} to the author, ${fee} platform fee`,
  unlock: (price: string) => `Unlock for ${price}`,
  resume: (left: string) => `Pay the remaining ${left}`,
  half: ({ fee, publisher }: { readonly fee: string; readonly publisher: string }) =>
    `You paid the platform fee of ${fee}. It is kept for this article and is not charged again. Pay the remaining ${publisher} to the author with one signature.`,
  halfTitle: "Half paid",
  under: "Your payment is in progress…",
  dialogFailed: "The payment could not be loaded. Check your connection, then load the page again.",
  readOnlyNote: "Your wallet signs twice. It needs USDG on Robinhood Chain, but no ETH.",
  alreadyBought: "Already bought it? Sign in",
  leftToPay: "Left to pay",
  retry: "Load the page again",
  close: "Close",
} as const;
