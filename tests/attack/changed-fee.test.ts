import type { HDAccount } from "viem/accounts";
import { afterEach, describe, expect, test, vi } from "vitest";
import { makeMemoryJournal, openMarket, robinhoodChain } from "../../client/index.ts";
import { lower } from "../../core/chain/hex.ts";
import { startTarget } from "../support/attacked.ts";
import { Offer, type PayPath } from "../support/http-payer.ts";
import { authorize, readBalance } from "../support/payment.ts";
import { startPart } from "../support/provide.ts";
import { makeWallet } from "../support/wallets.ts";

/** Between the two payments of one purchase, the platform's part of the price or the price itself changes. */
const share = vi.hoisted(() => ({ percent: 10n }));
vi.mock("../../core/press/schema.ts", async (load) => ({
  ...(await load<typeof import("../../core/press/schema.ts")>()),
  splitPrice(priceUnits: bigint) {
    const fee = (priceUnits * share.percent) / 100n;
    return { fee, publisher: priceUnits - fee };
  },
}));

const price = 250_000n;
const purse = 1_000_000n;
let pressId: number;

const attacked = startPart(() => startTarget({ gasPrice: 10_000_000n }));
afterEach(() => {
  share.percent = 10n;
});

/** A wallet with USDG only, and a new press for the wallet to buy. */
async function makeReader(): Promise<HDAccount> {
  pressId = await attacked.press(undefined, price);
  return makeWallet(attacked, purse);
}

const pay = (account: HDAccount, leg: PayPath, query = "") =>
  attacked.http.payByTransfer(account, leg, pressId, query);

const computeSpent = async ({ address }: HDAccount) => purse - (await readBalance(attacked, lower(address)));

async function setShare(percent: bigint): Promise<void> {
  share.percent = percent;
}

describe.each([
  ["the share falls to 8 %", () => setShare(8n)],
  ["the share rises to 12 %", () => setShare(12n)],
] as const)("%s between the two payments", (_, change) => {
  test("a reader who has paid the fee of the old price is charged the old price in total", async () => {
    const account = await makeReader();
    expect(await pay(account, "treasury")).toMatchObject({ status: 200 });
    await change();
    expect(await pay(account, "publisher", `&payer=${account.address}`)).toMatchObject({
      status: 200,
      body: { paid: true, body: `The text of ${pressId}.` },
    });
    expect(await computeSpent(account)).toBe(price);
  });

  test("a second payment is not charged if its request does not name the payer, and the refusal names the amount due", async () => {
    const account = await makeReader();
    await pay(account, "treasury");
    await change();
    const { status, body } = await pay(account, "publisher");
    expect(status).toBe(402);
    expect(await computeSpent(account)).toBe(25_000n);
    const { accepts } = Offer.parse(body);
    expect(accepts[0].amount).toBe("225000");
    const { header } = await authorize(account, accepts[0]);
    expect(await attacked.http.askByTransfer("publisher", pressId, header)).toMatchObject({ status: 200 });
    expect(await computeSpent(account)).toBe(price);
  });
});

/** The presses of this test have no pages, so this stub tells the client the price of a press. */
const fetchStubbedPrice: typeof fetch = async (request, options) =>
  String(request).includes("/api/presses/")
    ? Response.json({
        press: { pressId, slug: "a-press", headline: "A press", priceUnits: String(price) },
        body: null,
      })
    : fetch(request, options);

const rejectTextRequest: typeof fetch = (request, options) =>
  new Headers(options?.headers).has("payment-signature") && String(request).includes("/publisher")
    ? Promise.reject(new TypeError("cut"))
    : fetchStubbedPrice(request, options);

test.each([
  [8n, 8n],
  [10n, 8n],
  [8n, 10n],
] as const)(
  "the client that has paid a fee of %i %% pays the rest of the price when the fee has changed to %i %%",
  async (before, after) => {
    const account = await makeReader();
    const { origin } = attacked.service;
    const options = { origin, account, journal: makeMemoryJournal(), place: robinhoodChain, resendForMs: 0 };
    share.percent = before;
    const broken = openMarket({ ...options, fetch: rejectTextRequest });
    await expect(broken.buy("a-press")).rejects.toMatchObject({ money: "unknown" });
    share.percent = after;
    const { text } = await openMarket({ ...options, fetch: fetchStubbedPrice }).buy("a-press");
    expect(text).toBe(`The text of ${pressId}.`);
    expect(await computeSpent(account)).toBe(price);
  },
);

test("a client that has lost its journal of payments pays the rest of the old price", async () => {
  const account = await makeReader();
  await pay(account, "treasury");
  share.percent = 8n;
  const market = openMarket({
    origin: attacked.service.origin,
    account,
    journal: makeMemoryJournal(),
    fetch: fetchStubbedPrice,
  });
  expect(await market.buy("a-press")).toMatchObject({ text: `The text of ${pressId}.` });
  expect(await computeSpent(account)).toBe(price);
});
