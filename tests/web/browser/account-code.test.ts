import { afterAll, beforeAll, expect, test } from "vitest";
import { mainnet } from "../../../core/chain/deployment.ts";
import { askForText, payNow, readText } from "../../support/browser/reader.ts";
import { type Site, startSite } from "../../support/browser/site.ts";
import { devnetClient } from "../../support/devnet.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite(1);
});
afterAll(() => site.stop());

test("an account that delegates to code (EIP-7702) pays like any key: by two signatures, without an approval or ETH", async () => {
  const account = await site.newWallet(1_000_000n);
  const client = devnetClient(site.rpcUrl);
  // The code accepts no signatures, so Permit2 would refuse this account's.
  const code = `0xef0100${mainnet.contracts.identityRegistry.slice(2)}` as const;
  await client.setCode({ address: account.address, bytecode: code });
  await client.setBalance({ address: account.address, value: 0n });
  await using visit = await site.visit({ account });
  const { page, wallet, faults } = visit;
  const [press] = site.presses;
  if (press === undefined) throw new Error("There is no press.");
  await askForText(page, press);
  await payNow(page);
  expect((await readText(page)).length).toBeGreaterThan(500);
  expect(wallet.signatures()).toBe(2);
  expect(wallet.asked).not.toContain("eth_sendTransaction");
  expect(await site.usdgOf(account)).toBe(1_000_000n - BigInt(press.priceUnits));
  expect(faults).toEqual([]);
});
