import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sitePolicy, walletConnectHosts, walletConnectPolicy } from "../../functions/browser.ts";
import { root } from "../boundary/source.ts";

/** Hosts that the library names and the site never asks. */
const neverAsked = [
  // Its telemetry, which is off.
  "https://pulse.walletconnect.org",
  // Notifications of wallets on phones.
  "https://echo.walletconnect.com",
  // Its older name, which it only compares with.
  "https://verify.walletconnect.com",
  // What an app without a name of its own says of itself.
  "https://walletconnect.org",
];

test("the policy lets the site speak to each host that the installed WalletConnect asks, and to no other", () => {
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

test("beside those hosts the policy is the site's, and nobody may frame it", () => {
  const added = walletConnectPolicy.split("; ").filter((part) => !sitePolicy.split("; ").includes(part));
  expect(added).toEqual([
    "connect-src 'self' wss://relay.walletconnect.org https://rpc.walletconnect.org",
    "frame-src https://verify.walletconnect.org",
  ]);
  expect(walletConnectPolicy).toContain("frame-ancestors 'none'");
});
