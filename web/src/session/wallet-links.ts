/** Wallets for this chain's kind that announce themselves to pages (EIP-6963), by where they are installed from. */
export const extensions = [
  { name: "MetaMask", href: "https://metamask.io/download" },
  { name: "Rabby", href: "https://rabby.io" },
  { name: "Rainbow", href: "https://rainbow.me/extension" },
] as const;

/** Opens a page in MetaMask's own browser, or says how to get the app. It takes the address bare: encoded, it opens a blank tab. */
export function metaMaskLink(page: string): string {
  const { host, pathname, search } = new URL(page);
  return `https://link.metamask.io/dapp/${host}${pathname}${search}`;
}

/** Links that open a page inside a phone wallet's own browser, where the wallet is at hand. */
export function appLinks(page: string) {
  const encoded = encodeURIComponent(page);
  return [
    { name: "MetaMask", href: metaMaskLink(page) },
    { name: "Coinbase Wallet", href: `https://go.cb-w.com/dapp?cb_url=${encoded}` },
    { name: "Trust Wallet", href: `https://link.trustwallet.com/open_url?coin_id=60&url=${encoded}` },
  ];
}

/** Whether the browser says that it is a phone's or a tablet's, where wallets are apps. */
export function isPhone(userAgent: string): boolean {
  return /Android|iPhone|iPad|iPod/i.test(userAgent);
}
