import type { HDAccount } from "viem/accounts";
import { afterEach, expect, test } from "vitest";
import * as z from "zod";
import { systemClock } from "../../core/adapter/system.ts";
import { lower } from "../../core/chain/hex.ts";
import * as Correction from "../../core/correction/index.ts";
import { PriceInput } from "../../core/correction/schema.ts";
import { toUsdg } from "../../core/press/schema.ts";
import { getTestAccount } from "../../local/devnet/accounts.ts";
import { startTarget } from "../support/attacked.ts";
import { makeRefusal, Offer, type PayPath } from "../support/http-payer.ts";
import { authorize, readBalance } from "../support/payment.ts";
import { repeatInOrder, startPart } from "../support/provide.ts";
import { makeWallet } from "../support/wallets.ts";

/**
 * An author changes the price of a live press, or takes it off sale, while readers pay. A reader must be charged only the price that the
 * reader signed, never parts of two prices. A reader who has paid the fee must be able to pay the rest and read.
 */
const price = 250_000n;
const purse = 1_000_000n;
const author = getTestAccount(4);
let pressId: number;

const attacked = startPart(() => startTarget({ gasPrice: 10_000_000n }));
afterEach(() => {
  attacked.node.around = undefined;
});

/** A wallet with USDG only. */
const makeReader = () => makeWallet(attacked, purse);

/** A reader, and a new press for that reader to buy. */
async function makePressAndReader(): Promise<HDAccount> {
  pressId = await attacked.press(author, price);
  return makeReader();
}

const ask = (leg: PayPath, query = "", header?: string) =>
  attacked.http.askByTransfer(leg, pressId, header, query);

/** Signs a payment according to the current terms. */
const sign = async (account: HDAccount, leg: PayPath, query = "") =>
  (await attacked.http.signTransfer(account, leg, pressId, query)).header;

const pay = (account: HDAccount, leg: PayPath, query = "") =>
  attacked.http.payByTransfer(account, leg, pressId, query);

/** Pays the rest of the price like a reader's program. */
const payRest = (account: HDAccount) => pay(account, "publisher", `&payer=${account.address}`);

const computeSpent = async ({ address }: HDAccount) => purse - (await readBalance(attacked, lower(address)));

const makePorts = () => ({ table: attacked.table, clock: systemClock, settings: {} });
const wallet = lower(author.address);
const setPrice = (priceUsdg: number) =>
  Correction.changePrice(makePorts(), wallet, PriceInput.parse({ id: pressId + 1000, priceUsdg }));
const unlist = () => Correction.unlist(makePorts(), wallet, { id: pressId + 1000, unlisted: true });

/** Runs `action` after the service has checked and stored a payment, right before its broadcast. */
function runBeforeBroadcast(action: () => Promise<unknown>): void {
  attacked.node.around = async () => {
    attacked.node.around = undefined;
    await action();
    return async () => undefined;
  };
}

test.each([
  ["rises", 0.4],
  ["falls", 0.1],
])(
  "if a fee was signed before the price %s, the fee is not charged and the reader gets the new terms",
  async (_, next) => {
    const account = await makePressAndReader();
    const header = await sign(account, "treasury");
    await setPrice(next);
    const { status, body } = await ask("treasury", "", header);
    expect(status).toBe(402);
    expect(body).toMatchObject({
      code: "invalid_exact_evm_payload_authorization_value_mismatch",
      error: expect.stringContaining("doesn't match the current price or recipient"),
    });
    expect(Offer.parse(body).accepts[0].amount).toBe(String(next * 100_000));
    expect(await computeSpent(account)).toBe(0n);

    expect(await pay(account, "treasury")).toMatchObject({ status: 200 });
    expect(await payRest(account)).toMatchObject({ status: 200, body: { body: `The text of ${pressId}.` } });
    expect(await computeSpent(account)).toBe(BigInt(next * 1_000_000));
  },
);

test("after the fee is paid, the rest of the price stays the same, however often the press's price changes", async () => {
  const account = await makePressAndReader();
  expect(await pay(account, "treasury")).toMatchObject({ status: 200 });
  const header = await sign(account, "publisher", `&payer=${account.address}`);
  await setPrice(0.9);
  await setPrice(0.02);
  expect(await ask("publisher", "", header)).toMatchObject({ status: 200, body: { paid: true } });
  expect(await computeSpent(account)).toBe(price);
});

test("if the price changes right before a fee is broadcast, neither that fee nor the second payment changes", async () => {
  const account = await makePressAndReader();
  const header = await sign(account, "treasury");
  runBeforeBroadcast(() => setPrice(0.8));
  expect(await ask("treasury", "", header)).toMatchObject({ status: 200 });
  expect(await payRest(account)).toMatchObject({ status: 200 });
  expect(await computeSpent(account)).toBe(price);
  const later = await makeReader();
  expect(Offer.parse((await ask("treasury")).body).accepts[0].amount).toBe("80000");
  expect(await pay(later, "treasury")).toMatchObject({ status: 200 });
});

const ToolAnswer = z.object({ result: z.object({ structuredContent: z.looseObject({}) }) });

