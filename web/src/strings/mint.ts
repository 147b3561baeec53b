import { feePercent } from "../../../core/press/schema.ts";

/** The texts about a problem. If `action` is missing, the button offers another try. */
type ProblemWords = { readonly title: string; readonly text: string; readonly action?: string };

/** Texts about the mint. */
export const mint = {
  title: "Mint",
  heading: "Make it live",
  lead: "Your wallet sends one transaction, which registers the article’s identity onchain. Readers pay the wallet that holds the identity, which is yours.",
  notApprovedTitle: "This article is not approved",
  notApproved: "Only an approved text can be minted. Run the audit first.",
  toEditor: "To the editor",
  termsTitle: "Before you mint",
  final: "The text is final. Later you can add corrections, change the price, and take the article off sale.",
  carries: (carrying: string) =>
    `From ${carrying} USDG on, the platform’s ${feePercent}% pays for the gas of a read, at the current gas cost.`,
  below: (price: string, carrying: string) =>
    `At ${price} USDG the platform’s ${feePercent}% does not pay for the gas of a read now: the price must be at least ${carrying} USDG. After a few reads a day, nobody can buy the article before tomorrow. Set a higher price first, or mint anyway.`,
  noFee: "The platform charges nothing for the mint. Your wallet pays the gas in ETH.",
  gas: (most: string, has: string) =>
    `Gas costs at most about ${most} ETH at the moment, and your wallet has ${has} ETH.`,
  gasShown: "Your wallet shows the exact amount before you sign.",
  lacksGas: (missing: string, chain: string) =>
    `Your wallet lacks about ${missing} ETH for the gas. Send it to this address, on ${chain}:`,
  steps: "Steps to the live article",
  start: "Mint it",
  names: {
    wallet: "Connect your wallet",
    network: "Switch to the right network",
    register: "Register the identity",
    confirm: "Confirm the mint",
    live: "Live",
  },
  explain: {
    wallet: (address: string) => `Use the wallet that you are signed in with: ${address}.`,
    network: (chain: string) => `Your wallet switches to ${chain}, or adds it.`,
    register: "Your wallet sends one transaction, which links the identity to this article:",
    confirm: "We look for the transaction on the chain. You can close this page and return later.",
    live: "Readers find it in the list. You can share the article’s page.",
  },
  asking: "Confirm in your wallet…",
  confirming: "Waiting for the chain…",
  slow: "The chain has not confirmed the transaction yet. Check whether the transaction is still waiting in your wallet.",
  again: "Send another transaction",
  otherWallet: (address: string) =>
    `The connected wallet is ${address}. Connect the wallet that you are signed in with.`,
  notKept:
    "This browser keeps no data for this site. Leave this page open until the article is live, or note the transaction.",
  transaction: "Transaction",
  haveOne: "Minted it already?",
  haveOneLead:
    "If you minted the article in another browser or wallet app, enter the transaction’s hash to confirm the mint here.",
  hash: "Transaction hash",
  badHash: "A transaction hash is 0x followed by 64 digits or letters a to f.",
  confirmIt: "Confirm it",
} as const;

const texts = {
  rejected: {
    title: "You declined in your wallet",
    text: "Nothing was sent. You can continue at any time.",
    action: "Ask again",
  },
  busy: {
    title: "Your wallet is busy",
    text: "The wallet has another request open. Answer the open request in the wallet, then continue here.",
    action: "Continue",
  },
  gone: {
    title: "The wallet is no longer connected",
    text: "Nothing was sent. Connect the wallet again to continue.",
    action: "Connect again",
  },
  walletFailed: {
    title: "The wallet could not send the transaction",
    text: "The wallet reported an error. Before you try again, check that your wallet has not sent the transaction.",
  },
  ether: {
    title: "Your wallet has too little ETH",
    text: "The mint is a transaction, and the network takes a fee for it.",
  },
  passkey: {
    title: "Your purse did not send the transaction",
    text: "Nothing was sent. You can continue at any time.",
    action: "Ask again",
  },
  network: {
    title: "The wallet is on another network",
    text: "The wallet did not switch to the right network. Change the network in your wallet, then check again.",
    action: "Check again",
  },
  notApproved: {
    title: "The article is no longer approved",
    text: "The article was changed after its audit. Run the audit again. After a new approval, the same transaction can make the article live.",
    action: "Confirm again",
  },
  transactionFailed: {
    title: "The transaction failed on the chain",
    text: "Nothing was minted. Only gas was spent. Send another transaction.",
    action: "Mint again",
  },
  wrongSender: {
    title: "Another wallet sent the transaction",
    text: "Only the wallet that you are signed in with can mint this article. Mint the article with the signed-in wallet.",
    action: "Mint again",
  },
  noIdentity: {
    title: "The transaction minted no identity",
    text: "The transaction registered no identity for your wallet. Mint the article here.",
    action: "Mint again",
  },
  wrongUri: {
    title: "The identity’s link is wrong",
    text: "The identity does not link to this article. Mint another identity. Or link the identity to this article with setAgentURI in the registry, and enter the hash of that transaction below.",
    action: "Mint again",
  },
  used: {
    title: "This transaction made another article live",
    text: "Each article needs its own transaction. Mint this article too.",
    action: "Mint again",
  },
  notFound: {
    title: "The chain has not seen this transaction",
    text: "We looked for the transaction for two minutes. Your wallet may not have sent the transaction, or has replaced it. Confirm the transaction again, or send another one.",
    action: "Confirm again",
  },
  timedOut: {
    title: "The mint could not be checked",
    text: "The chain did not answer for half an hour. The transaction is kept. Confirm it again.",
    action: "Confirm again",
  },
  unavailable: {
    title: "The service does not answer",
    text: "The transaction is kept in this browser. Confirm the transaction again in a moment.",
    action: "Confirm again",
  },
  signIn: {
    title: "Sign in to confirm",
    text: "Your session has ended or can only read.",
    action: "Confirm again",
  },
  refused: {
    title: "The service refused the mint",
    text: "The reason is below. The transaction is kept.",
    action: "Confirm again",
  },
} satisfies Readonly<Record<string, ProblemWords>>;
export type MintProblemCode = keyof typeof texts;

/** The reasons why a mint stops. */
export const problems: Readonly<Record<MintProblemCode, ProblemWords>> = texts;
