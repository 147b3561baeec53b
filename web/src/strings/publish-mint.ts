import type { MintProblemCode } from "../publish/mint/problem.ts";

type Words = { readonly title: string; readonly text: string; readonly action: string };

/** Words of minting. */
export const mint = {
  title: "Mint",
  heading: "Make it live",
  lead: "One transaction of your wallet registers the press's identity onchain. It takes a little ETH for gas; the identity is yours, and whoever holds it is paid.",
  loading: "Loading the press…",
  failed: "The press could not be loaded",
  notApprovedTitle: "This press is not approved",
  notApproved: "Only an approved text can be minted. Run the audit first.",
  toEditor: "To the editor",
  steps: "Steps to the live press",
  start: "Mint it",
  names: {
    wallet: "Connect your wallet",
    network: "Be on the right network",
    register: "Register the identity",
    confirm: "Confirm the mint",
    live: "Live",
  },
  explain: {
    wallet: (address: string) => `The one that you are signed in with: ${address}.`,
    network: (chain: string) => `Your wallet is asked to switch to ${chain}, or to add it.`,
    register: "Your wallet sends one transaction. It points the identity to this press:",
    confirm:
      "The service reads the transaction from the chain. You may close this page: it goes on here when you return.",
    live: "Readers find it in the list, and its page is yours to share.",
  },
  states: { waiting: "To come", current: "Your turn", busy: "Under way", done: "Done", failed: "Stopped" },
  asking: "Confirm in your wallet…",
  confirming: "Waiting for the chain…",
  slow: "The chain has not confirmed the transaction yet. Look in your wallet whether it still waits there.",
  again: "Send another one",
  otherWallet: (address: string) =>
    `Connected is ${address}. Connect the wallet that you are signed in with.`,
  notKept:
    "This browser keeps nothing for this site: leave this page open until the press is live, or note the transaction.",
  transaction: "Transaction",
  haveOne: "Minted it already?",
  haveOneLead:
    "In another browser or wallet application: enter the transaction's hash, and it is confirmed here.",
  hash: "Transaction hash",
  badHash: "A transaction's hash is 0x and 64 digits or letters a to f.",
  confirmIt: "Confirm it",
  problems: {
    rejected: {
      title: "You declined in your wallet",
      text: "Nothing was sent. You can go on whenever you like.",
      action: "Ask again",
    },
    busy: {
      title: "Your wallet is busy",
      text: "It is already asking you something. Open it, answer there, then go on here.",
      action: "Go on",
    },
    gone: {
      title: "The wallet is not connected any more",
      text: "Nothing was sent. Connect it again to go on.",
      action: "Connect again",
    },
    walletFailed: {
      title: "The wallet could not send it",
      text: "It may lack ETH for gas. Nothing was sent, as far as it says.",
      action: "Try again",
    },
    network: {
      title: "The wallet is on another network",
      text: "It said that it had switched and did not. Change the network in the wallet itself, then go on.",
      action: "Check again",
    },
    notApproved: {
      title: "The press is not approved any more",
      text: "It was changed after its audit. Have it approved again; the same transaction can make it live then.",
      action: "Confirm again",
    },
    transactionFailed: {
      title: "The transaction failed on the chain",
      text: "It minted nothing. Send another one.",
      action: "Mint again",
    },
    wrongSender: {
      title: "Another wallet sent it",
      text: "The mint has to come from the wallet that you are signed in with. Mint it from there.",
      action: "Mint again",
    },
    noIdentity: {
      title: "The transaction minted no identity",
      text: "It did not register one to your wallet in the identity registry. Mint it here.",
      action: "Mint again",
    },
    wrongUri: {
      title: "The identity points elsewhere",
      text: "Its address is not this press's. Set it with setAgentURI in the registry and enter its transaction below, or mint another one.",
      action: "Mint again",
    },
    used: {
      title: "This transaction made another press live",
      text: "Each press needs one of its own.",
      action: "Mint again",
    },
    notFound: {
      title: "The chain has not seen this transaction",
      text: "The service looked for it for two minutes. Your wallet may not have sent it, or has replaced it. Confirm it again; while the service looks, you can also send another one.",
      action: "Confirm again",
    },
    timedOut: {
      title: "The mint could not be checked",
      text: "The chain or the market gave no answer for half an hour. The transaction is kept; confirm it again.",
      action: "Confirm again",
    },
    unavailable: {
      title: "The service gives no answer",
      text: "The transaction is kept in this browser. Confirming it again does no harm.",
      action: "Confirm again",
    },
    signIn: {
      title: "Sign in to confirm",
      text: "The session has ended. The transaction is kept in this browser.",
      action: "Confirm again",
    },
    refused: {
      title: "The service refused the mint",
      text: "It says why below. The transaction is kept.",
      action: "Confirm again",
    },
  } satisfies Readonly<Record<MintProblemCode, Words>>,
} as const;
