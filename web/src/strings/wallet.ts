/** The name of a purse in the list of wallets. */
export const purseName = "Passkey purse";

/** The passkey's name in the keychain. The name helps people to distinguish a second passkey from the first one. */
export function namePasskey(createdAt: Date): string {
  return `Purse, made on ${createdAt.toISOString().slice(0, 16).replace("T", " at ")} UTC`;
}

const nothing = "Nothing was signed and nothing was charged.";

/** Texts that say why a purse refused to sign. */
export const problems = {
  cancelled: `Your passkey was not used. The prompt was cancelled, it took too long, or there is no passkey for this site here. ${nothing}`,
  noSecret:
    "This passkey cannot open a purse: your browser or password manager lacks a function named PRF. No purse was made. Update your system, try another browser, or use a wallet.",
  unsteady:
    "This passkey gave two different answers, so it cannot open a purse safely. No purse was made. Try another browser, or use a wallet.",
  other: `The passkey that answered does not belong to this purse. ${nothing} Choose the passkey that you opened this purse with.`,
  gone: `No purse is open in this browser. ${nothing} Open it with its passkey.`,
  refused: `A purse signs only sign-ins to this site, and payments and transactions that this page has shown you. ${nothing}`,
  failed: `Your browser could not use the passkey. ${nothing}`,
} as const;

/** Texts of the purse. */
export const purse = {
  heading: "Continue with a passkey",
  lead: "Pay and sign in with your fingerprint, your face or your screen lock. There is nothing to install.",
  about:
    "Your passkey opens a purse for USDG. The purse’s key exists only while you confirm. Nobody else has the key, and we do not have it either.",
  have: "I have a purse already",
  make: "Make one",
  makeAsks: "To make a purse, your device asks you twice: first to store the passkey, then to test it.",
  asking: "Confirm on your device…",
  none: "This browser has no passkeys with the function that a purse needs (PRF). Use a wallet, or another browser.",

  title: "Your purse",
  pageLead: "A small wallet for USDG that your passkey opens.",
  address: "Address of your wallet",
  code: "QR code of your wallet’s address",
  balance: "It holds",
  balanceUnknown: "We cannot read the wallet’s balance at the moment.",
  ether: (amount: string) => `${amount} ETH for network fees`,

  fundTitle: "Send USDG to your purse",
  fundWays: (chain: string) => [
    `From Robinhood’s app or an exchange: withdraw USDG to the address above, on the network ${chain}.`,
    `From another wallet: send USDG to the address above, on the network ${chain}.`,
    `USDG sent on any other network does not arrive.`,
  ],
  fundWaits: "We check the balance every few seconds. When the USDG arrives, you can continue here.",
  token: "Address of USDG",
  gifts: { usdg: "Take 10 USDG", ether: "Take 0.01 ETH" },
  giftsNote: "From the local devnet. This money is worth nothing.",

  safeTitle: "Before you send money",
  safe: [
    "If you delete the passkey, you lose the purse. The money stays in the purse, and nobody can get it out, neither you nor we.",
    "Keep a copy of the key, in case the passkey is deleted or this site no longer exists.",
    "Your other devices have the purse if their keychain has the passkey (iCloud Keychain, Google Password Manager or another one). On devices without this keychain, import the key into a wallet.",
  ],
  adviceTitle: "This is a lot for a purse",
  advice: (most: string) =>
    `A purse is for small amounts. For more than ${most}, use a full wallet, which asks you about every payment outside this page.`,

  exportTitle: "A copy of the key",
  exportLead:
    "Anyone who sees the key can take everything in the purse. Make sure that nobody watches you now. Store the key in a password manager or on paper, and give it to nobody. We never ask for the key.",
  exportShow: "Show the key once",
  exportKey: "Key of your purse",
  exportHide: "I have kept the key. Hide it",
  exportHidden: "The key is hidden. To see the key again, confirm again.",

  moveTitle: "Move everything to another wallet",
  moveLead: "All USDG in the purse goes to one address, with one confirmation.",
  moveTo: "Address that receives the USDG",
  moveToHint: (chain: string) =>
    `The address must be your own address on ${chain}. A transfer cannot be undone.`,
  moveBadAddress: "This is not an address. An address begins with 0x and has 40 digits after that.",
  moveMistyped:
    "This address contains a mistake: its capital and small letters do not match. Nothing was moved. Copy the whole address from your wallet again.",
  moveOwnAddress: "This is the purse’s own address.",
  moveTokenAddress:
    "This is the address of the USDG token, and USDG that is sent there is lost. Nothing was moved. Enter the address of your own wallet.",
  moveNext: "Review the move",
  moveNothing: "There is no USDG in the purse.",
  moveRelayed:
    "We pay the network for the move, from the fees that you have paid for articles. Your purse needs no ETH.",
  moveGas: (cost: string) => `The purse pays the network about ${cost} ETH for the move.`,
  moveNoGas: (cost: string, has: string) =>
    `The move costs about ${cost} ETH for the network, and the purse has ${has} ETH. Send a little ETH to the purse first. Or show the key, and import it into a wallet.`,
  moveReview: (amount: string, to: string) => `${amount} goes to ${to}.`,
  moveNow: (amount: string) => `Move ${amount}`,
  moving: "Waiting for the chain…",
  moveEnds: {
    success: (amount: string, to: string) => `${amount} was moved to ${to}.`,
    reverted: () =>
      "The chain refused the transfer. The USDG is still in the purse. Only the network’s fee was spent.",
    slow: () => "The chain has not confirmed the transfer yet. Look at the transaction before you try again.",
  },

  alsoTitle: "Votes and publishing",
  also: "Reading needs no ETH. A vote and a mint are transactions, and need a little ETH in the purse for the network. We send you the ETH for a vote, once for each article whose fee covers it.",
  alsoCost: (cost: string) => `Each transaction costs about ${cost} ETH at the moment.`,
} as const;

/** Says how much ETH a wallet lacks for a transaction, and how to get ETH. */
export function describeEtherLack(missing: string, chain: string, address: string): string {
  return `A transaction needs a little ETH for the network, and your wallet lacks about ${missing} ETH. Nothing was sent and nothing was charged. Send the missing ETH on ${chain} to ${address}, then try again.`;
}

/** Texts of the dialog that finds a wallet, which are loaded when the dialog opens. */
export const connect = {
  failed: "The wallets could not be loaded. Check your connection, then load the page again.",
  noneTitle: "No wallet was found in this browser",
  none: "A wallet holds your USDG and signs payments. Install a wallet, then load this page again. Previews and audits need no wallet.",
  nonePhone:
    "On a phone, open this page in your wallet app’s own browser. Previews and audits need no wallet.",
  install: (name: string) => `Install ${name}`,
  installed: "I have installed a wallet. Load this page again",
  openIn: (name: string) => `Open in ${name}`,
  onPhone: "Is your wallet on your phone? Scan this code to open this page in the MetaMask app.",
  phoneCode: "QR code that opens this page in MetaMask on a phone",
  pairing:
    "Scan this code with your wallet app. If the app is on this device, open it with the link, or paste the link there.",
  pairingCode: "QR code that connects a wallet app",
  openWallet: "Open wallet app",
  pairingLink: "WalletConnect link",
} as const;