/** Calls the MCP tool with the press's first price as the limit. */
async function buyOverMcp(order: object, payment?: unknown) {
  const limited = { id: pressId, maxPriceUsdg: toUsdg(price), ...order };
  const params = { name: "buy_press", arguments: limited, _meta: { "x402/payment": payment } };
  const { body } = await attacked.http.ask("/mcp", {
    body: { jsonrpc: "2.0", id: 1, method: "tools/call", params },
  });
  return ToolAnswer.parse(body).result.structuredContent;
}

/** Signs the first entry of the terms, as a payment for the MCP tool. */
async function signForMcp(account: HDAccount, terms: unknown) {
  const [accepted] = Offer.parse(terms).accepts;
  const { said, signature } = await authorize(account, accepted);
  return { x402Version: 2, accepted, payload: { signature, authorization: said } };
}

test("if the price rises above the limit of an MCP client that has paid the fee, the client gets the fee's receipt and pays the rest of the old price", async () => {
  const account = await makePressAndReader();
  // The fee of this price is rounded down.
  await setPrice(0.249999);
  const limit = { maxPriceUsdg: "0.249999" };
  const fee = await signForMcp(account, await buyOverMcp(limit));
  expect(await buyOverMcp(limit, fee)).toMatchObject({ paid: true });
  await setPrice(0.9);
  expect(await buyOverMcp(limit, fee)).toMatchObject({ paid: true, already: true });
  const rest = { ...limit, leg: "publisher", payer: account.address };
  const terms = await buyOverMcp(rest);
  expect(Offer.parse(terms).accepts[0].amount).toBe("225000");
  // A lower limit of the user also holds for a payment that the agent has already signed.
  const refused = { code: "price_above_max" };
  expect(
    await buyOverMcp({ ...rest, maxPriceUsdg: "0.249998" }, await signForMcp(account, terms)),
  ).toMatchObject(refused);
  expect(await buyOverMcp(rest, await signForMcp(account, terms))).toMatchObject({
    text: `The text of ${pressId}.`,
  });
  expect(await computeSpent(account)).toBe(249_999n);
});

test("if the price rises above the limit of an MCP client before its fee is paid, the client is charged nothing and gets no terms", async () => {
  const account = await makePressAndReader();
  const fee = await signForMcp(account, await buyOverMcp({}));
  await setPrice(0.26);
  const orders = [
    buyOverMcp({}),
    buyOverMcp({}, fee),
    buyOverMcp({ leg: "publisher", payer: account.address }),
  ];
  for (const answer of await Promise.all(orders)) expect(answer).toMatchObject({ code: "price_above_max" });
  expect(await computeSpent(account)).toBe(0n);
});

test("for an unlisted press, the service offers no terms for a new fee, and does not charge a fee that was already signed", async () => {
  const account = await makePressAndReader();
  const header = await sign(account, "treasury");
  await unlist();
  const refused = makeRefusal(409, "press_unlisted");
  expect(await ask("treasury")).toMatchObject(refused);
  expect(await ask("treasury", `&payer=${account.address}`)).toMatchObject(refused);
  expect(await ask("treasury", "", header)).toMatchObject(refused);
  expect(await ask("treasury", "", "not a header")).toMatchObject(refused);
  expect(await computeSpent(account)).toBe(0n);
});

test("if a press is unlisted after a reader has paid the fee, the reader can pay the rest, read, and see the fee's receipt", async () => {
  const account = await makePressAndReader();
  const fee = await sign(account, "treasury");
  expect(await ask("treasury", "", fee)).toMatchObject({ status: 200 });
  await unlist();
  expect(await ask("treasury", "", fee)).toMatchObject({ status: 200, body: { already: true } });
  expect(await payRest(account)).toMatchObject({ status: 200, body: { body: `The text of ${pressId}.` } });
  expect(await computeSpent(account)).toBe(price);
  expect(await ask("publisher", "", await sign(account, "publisher"))).toMatchObject(
    makeRefusal(409, "already_unlocked"),
  );
});

test("if a press is unlisted right before a fee is broadcast, the fee counts, and its payer can pay the rest and read", async () => {
  const account = await makePressAndReader();
  const header = await sign(account, "treasury");
  runBeforeBroadcast(unlist);
  expect(await ask("treasury", "", header)).toMatchObject({ status: 200 });
  expect(await payRest(account)).toMatchObject({ status: 200 });
  expect(await computeSpent(account)).toBe(price);
});

test("if readers pay while the price changes again and again, each reader is charged exactly the price that the reader signed", async () => {
  const accounts = [await makePressAndReader(), ...(await repeatInOrder(5, makeReader))];
  const whole = new Set([price]);
  const jumps = async () => {
    for (const next of [0.3, 0.2, 0.6, 0.1]) {
      whole.add(BigInt(next * 1_000_000));
      await setPrice(next);
    }
  };
  const buys = accounts.map(async (account) => {
    // If a reader's payment is refused, the reader signs the fresh terms like a program.
    for (let tries = 0; tries < 20; tries += 1) {
      const { status } = await pay(account, "treasury");
      if (status === 200) break;
    }
    for (let tries = 0; tries < 20; tries += 1) {
      const { status } = await payRest(account);
      if (status === 200) return;
    }
  });
  await Promise.all([...buys, jumps()]);
  for (const account of accounts) expect(whole).toContain(await computeSpent(account));
});
