import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sitePolicy, walletConnectHosts, walletConnectPolicy } from "../../functions/browser.ts";
import { root } from "../boundary/source.ts";

/** Hosts that the library names but the site never contacts. */
const neverAsked = [
  // The library's telemetry is off.
  "https://pulse.walletconnect.org",
  // The host notifies wallets on phones.
  "https://echo.walletconnect.com",
  // The library only compares with this older name.
  "https://verify.walletconnect.com",
  // The default homepage of an app without its own.
  "https://walletconnect.org",
];

test("the policy allows each host that the installed WalletConnect contacts, and no other", () => {
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

test("the policy is the site's except for WalletConnect's hosts, and no page may frame the site", () => {
  const added = walletConnectPolicy.split("; ").filter((part) => !sitePolicy.split("; ").includes(part));
  expect(added).toEqual([
    "connect-src 'self' wss://relay.walletconnect.org https://rpc.walletconnect.org",
    "frame-src https://verify.walletconnect.org",
  ]);
  expect(walletConnectPolicy).toContain("frame-ancestors 'none'");
});
