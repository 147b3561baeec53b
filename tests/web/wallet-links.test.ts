import { expect, test } from "vitest";
import { isPhone, listAppLinks } from "../../web/src/session/wallet-dialog.tsx";

test("on a phone, a wallet's link opens the current page in the wallet's own browser", () => {
  const page = "https://press.example/press/a-press-1?x=1&y=2";
  expect(Object.fromEntries(listAppLinks(page).map(({ name, href }) => [name, href]))).toEqual({
    MetaMask: "https://link.metamask.io/dapp/press.example/press/a-press-1?x=1&y=2",
    "Coinbase Wallet": `https://go.cb-w.com/dapp?cb_url=${encodeURIComponent(page)}`,
    "Trust Wallet": `https://link.trustwallet.com/open_url?coin_id=60&url=${encodeURIComponent(page)}`,
  });
});

test.each([
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1", true],
  ["Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36", true],
  ["Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36", false],
])("the site can tell whether the user agent %s belongs to a phone: %s", (agent, phone) => {
  expect(isPhone(agent)).toBe(phone);
});
