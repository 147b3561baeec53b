import { feePercent } from "../../../core/press/schema.ts";
import { common } from "./common.ts";

type ProblemWords = {
  readonly title: string;
  /**
   * The text in which the page names the problem and the next step. If `money` is set, the page adds a sentence about the reader's money.
   */
  readonly text: string;
  /** The text of the button, if the button does not say “Try again”. */
  readonly action?: string;
};

/** Amounts in dollars. */
type PriceParts = { readonly fee: string; readonly publisher: string; readonly total: string };

const once = "It can be charged only once.";
const nothing = "Nothing was charged.";

/** Texts of the payment dialog. */
export const payment = {
  title: "Unlock this article",
  steps: "Steps of the payment",

  pay: "You pay",
  leftToPay: "Left to pay",
  inUsdg: (usdg: string) => `${usdg} USDG. One USDG is one dollar.`,
  toPublisher: "To the author",
  toPlatform: `Platform fee, ${feePercent}%`,
  paidAlready: "paid",
  from: "From",
  has: (usdg: string) => `has ${usdg}`,
  changeWallet: "Change",
  changeWalletOf: " the wallet that pays",
  declinedNetwork: (chain: string) => ({
    title: `You declined the network ${chain}`,
    text: `USDG is paid on ${chain}. Switch to this network in your wallet, or let this page ask again.`,
  }),

  chooseTitle: "Choose the wallet that pays",
  chooseNote:
    "Use this wallet to open the text again later. You review the payment before you sign anything.",
  pursePrompts: "You confirm once with your passkey:",
  purseSigning: "Confirm on your device…",
  prompts: (count: number) =>
    count === 1 ? "Your wallet will ask you once:" : `Your wallet will ask you ${count} times:`,
  prompt: {
    network: (chain: string) => ({
      title: `Switch to ${chain}`,
      text: "If your wallet does not know the network, the wallet offers to add it. This moves no money.",
    }),
    approval: (amount: string | undefined, gas: string | undefined) => ({
      title: amount === undefined ? "Approve Permit2 for any amount" : `Approve Permit2 for ${amount}`,
      text: `Your wallet sends a transaction. It lets the Permit2 contract move ${amount === undefined ? "any amount" : `exactly ${amount}`} of your USDG, and only with your signature.${gas === undefined ? "" : ` The gas costs about ${gas} ETH.`}`,
    }),
    publisher: (amount: string) => ({
      title: `Sign ${amount} for the author`,
      text: "This is a signature, not a transaction. The signature allows exactly this amount to the author’s wallet, and expires after five minutes.",
    }),
    fee: (amount: string) => ({
      title: `Sign ${amount} for the platform`,
      text: "This is a second signature, for the platform fee.",
    }),
  },
  bothFirst: "You are charged only after you have signed both parts.",
  feeKept: (fee: string) =>
    `The fee of ${fee} is paid. The fee is kept for this article and is not charged again.`,
  noGas: "You need no approval and no ETH: the platform pays the gas.",
  payNow: (amount: string) => `Pay ${amount}`,
  ways: "How to pay",
  wayNames: { eip3009: "USDG’s own signature", permit2: "Permit2" },
  wayNotes: {
    eip3009: "You only sign. You need no approval and no ETH.",
    permit2: "The Permit2 contract moves your USDG. Your wallet must first approve this contract.",
  },
  contractNote: "This wallet is a smart contract. The wallet pays through Permit2.",
  approvedNote: (amount: string) =>
    `This wallet has approved Permit2 for ${amount}. You need no new approval.`,
  unlimited: "any amount",
  approvalChoice: "How much Permit2 may move",
  approvals: {
    exact: (amount: string) => `Exactly ${amount}`,
    unlimited: "Unlimited",
  },
  approvalNotes: {
    exact: "Each later article needs a new approval.",
    unlimited: "Later articles need no approval. Each payment still needs your signature.",
  },

  stepNames: {
    network: "Network",
    approval: "Approval",
    sign: "Your signatures",
    fee: "Platform fee",
    publisher: "Author’s share",
  },
  signing: (which: "publisher" | "fee", amount: string) =>
    which === "publisher" ? `Sign ${amount} for the author.` : `Sign ${amount} for the platform.`,
  signingBoth: (publisher: string, fee: string) =>
    `Sign ${publisher} for the author and ${fee} for the platform.`,
  doing: {
    opening: "Looking for your wallet…",
    funds: "Reading your balance…",
    wallet: "Confirm in your wallet…",
    approving: "Waiting for the chain to confirm the approval…",
    terms: "Asking for the price…",
    presenting: "Checking earlier payments…",
    sending: "Sending the signed payment…",
    pending: "Your payment was sent. The chain has not confirmed the payment yet. You need not sign again.",
    resending: "No answer yet. We are sending the same signed payment again. It can be charged only once.",
  },
  to: "to",
  otherWalletHint: (address: string) =>
    `You paid the fee with ${address}. Connect the wallet that paid the fee, and pay only the rest. Another wallet pays the full price.`,
  reviewTitle: "The price has changed",
  review: (was: string, is: string) => `The price was ${was}. It is now ${is}.`,
  agree: (amount: string) => `Sign ${amount}`,
  back: "Not now",
  doneTitle: "Unlocked",
  done: "You can read the text now, and again whenever you sign in with this wallet.",
  read: "Read it",
  receipt: "See the receipt",
  unlockedTitle: "You have already unlocked this article",
  unlocked: "You were not charged again. Sign in with this wallet to read the text.",
  elsewhereTitle: "This payment is open in another tab",
  elsewhere: "Continue in that tab. If you close that tab, you can continue here.",
  offlineNow: "You are offline. The payment continues when you are back online.",
  says: (text: string) => `Details: ${text}`,
  closeWhile:
    "You can close this dialog. The payment continues, and this page shows the payment’s state when you return.",

  sameSignature: "The same signature is used.",
  lacking: (has: string, needs: string, missing: string) =>
    `This wallet has ${has} in USDG. The payment needs ${needs}, which is ${missing} more.`,
  lackingGas: (gas: string) => ` The approval also needs about ${gas} ETH for gas.`,
  fundTitle: "Send USDG to this wallet",
  fundHow: (chain: string) => `How to get USDG on ${chain}`,
  fundWays: (chain: string) => [
    `From an exchange or another wallet: send USDG to the address above, on the network ${chain}. USDG sent on another network does not arrive.`,
    `From another token on ${chain}: swap it for USDG in your wallet. Check the token’s address below, because other tokens may use the same name.`,
    `From another network: bridge your USDG to ${chain}.`,
  ],
  fundDevnet: "This site runs on a local chain. Choose one of the devnet wallets, which have USDG.",
  networkBy: "If your wallet cannot switch, add the network in the wallet:",
  networkFields: { name: "Network", id: "Chain id", rpc: "RPC URL", symbol: "Currency" },
} as const;

