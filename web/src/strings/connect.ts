/** Texts of the dialog that finds a wallet. They are loaded when it opens. */
export const connect = {
  noneTitle: "No wallet was found in this browser",
  none: "A wallet holds your USDG and signs payments. Install one, then load this page again. Previews and audits need no wallet.",
  nonePhone:
    "On a phone, open this page in your wallet app’s own browser. Previews and audits need no wallet.",
  install: (name: string) => `Install ${name}`,
  installed: "I have installed one. Load this page again",
  openIn: (name: string) => `Open in ${name}`,
  onPhone: "Is your wallet on your phone? Scan this code to open this page in the MetaMask app.",
  phoneCode: "QR code that opens this page in MetaMask on a phone",
  pairing:
    "Scan this code with your wallet app. If the app is on this device, open it with the link, or paste the link there.",
  pairingCode: "QR code that connects a wallet app",
  openWallet: "Open wallet app",
  pairingLink: "WalletConnect link",
} as const;
