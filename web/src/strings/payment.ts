import type { ProblemCode } from "../payment/problem.ts";

type Words = {
  readonly title: string;
  /** What happened and what to do. What it means for the money is said by `money`. */
  readonly text: string;
  /** The next action. */
  readonly action: string;
};

/** Amounts in dollars. */
type Amounts = { readonly fee: string; readonly publisher: string; readonly total: string };

const once = "It can be charged only once.";
const nothing = "Nothing was charged.";

/** Words of the payment dialog. */
export const payment = {
  title: "Unlock this press",
  steps: "Steps of the payment",

  pay: "You pay",
  leftToPay: "Left to pay",
  inUsdg: (usdg: string) => `${usdg} USDG. One USDG is one dollar.`,
  toPublisher: "To the publisher",
  toPlatform: "Platform fee, 10 %",
  paidAlready: "paid",
  from: "From",
  has: (usdg: string) => `has ${usdg}`,

  chooseTitle: "Choose the wallet that pays",
  chooseNote:
    "The same wallet opens the text again later. Before it is asked to sign, you see what it will be asked.",
  prompts: (count: number) =>
    count === 1 ? "Your wallet will ask you once:" : `Your wallet will ask you ${count} times:`,
  prompt: {
    network: (chain: string) => ({
      title: `Switch to ${chain}`,
      text: "Or add it, if your wallet does not know it. This moves no money.",
    }),
    approval: (amount: string | undefined, gas: string | undefined) => ({
      title: amount === undefined ? "Approve Permit2 for any amount" : `Approve Permit2 for ${amount}`,
      text: `A transaction of your own. It lets the Permit2 contract move ${amount === undefined ? "any amount" : `exactly ${amount}`} of your USDG, and only with your signature.${gas === undefined ? "" : ` The gas costs about ${gas} ETH.`}`,
    }),
    publisher: (amount: string) => ({
      title: `Sign ${amount} for the publisher`,
      text: "A signature, not a transaction. It lets exactly this amount go to the owner of the press, within five minutes.",
    }),
    fee: (amount: string) => ({
      title: `Sign ${amount} for the platform`,
      text: "The same, for the fee.",
    }),
  },
  bothFirst: "Nothing is charged before you have signed both.",
  feeKept: (fee: string) => `The fee of ${fee} is paid. It is kept for this press and is not charged again.`,
  noGas: "You need no approval and no ETH: the platform pays the gas.",
  payNow: (amount: string) => `Pay ${amount}`,
  ways: "How to pay",
  wayNames: { eip3009: "USDG’s own signature", permit2: "Permit2" },
  wayNotes: {
    eip3009: "USDG moves by your signature alone. No approval, no ETH.",
    permit2: "By the Permit2 contract, which your wallet approves once for USDG.",
  },
  contractNote:
    "This wallet is a contract. USDG takes signatures of such wallets through Permit2, so that is chosen here.",
  approvedNote: (amount: string) =>
    `This wallet has approved Permit2 for ${amount}: no new approval is needed.`,
  unlimited: "any amount",
  approvalChoice: "How much Permit2 may move",
  approvals: {
    exact: (amount: string) => `Exactly ${amount}`,
    unlimited: "Unlimited",
  },
  approvalNotes: {
    exact: "Later presses take an approval each.",
    unlimited: "Later presses take no approval. Each payment still takes your signature.",
  },

  stepNames: {
    network: "Network",
    approval: "Approval",
    sign: "Your signatures",
    fee: "Platform fee",
    publisher: "Publisher’s share",
  },
  signing: (which: "publisher" | "fee", amount: string) =>
    which === "publisher" ? `Sign ${amount} for the publisher.` : `Sign ${amount} for the platform.`,
  stepStates: {
    waiting: "To come",
    current: "Your turn",
    busy: "Under way",
    done: "Done",
    failed: "Stopped",
  },
  doing: {
    opening: "Looking for your wallet…",
    funds: "Reading your balance…",
    wallet: "Confirm in your wallet…",
    approving: "Waiting for the chain to confirm the approval…",
    terms: "Asking for the price…",
    presenting: "Checking what is paid already…",
    sending: "Sending the signed payment…",
    pending: "The payment was sent and waits for the chain. You are not asked to sign again.",
    resending: "No answer yet. The same signed payment is sent again. It can be charged only once.",
  },
  to: "to",
  otherWalletHint: (address: string) =>
    `You have paid the fee with ${address}. Connect that wallet to pay only the rest. Another wallet begins anew.`,
  reviewTitle: "The price has changed",
  review: (was: string, is: string) => `You were shown ${was}. Now ${is} is asked for.`,
  agree: (amount: string) => `Sign ${amount}`,
  back: "Not now",
  doneTitle: "Unlocked",
  done: "The text is yours to read here, now and whenever you sign in with this wallet.",
  read: "Read it",
  receipt: "See the receipt",
  unlockedTitle: "This wallet has unlocked this press before",
  unlocked: "Nothing was charged now. Sign in with it to read the text.",
  elsewhereTitle: "This payment is open in another tab",
  elsewhere:
    "Go on there: your wallet answers that tab. This one shows the same, and takes over if you close it.",
  offlineNow: "You are offline. This goes on by itself when the connection is back.",
  families: {
    wallet: "Wallet",
    funds: "Network or funds",
    terms: "Price or recipient",
    service: "Service or chain",
  },
  says: (text: string) => `The answer was: ${text}`,
  closeWhile: "You may close this: the payment goes on, and is shown here again.",

  lacking: (has: string, needs: string, missing: string) =>
    `This wallet has ${has} in USDG and needs ${needs}: ${missing} is missing.`,
  lackingGas: (gas: string) => ` Its approval also needs about ${gas} ETH for gas.`,
  fundTitle: "Send USDG to this wallet",
  fundAddress: "Address of your wallet",
  fundCode: "QR code of your wallet’s address",
  fundHow: (chain: string) => `How to get USDG on ${chain}`,
  fundWays: (chain: string) => [
    `From an exchange or a wallet that holds USDG: send it to the address above and choose the network ${chain}. On another network it does not arrive here.`,
    `From another token on ${chain}: swap it for USDG in your wallet. Check the token’s address, because names are copied.`,
    `From another network: bridge it to ${chain} first.`,
  ],
  fundToken: "Address of USDG",
  fundDevnet: "This site runs on a local chain. Choose one of the devnet wallets, which have USDG.",
  networkBy: "If your wallet cannot switch by itself, add the network there by hand:",
  networkFields: { name: "Network", id: "Chain id", rpc: "RPC URL", symbol: "Currency" },

  /** What became of the money, by what became of the fee (first) and of the publisher’s share. */
  money: {
    none: {
      none: () => nothing,
      ready: () =>
        `${nothing} What you signed for the publisher moves nothing without the fee, and ends within five minutes.`,
      signed: ({ publisher }: Amounts) =>
        `You signed ${publisher} for the publisher. It is not known yet whether it was charged. ${once}`,
      paid: ({ publisher }: Amounts) => `You paid ${publisher} to the publisher. The text is yours.`,
    },
    ready: {
      none: () => nothing,
      ready: () => nothing,
      signed: ({ publisher }: Amounts) =>
        `You signed ${publisher} for the publisher. It is not known yet whether it was charged. ${once}`,
      paid: ({ publisher }: Amounts) => `You paid ${publisher} to the publisher. The text is yours.`,
    },
    signed: {
      none: ({ fee, publisher }: Amounts) =>
        `You signed the platform fee of ${fee}. It is not known yet whether it was charged. ${once} The publisher’s ${publisher} was not charged.`,
      ready: ({ fee, publisher }: Amounts) =>
        `You signed the platform fee of ${fee}. It is not known yet whether it was charged. ${once} The publisher’s ${publisher} was not charged.`,
      signed: ({ total }: Amounts) =>
        `You signed ${total} in two payments. It is not known yet whether they were charged. Each can be charged only once.`,
      paid: ({ fee, publisher }: Amounts) =>
        `You paid ${publisher} to the publisher. It is not known yet whether the fee of ${fee} was charged. ${once}`,
    },
    paid: {
      none: ({ fee, publisher }: Amounts) =>
        `You paid the platform fee of ${fee}. It is kept for this press and is not charged again. The publisher’s ${publisher} was not charged: it remains, and takes one signature.`,
      ready: ({ fee, publisher }: Amounts) =>
        `You paid the platform fee of ${fee}. It is kept for this press and is not charged again. The publisher’s ${publisher} is signed and not charged yet.`,
      signed: ({ fee, publisher }: Amounts) =>
        `You paid the platform fee of ${fee}. It is kept for this press and is not charged again. You signed ${publisher} for the publisher; it is not known yet whether it was charged. ${once}`,
      paid: ({ fee, publisher, total }: Amounts) =>
        `You paid ${total}: ${publisher} to the publisher and ${fee} to the platform.`,
    },
  } satisfies Readonly<
    Record<
      "none" | "ready" | "signed" | "paid",
      Readonly<Record<"none" | "ready" | "signed" | "paid", (amounts: Amounts) => string>>
    >
  >,
  problems: {
    rejected: {
      title: "You declined in your wallet",
      text: "You can go on whenever you like.",
      action: "Ask again",
    },
    busy: {
      title: "Your wallet is busy",
      text: "It is already asking you something. Open it, answer there, then go on here.",
      action: "Go on",
    },
    gone: {
      title: "The wallet is not connected any more",
      text: "Connect it again to go on.",
      action: "Connect again",
    },
    walletFailed: {
      title: "The wallet could not do this",
      text: "Look in your wallet for the reason, then try again.",
      action: "Ask again",
    },
    badSignature: {
      title: "The signature was not accepted",
      text: "It is not one of the paying wallet.",
      action: "Sign again",
    },
    otherWallet: {
      title: "Another account is selected in your wallet",
      text: "Go on with the account that is selected now, or select the former one first.",
      action: "Go on",
    },
    network: {
      title: "The wallet is on another network",
      text: "It said that it had switched and did not. Change the network in the wallet itself, then go on.",
      action: "Check again",
    },
    insufficient: {
      title: "Not enough USDG",
      text: "Send USDG to this wallet, then check again.",
      action: "Check again",
    },
    noGas: {
      title: "Not enough ETH for the approval",
      text: "The approval is a transaction of your own and takes a little ETH on this network. USDG’s own signature takes none.",
      action: "Choose another way",
    },
    approvalReverted: {
      title: "The approval failed on the chain",
      text: "The transaction was reverted.",
      action: "Try again",
    },
    approvalSlow: {
      title: "The approval takes long",
      text: "The chain has not confirmed the transaction. Look in your wallet whether it is still waiting.",
      action: "Check again",
    },
    approvalMissing: {
      title: "Permit2 may not move enough of your USDG",
      text: "The approval is looked at again, and asked for if it is missing.",
      action: "Check again",
    },
    tokenRefuses: {
      title: "USDG refuses this transfer",
      text: "USDG may be paused, or this wallet frozen.",
      action: "Check again",
    },
    changed: {
      title: "Price or recipient has changed",
      text: "What you signed is not what is asked for now. You are shown the new terms before you sign.",
      action: "See the new terms",
    },
    expired: {
      title: "The signed payment has expired",
      text: "A signature is good for five minutes.",
      action: "Sign again",
    },
    late: {
      title: "Your first signature has expired",
      text: "Five minutes have passed between the two, so neither was used.",
      action: "Sign again",
    },
    used: {
      title: "This signature cannot be used again",
      text: "It was presented before.",
      action: "Sign anew",
    },
    strangeTerms: {
      title: "These terms are not signed here",
      text: "The service asks for another token or network than it says it takes. Nothing was signed.",
      action: "Ask again",
    },
    offline: {
      title: "You are offline",
      text: "This goes on by itself when the connection is back.",
      action: "Try again",
    },
    unreachable: {
      title: "The service could not be reached",
      text: "Check your connection.",
      action: "Try again",
    },
    chain: {
      title: "The chain gives no answer",
      text: "Your balances cannot be read now.",
      action: "Try again",
    },
    unavailable: {
      title: "Payments are unavailable for the moment",
      text: "Trying again uses the same signature.",
      action: "Try again",
    },
    unanswered: {
      title: "There is no answer yet",
      text: "Your signed payment is safe in this browser. Trying again sends the same one.",
      action: "Send it again",
    },
    missing: {
      title: "This press is not for sale",
      text: "No live press has this number.",
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
  } satisfies Readonly<Record<ProblemCode, Words>>,
} as const;