const describePaid = ({ publisher }: PriceParts) => `You paid ${publisher} to the author. The text is yours.`;
const describeSignedRest = ({ publisher }: PriceParts) =>
  `You signed ${publisher} for the author. We do not know yet whether it was charged. ${once}`;
const describeSignedFee = ({ fee, publisher }: PriceParts) =>
  `You signed the platform fee of ${fee}. We do not know yet whether it was charged. ${once} The author’s ${publisher} was not charged.`;
const describeKeptFee = (fee: string) =>
  `You paid the platform fee of ${fee}. The fee is kept for this article and is not charged again.`;

type LegState = "none" | "ready" | "signed" | "paid";

/** The sentences about the reader's money: the first key is the state of the fee, and the second key is the state of the publisher leg. */
export const money: Readonly<Record<LegState, Readonly<Record<LegState, (amounts: PriceParts) => string>>>> =
  {
    none: {
      none: () => nothing,
      ready: () =>
        `${nothing} Your signature for the author is not used without the fee. It expires within five minutes.`,
      signed: describeSignedRest,
      paid: describePaid,
    },
    ready: { none: () => nothing, ready: () => nothing, signed: describeSignedRest, paid: describePaid },
    signed: {
      none: describeSignedFee,
      ready: describeSignedFee,
      signed: ({ total }) =>
        `You signed ${total} in two payments. We do not know yet whether the payments were charged. Each payment can be charged only once.`,
      paid: ({ fee, publisher }) =>
        `You paid ${publisher} to the author. We do not know yet whether the fee of ${fee} was charged. ${once}`,
    },
    paid: {
      none: ({ fee, publisher }) =>
        `${describeKeptFee(fee)} The author’s ${publisher} was not charged. You can still pay it with one signature.`,
      ready: ({ fee, publisher }) =>
        `${describeKeptFee(fee)} You signed the author’s ${publisher}; it is not charged yet.`,
      signed: ({ fee, publisher }) =>
        `${describeKeptFee(fee)} You signed ${publisher} for the author; we do not know yet whether it was charged. ${once}`,
      paid: ({ fee, publisher, total }) =>
        `You paid ${total}: ${publisher} to the author and ${fee} to the platform.`,
    },
  };

