import { developmentAccount, developmentAccounts } from "./accounts.ts";
import { developmentProvider } from "./provider.ts";

/** By which a development wallet is known wherever it must not be: the tests look for it in bundles for production. */
const marker = "press-market.development-wallet";

let announced = false;

/** Announces the development wallets as extensions announce theirs (EIP-6963). Once a page. */
export function announceDevelopmentWallets(): void {
  if (announced) return;
  announced = true;
  const details = developmentAccounts.map((each) => ({
    info: {
      uuid: crypto.randomUUID(),
      name: each.role,
      icon: iconOf(each.index),
      rdns: `${marker}.${each.index}`,
    },
    provider: developmentProvider(developmentAccount(each)),
  }));
  const announce = () => {
    for (const detail of details) {
      window.dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail: Object.freeze(detail) }));
    }
  };
  window.addEventListener("eip6963:requestProvider", announce);
  announce();
}

/** The account's number on the colour of warnings. */
function iconOf(index: number) {
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" fill="#85460a"/><text x="16" y="22" font-family="sans-serif" font-size="17" font-weight="700" fill="#fff" text-anchor="middle">${index}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(drawing)}` as const;
}
