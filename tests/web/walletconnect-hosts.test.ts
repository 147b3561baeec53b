import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sitePolicy, walletConnectHosts, walletConnectPolicy } from "../../functions/browser.ts";
import { root } from "../boundary/source.ts";

/** Hosts that the WalletConnect library names but the site never contacts. */
const neverAsked = [
  // The telemetry of the WalletConnect library is turned off.
  "https://pulse.walletconnect.org",
  // WalletConnect uses this host only to notify wallets on phones.
  "https://echo.walletconnect.com",
  // The WalletConnect library only compares addresses with this older host name, and does not contact the host.
  "https://verify.walletconnect.com",
  // WalletConnect uses this URL as the homepage of an app that does not name a homepage.
  "https://walletconnect.org",
];

test("the content security policy allows each host that the installed WalletConnect contacts, and no other host", () => {
  const packages =
    "node_modules/@walletconnect/{core,sign-client,universal-provider,ethereum-provider,utils}";
  const files = globSync(`${packages}/dist/index.js`, { cwd: root });
  expect(files).toHaveLength(5);
  const named = files.flatMap((file) => [
    ...readFileSync(join(root, file), "utf8").matchAll(
      /(?:https|wss):\/\/[a-z.]*(?:walletconnect|reown)\.[a-z]+/g,
    ),
  ]);
  const { connect, frame } = walletConnectHosts;
  expect(new Set(named.map(([host]) => host))).toEqual(new Set([...connect, ...frame, ...neverAsked]));
});

test("a stage's content security policy differs from the usual policy only by WalletConnect's hosts, and no page may show the site in a frame", () => {
  const added = walletConnectPolicy.split("; ").filter((part) => !sitePolicy.split("; ").includes(part));
  expect(added).toEqual([
    "connect-src 'self' wss://relay.walletconnect.org https://rpc.walletconnect.org",
    "frame-src https://verify.walletconnect.org",
  ]);
  expect(walletConnectPolicy).toContain("frame-ancestors 'none'");
});