/** Problems that occur if a wallet is missing or refuses a request. */
const walletProblems = {
  rejected: {
    title: "You declined in your wallet",
    text: "You can continue at any time.",
    action: "Ask again",
  },
  busy: {
    title: "Your wallet is busy",
    text: "The wallet has another request open. Answer the open request in the wallet, then continue here.",
    action: "Continue",
  },
  gone: {
    title: "Your wallet is no longer connected",
    text: "Connect the wallet again to continue.",
    action: "Connect again",
  },
  walletFailed: {
    title: "Your wallet reported an error",
    text: "Look in your wallet for the reason, then try again.",
    action: "Ask again",
  },
  passkey: {
    title: "Your purse did not sign",
    text: "You can continue at any time.",
    action: "Ask again",
  },
  badSignature: {
    title: "The signature was not accepted",
    text: "The service could not confirm that the paying wallet has signed. Sign again with that wallet. If the wallet has several owners, all owners must sign first.",
    action: "Sign again",
  },
  otherWallet: {
    title: "Another account is selected in your wallet",
    text: "Continue with this account, or select the earlier account in your wallet first.",
    action: "Continue",
  },
} satisfies Readonly<Record<string, ProblemWords>>;

/** Problems that occur if a wallet is on another chain or lacks money. */
const fundProblems = {
  network: {
    title: "Your wallet is on another network",
    text: "Change the network in your wallet, then check again.",
    action: "Check again",
  },
  insufficient: {
    title: "Not enough USDG",
    text: "Send USDG to this wallet, then check again.",
    action: "Check again",
  },
  noGas: {
    title: "Not enough ETH for the approval",
    text: "The approval is a transaction, and your wallet pays its gas in ETH. Paying with USDG’s own signature needs no ETH.",
    action: "Choose another way",
  },
  approvalReverted: {
    title: "The approval failed on the chain",
    text: "The approval had no effect. Only the approval’s gas was spent. Try again.",
  },
  approvalMissing: {
    title: "Permit2 is not approved for this amount",
    text: "Check again. If the approval is missing, your wallet asks you for it.",
    action: "Check again",
  },
  tokenRefuses: {
    title: "USDG refuses this transfer",
    text: "USDG may be paused, or its issuer has frozen this wallet. Try later, or pay with another wallet.",
    action: "Check again",
  },
} satisfies Readonly<Record<string, ProblemWords>>;

/** Problems that occur if the terms differ from the agreed terms. */
const termProblems = {
  changed: {
    title: "The price or the recipient has changed",
    text: "Your signature is for the old terms. Review the new terms before you sign again.",
    action: "See the new terms",
  },
  expired: {
    title: "The signed payment has expired",
    text: "A signature expires after five minutes. Sign again to continue.",
    action: "Sign again",
  },
  late: {
    title: "Your first signature has expired",
    text: "More than five minutes passed before the second signature. Neither signature was used. Sign again to continue.",
    action: "Sign again",
  },
  used: {
    title: "This signature cannot be used again",
    text: "The signature was used before. Sign again to continue.",
    action: "Sign again",
  },
  strangeTerms: {
    title: "This payment request looks wrong",
    text: "The token or the network in the request differs from the service’s own document. You were not asked to sign. Try again later.",
    action: "Ask again",
  },
} satisfies Readonly<Record<string, ProblemWords>>;

/** Problems that the service, the chain or this browser causes. */
const serviceProblems = {
  approvalSlow: {
    title: "The approval is not confirmed yet",
    text: "The chain has not confirmed the transaction. Check in your wallet whether the transaction is still pending.",
    action: "Check again",
  },
  offline: {
    title: "You are offline",
    text: "The payment continues when you are back online.",
  },
  unreachable: {
    title: "The service could not be reached",
    text: "Check your connection, then try again.",
  },
  broken: { title: common.brokenTitle, text: common.broken, action: common.reload },
  chain: {
    title: "The chain does not answer",
    text: "We cannot read your balance. Try again in a moment.",
  },
  unavailable: {
    title: "Payments are unavailable at the moment",
    text: "Try again in a moment.",
  },
  unanswered: {
    title: "No answer yet",
    text: "Your signed payment is kept in this browser. The button sends the same payment again.",
    action: "Send it again",
  },
  missing: {
    title: "This article is not for sale",
    text: "There is no live article with this number. Choose another article in the list.",
    action: "Show all articles",
  },
  refused: {
    title: "The service refused the payment",
    text: "The reason is below.",
  },
  notKept: {
    title: "This browser keeps no data for this site",
    text: "A payment is sent only if this browser can store the payment, so nothing was sent. Allow storage for this site, or leave private mode.",
  },
} satisfies Readonly<Record<string, ProblemWords>>;

const texts = { ...walletProblems, ...fundProblems, ...termProblems, ...serviceProblems };
export type ProblemCode = keyof typeof texts;

/** The reasons why a payment stops. */
export const problems: Readonly<Record<ProblemCode, ProblemWords>> = texts;

/** The kind of a problem. The page shows the problem's kind above the problem's title. */
export function nameProblemKind(code: ProblemCode): string {
  if (code in walletProblems) return "Wallet";
  if (code in fundProblems) return "Network or funds";
  return code in termProblems ? "Payment terms" : "Service or chain";
}
