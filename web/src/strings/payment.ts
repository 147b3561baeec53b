import type { ProblemCode } from "../payment/problem.ts";

type Words = {
  readonly title: string;
  /** What it means for the payer's money, and what to do. */
  readonly text: string;
  /** The next action. */
  readonly action: string;
};

/** Words of the payment dialog. */
export const payment = {
  unlockTitle: "Unlock the full text",
  unlockLead: "Two payments in USDG: a tenth to the platform, the rest to the owner of the press.",
  priceLabel: "Price",
  split: (fee: string, publisher: string) => `${fee} platform fee + ${publisher} to the publisher`,
  unlock: (price: string) => `Unlock for ${price} USDG`,
  resume: "Go on with your purchase",
  resumeNote: "You have paid the platform fee for this press. It is not charged again.",
  under: "Your payment is under way…",
  show: "Show it",
  readOnlyNote: "Needs a wallet with USDG on Robinhood Chain. You sign twice; the site never sees a key.",
  alreadyBought: "Bought it before? Sign in",
  title: "Unlock this press",
  steps: "Steps of the payment",
  start: "Start",
  total: "In all",
  stepNames: {
    wallet: "Wallet",
    network: "Network",
    funds: "Balance",
    allowance: "Permit2 allowance, once",
    fee: "Platform fee",
    publisher: "Publisher’s share",
    text: "Full text",
  },
  explain: {
    wallet: "The wallet that pays is the one that can read the text again.",
    network: (chain: string) => `Your wallet is asked to switch to ${chain}, or to add it.`,
    funds: "USDG pays for the press. A little ETH is needed once, for the allowance.",
    allowance:
      "Your wallet sends one transaction that lets the Permit2 contract move your USDG. It is for every later press as well, and each payment still takes your signature.",
    fee: "A signature, not a transaction: it lets exactly this amount go to the platform, within five minutes.",
    publisher: "The same for whoever owns the press now.",
    text: "The answer to the second payment carries the text.",
  },
  stepStates: {
    waiting: "To come",
    current: "Your turn",
    busy: "Under way",
    done: "Done",
    failed: "Stopped",
  },
  confirmInWallet: "Confirm in your wallet…",
  checking: "Looking…",
  sending: "Sending the signed payment…",
  pending: "The payment was sent and waits for the chain. You will not be asked to sign again.",
  resending: "No answer yet. The same signed payment is sent again; it can be charged once only.",
  miningApproval: "Waiting for the chain to confirm the allowance…",
  balance: (usdg: string, gas: string) => `${usdg} USDG, ${gas} ETH for gas`,
  allowed: "Allowed",
  to: "to",
  otherWalletHint: (address: string) =>
    `You have paid the fee with ${address}. Connect that wallet, or another one to begin anew.`,
  reviewTitle: "The price is another one",
  review: (was: string, is: string) => `You were shown ${was} USDG; now ${is} USDG is asked for.`,
  agree: (amount: string) => `Sign ${amount} USDG`,
  back: "Not now",
  doneTitle: "Unlocked",
  done: "The text is yours to read on this page, now and after any sign-in with this wallet.",
  read: "Read it",
  receipt: "Download receipt",
  unlockedTitle: "This wallet has unlocked this press before",
  unlocked: "Nothing was charged. Sign in with it to read the text.",
  families: {
    wallet: "Wallet",
    funds: "Network or funds",
    terms: "Price or recipient",
    service: "Service or chain",
  },
  lacking: (has: string, needs: string) => `It has ${has} USDG and needs ${needs} USDG.`,
  closeWhile: "You may close this: the payment goes on, and is shown here again.",
  problems: {
    rejected: {
      title: "You declined in your wallet",
      text: "Nothing was charged. You can go on whenever you like.",
      action: "Ask again",
    },
    busy: {
      title: "Your wallet is busy",
      text: "It is already asking you something. Open it, answer there, then go on here.",
      action: "Go on",
    },
    gone: {
      title: "The wallet is not connected any more",
      text: "Nothing was charged. Connect it again to go on.",
      action: "Connect again",
    },
    walletFailed: {
      title: "The wallet could not do this",
      text: "Nothing was charged.",
      action: "Ask again",
    },
    badSignature: {
      title: "The signature was not accepted",
      text: "It is not one of the paying wallet. Nothing was charged.",
      action: "Sign again",
    },
    otherWallet: {
      title: "Another account is selected in your wallet",
      text: "Nothing was charged. Go on with the account that is selected now, or select the former one first.",
      action: "Go on",
    },
    network: {
      title: "The wallet is on another network",
      text: "It said that it had switched and did not. Change the network in the wallet itself, then go on.",
      action: "Check again",
    },
    insufficient: {
      title: "Not enough USDG",
      text: "Nothing was charged. Send USDG to this wallet on the network above, then check again.",
      action: "Check again",
    },
    noGas: {
      title: "No ETH for gas",
      text: "The allowance is a transaction of your own and takes a little ETH on this network. It is the only one.",
      action: "Check again",
    },
    approvalReverted: {
      title: "The allowance failed on the chain",
      text: "The transaction was reverted. Nothing was paid.",
      action: "Try again",
    },
    approvalSlow: {
      title: "The allowance takes long",
      text: "The chain has not confirmed the transaction. Look in your wallet whether it is still waiting.",
      action: "Check again",
    },
    approvalMissing: {
      title: "Permit2 may not move enough of your USDG",
      text: "Nothing was charged. The allowance is looked at again and asked for if it is missing.",
      action: "Check again",
    },
    tokenRefuses: {
      title: "The token refuses this transfer",
      text: "USDG may be paused, or this wallet frozen. Nothing was charged.",
      action: "Check again",
    },
    changed: {
      title: "Price or recipient has changed",
      text: "What you signed is not what is asked for now. Nothing was charged. You are shown the new terms before you sign.",
      action: "See the new terms",
    },
    expired: {
      title: "The signed payment has expired",
      text: "It was good for five minutes and was not charged.",
      action: "Sign again",
    },
    used: {
      title: "This signature cannot be used again",
      text: "It was presented before. Nothing more was charged.",
      action: "Sign anew",
    },
    strangeTerms: {
      title: "These terms are not signed here",
      text: "The service asks for another token or network than it says it takes. Nothing was signed or charged.",
      action: "Ask again",
    },
    unreachable: {
      title: "The service could not be reached",
      text: "Nothing was charged. Check your connection.",
      action: "Try again",
    },
    chain: {
      title: "The chain gives no answer",
      text: "Your balances cannot be read now. Nothing was charged.",
      action: "Try again",
    },
    unavailable: {
      title: "Payments are unavailable for the moment",
      text: "If you have signed, the same signature is used again: you cannot be charged twice.",
      action: "Try again",
    },
    unanswered: {
      title: "There is no answer yet",
      text: "Your signed payment is safe in this browser. Trying again sends the same one, which can be charged once only.",
      action: "Send it again",
    },
    missing: {
      title: "This press is not for sale",
      text: "No live press has this number. Nothing was charged.",
      action: "Try again",
    },
    refused: {
      title: "The service refused the payment",
      text: "It says why below.",
      action: "Try again",
    },
    notKept: {
      title: "This browser does not let the site remember",
      text: "A payment must survive a reload before it is sent, so nothing was sent. Allow storage for this site, or leave private mode.",
      action: "Try again",
    },
    elsewhere: {
      title: "This payment is open in another tab",
      text: "Go on there, or close that tab and try again here.",
      action: "Try again",
    },
  } satisfies Readonly<Record<ProblemCode, Words>>,
} as const;
