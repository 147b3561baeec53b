import { afterAll, beforeAll, expect, test } from "vitest";
import { Audited } from "../../../core/audit/schema.ts";
import { Saved } from "../../../core/press/schema.ts";
import { testAccount } from "../../../local/devnet/accounts.ts";
import { askingPrice } from "../../../local/seed/articles.ts";
import { findFaults } from "../../support/browser/access.ts";
import { signInToPublish } from "../../support/browser/publisher.ts";
import { type Site, startSite } from "../../support/browser/site.ts";
import { httpClient } from "../../support/http-payer.ts";

/**
 * On the devnet, at a hundredth of a gwei, 0.08 USDG is the lowest price whose fee carries the gas of a read.
 */
let site: Site;
beforeAll(async () => {
  site = await startSite(1);
});
afterAll(() => site.stop());

/** Makes an approved press with this price. Returns its id. */
async function approved(priceUsdg: number): Promise<number> {
  const { ask, signIn } = httpClient(site.origin);
  const cookie = await signIn(testAccount(6));
  const headers = { origin: site.origin };
  const article = { ...askingPrice, priceUsdg, publisherName: "Tomas Reyle" };
  const saved = await ask("/api/press/save", { body: article, cookie, headers });
  const { id } = Saved.parse(saved.body);
  const { status } = Audited.parse((await ask("/api/press/audit", { body: { id }, cookie, headers })).body);
  expect(status).toBe("approved");
  return id;
}

test("before a mint and in the dashboard a publisher is told the price that carries its gas", async () => {
  const [cheap, fair] = [await approved(0.05), await approved(0.25)];
  await using visit = await site.visit({ account: testAccount(6), width: 390 });
  const { page, faults } = visit;
  await page.goto(`/publish/${cheap}/mint`);
  await signInToPublish(page);
  await page
    .getByText(
      "At 0.05 USDG the platform’s 10% does not pay for the gas of a read now: that takes 0.08 USDG.",
    )
    .waitFor();
  expect(await findFaults(page)).toEqual([]);
  await page.goto(`/publish/${fair}/mint`);
  await page.getByText("From 0.08 USDG on, the platform’s 10% pays for the gas of a read").waitFor();
  await page.goto("/publish");
  await page.getByText("A price below 0.08 USDG does not pay for the gas of a read").waitFor();
  expect(await page.getByText("A price below 0.08 USDG").count()).toBe(1);
  expect(await findFaults(page)).toEqual([]);
  expect(faults).toEqual([]);
});
