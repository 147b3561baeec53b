import { zeroAddress } from "viem";
import type { HDAccount } from "viem/accounts";
import { encodeFunctionData, parseAbi } from "viem/utils";
import { afterEach, expect, test } from "vitest";
import * as z from "zod";
import { openChain } from "../../core/adapter/chain/index.ts";
import { systemClock } from "../../core/adapter/system.ts";
import { mainnet } from "../../core/chain/deployment.ts";
import { type Address, lower } from "../../core/chain/hex.ts";
import { findCarryPrice } from "../../core/press/index.ts";
import { getTestAccount } from "../../local/devnet/accounts.ts";
import { startTarget } from "../support/attacked.ts";
import { authorize, exactProxy, readBalance, send, usdg } from "../support/payment.ts";
import { repeatInOrder, startPart } from "../support/provide.ts";
import { delegate, fund, makeAccount, makeWallet } from "../support/wallets.ts";

/**
 * Our service also pays the gas of successful payments. The owner of a press at the minimum price could buy the press with fresh wallets
 * and get nine tenths of the price back. Our gas would cost more than we get from the fees. In these tests a unit of gas costs a tenth of a
 * gwei, an ETH costs 3,000 USDG, and the gas allowance is the same as in the stage `prod`.
 */
const allowance = 250_000;
const [attacker, honest, cheap] = [getTestAccount(4), getTestAccount(5), getTestAccount(6)];

const attacked = startPart(() =>
  startTarget({
    environment: { GAS_ALLOWANCE_USDG: "0.25", ETH_PRICE_USDG: "3000", POWERTOOLS_LOG_LEVEL: "ERROR" },
  }),
);
afterEach(() => attacked.now());

const saleAbi = parseAbi(["function transferFrom(address from, address to, uint256 tokenId)"]);

const Entry = z.looseObject({ amount: z.string(), payTo: z.string() });
const Said = z.looseObject({
  code: z.string().optional(),
  error: z.string().optional(),
  accepts: z.array(Entry).optional(),
});
type Leg = "treasury" | "publisher";

async function ask(leg: Leg, pressId: number, header?: string, payer?: string) {
  const query = payer === undefined ? "" : `&payer=${payer}`;
  const { status, headers, body } = await attacked.http.askByTransfer(leg, pressId, header, query);
  return { status, retryAfter: Number(headers.get("retry-after")), ...Said.parse(body) };
}

/** Pays the fee or the rest of the price by EIP-3009. Returns the refusal if the service offers no terms. */
async function pay(leg: Leg, pressId: number, account: HDAccount) {
  const terms = await ask(leg, pressId);
  const [entry] = terms.accepts ?? [];
  if (entry === undefined) return terms;
  return ask(leg, pressId, (await authorize(account, entry)).header);
}

/**
 * Buys a press, by default with a fresh wallet. Returns the answer to the second payment, or the refusal if the service refuses the fee.
 */
async function buy(pressId: number, reader?: HDAccount) {
  const account = reader ?? (await makeWallet(attacked, 20_000_000n));
  const fee = await pay("treasury", pressId, account);
  return fee.status === 200 ? pay("publisher", pressId, account) : fee;
}

/** Sends both payments for a press. The second payment is sent even if the first payment is refused. */
async function payBothLegs(pressId: number, account: HDAccount) {
  await pay("treasury", pressId, account);
  return pay("publisher", pressId, account);
}

/** The amount that the relayers have spent on transactions after the given block, in USDG base units. */
const computeSpent = async (block: bigint) => (await attacked.computeSpent(block)).units;

test("if the owner of a press at the minimum price buys it with fresh wallets, our cost is at most the sum of the press's fees and the gas allowance", async () => {
  const pressId = await attacked.press(attacker, 10_000n);
  const started = await makeWallet(attacked, 20_000_000n);
  expect(await pay("treasury", pressId, started)).toMatchObject({ status: 200 });
  const before = await attacked.chain.getBlockNumber();
  const answers = await repeatInOrder(8, () => buy(pressId));
  const sold = answers.filter(({ status }) => status === 200).length;
  const spent = await computeSpent(before);
  console.info(`${sold} of 8 reads for ${sold * 1000} units of fees took ${spent} units of gas.`);
  expect(sold).toBeGreaterThan(0);
  expect(spent).toBeLessThanOrEqual(sold * 1_000 + allowance);
  expect(answers.at(-1)).toMatchObject({ status: 503, code: "price_below_gas" });

  // The service offers no more terms for the press, so nobody signs a payment that would be refused. Once the gas account is used up, the
  // service also refuses payments that were signed earlier, and does not charge them.
  const refused = await ask("treasury", pressId);
  expect(refused).toMatchObject({ status: 503, code: "price_below_gas" });
  expect(refused.retryAfter).toBeGreaterThan(0);
  expect(refused.retryAfter).toBeLessThanOrEqual(24 * 60 * 60);
  const [known] = (await ask("treasury", await attacked.press(honest))).accepts ?? [];
  if (known === undefined) throw new Error("No terms.");
  const late = [];
  for (let reader = 0; reader < 4; reader += 1) {
    const { header } = await authorize(await makeWallet(attacked, 20_000_000n), { ...known, amount: "1000" });
    late.push(await ask("treasury", pressId, header));
  }
  expect(late.at(-1)).toMatchObject({ status: 503, code: "price_below_gas" });
  expect(await computeSpent(before)).toBeLessThanOrEqual(12 * 1_000 + allowance);

  // A payer of the fee is always allowed to pay the rest of the price. Presses of other publishers and more expensive presses of the same
  // publisher can still be bought.
  expect(await pay("publisher", pressId, started)).toMatchObject({ status: 200 });
  expect(await buy(await attacked.press(honest, 10_000n))).toMatchObject({ status: 200 });
  expect(await buy(await attacked.press(attacker, 2_000_000n))).toMatchObject({ status: 200 });
  expect(await ask("treasury", await attacked.press(attacker, 10_000n))).toMatchObject({
    code: "price_below_gas",
  });

  attacked.later(refused.retryAfter * 1000);
  expect(await ask("treasury", pressId)).toMatchObject({ status: 402 });
});

const convertDaysToMs = (count: number) => count * 24 * 60 * 60 * 1000;

/** The UTC date `count` days from now. */
const computeDay = (count: number) =>
  new Date(Date.now() + convertDaysToMs(count)).toISOString().slice(0, 10);

/**
 * Makes fresh wallets pay the fee of a press at the minimum price, one wallet after another. The payments stop when the gas account of the
 * press's publisher is used up and the service refuses even a signed payment. Returns the terms that all these wallets have signed.
 */
async function spendAccount(pressId: number) {
  const [entry] = (await ask("treasury", pressId)).accepts ?? [];
  if (entry === undefined) throw new Error("No terms.");
  for (let readers = 0; readers < 20; readers += 1) {
    const { header } = await authorize(await makeWallet(attacked, 20_000_000n), entry);
    if ((await ask("treasury", pressId, header)).code === "price_below_gas") return entry;
  }
  throw new Error("The account has no end.");
}

test("if the gas account of a press's publisher is used up, the service offers no terms for the press and charges no fee", async () => {
  attacked.later(convertDaysToMs(20));
  const pressId = await attacked.press(cheap, 10_000n);
  const entry = await spendAccount(pressId);
  const refused = { status: 503, code: "price_below_gas", retryAfter: expect.any(Number) };
  const reader = await makeWallet(attacked, 20_000_000n);
  const before = await readBalance(attacked, lower(reader.address));
  const block = await attacked.chain.getBlockNumber();
  const sign = async (account: HDAccount, of: typeof entry, times: { readonly validBefore?: bigint } = {}) =>
    (await authorize(account, of, times)).header;
  const good = await sign(reader, entry);
  const wrong = await sign(reader, { ...entry, amount: "999" });
  const other = await sign(reader, { ...entry, payTo: attacker.address });
  const late = await sign(reader, entry, { validBefore: 1n });
  const poor = await sign(makeAccount(), entry);
  for (const header of [good, good, wrong, other, late, poor, "not-a-payment"]) {
    expect(await ask("treasury", pressId, header)).toMatchObject(refused);
  }
  expect(await readBalance(attacked, lower(reader.address))).toBe(before);
  expect(await attacked.sentSince(block)).toEqual([]);
  // The sale of a press to a new owner opens no new gas account, because the gas account of the press's first publisher still counts.
  const args = [cheap.address, reader.address, BigInt(pressId)] as const;
  const data = encodeFunctionData({ abi: saleAbi, functionName: "transferFrom", args });
  await attacked.chain.sendTransactionSync({ account: cheap, to: mainnet.contracts.identityRegistry, data });
  expect(
    await ask("treasury", pressId, await sign(await makeWallet(attacked, 20_000_000n), entry)),
  ).toMatchObject(refused);
});

test("if a publisher's gas account is used up, a request that names a payer of the fee gets terms, and others get a refusal with the next step", async () => {
  attacked.later(convertDaysToMs(23));
  const pressId = await attacked.press(cheap, 10_000n);
  const started = await makeWallet(attacked, 20_000_000n);
  expect(await pay("treasury", pressId, started)).toMatchObject({ status: 200 });
  await spendAccount(pressId);
  const stranger = await ask("treasury", pressId);
  expect(stranger).toMatchObject({ status: 503, code: "price_below_gas" });
  expect(stranger.error).toContain("?payer=");
  const known = await ask("treasury", pressId, undefined, started.address);
  expect(known).toMatchObject({ status: 402 });
  const [entry] = known.accepts ?? [];
  if (entry === undefined) throw new Error("No terms.");
  const { header } = await authorize(started, entry);
  expect(await ask("treasury", pressId, header)).toMatchObject({ status: 200, already: true });
  // A program that has paid the fee and restarts without stored data goes on with the second payment.
  expect(await payBothLegs(pressId, started)).toMatchObject({ status: 200, body: `The text of ${pressId}.` });
});

test("if the gas account is used up, a press can be bought at the lowest price whose fee covers the gas, but not for a cent less", async () => {
  attacked.later(convertDaysToMs(29));
  // The gas account has enough gas left for a sale of a more expensive press, but not for a sale of the cheapest press.
  await attacked.table.entities.gas
    .upsert({
      subject: `payee:${lower(cheap.address)}`,
      day: computeDay(29),
      spent: allowance,
      expiresAt: 2e9,
    })
    .go();
  const { chain: client, service } = attacked;
  const chain = openChain([service.rpcUrl]);
  const price = await findCarryPrice({
    chain,
    clock: systemClock,
    settings: { gas: { ethPrice: 3_000_000_000 } },
  });
  expect(price).toBe(750_000n);
  expect(await client.getGasPrice()).toBe(100_000_000n);
  expect(await buy(await attacked.press(cheap, price))).toMatchObject({ status: 200 });
  expect(await ask("treasury", await attacked.press(cheap, price - 10_000n))).toMatchObject({
    code: "price_below_gas",
  });
});

test("a contract wallet whose first payment needs more gas than a day's allowance is told neither that it has spent the allowance nor to come back tomorrow", async () => {
  attacked.later(convertDaysToMs(32));
  const wallet = await attacked.griefer.deployWallet({ tell: "never", appetite: 340_000n });
  const cheapPress = await attacked.press(honest, 1_000_000n);
  const { status, code, error, retryAfter } = await attacked.payFrom(wallet, "treasury", cheapPress);
  expect([status, code]).toEqual([429, "wallet_gas_limit"]);
  expect(error).not.toMatch(/today|tomorrow/);
  expect(retryAfter).toBeLessThanOrEqual(600);
  const dearPress = await attacked.press(honest, 5_000_000n);
  expect(await attacked.payFrom(wallet, "treasury", dearPress)).toMatchObject({ status: 200 });
});

test("a contract wallet with unfinished purchases is told to pay their rest, and can buy again afterwards", async () => {
  attacked.later(convertDaysToMs(35));
  const wallet = await attacked.griefer.deployWallet({ tell: "never", appetite: 100_000n });
  const begun: number[] = [];
  const beginNext = async (): Promise<Awaited<ReturnType<typeof attacked.payFrom>>> => {
    const pressId = await attacked.press(honest, 1_000_000n);
    const answer = await attacked.payFrom(wallet, "treasury", pressId);
    if (answer.status !== 200 || begun.length > 10) return answer;
    begun.push(pressId);
    return beginNext();
  };
  const refused = await beginNext();
  expect(refused).toMatchObject({ status: 429, code: "wallet_gas_limit" });
  expect(refused.error).toContain("pay the rest");
  for (const pressId of begun)
    expect(await attacked.payFrom(wallet, "publisher", pressId)).toMatchObject({ status: 200 });
  const next = await attacked.press(honest, 1_000_000n);
  expect(await attacked.payFrom(wallet, "treasury", next)).toMatchObject({ status: 200 });
});

test("if a payer's key delegates to code (EIP-7702), the gas for the check of the key's signature is paid like a plain account's gas", async () => {
  attacked.later(convertDaysToMs(26));
  const target = await attacked.griefer.deployWallet({ tell: "never", appetite: 250_000n });
  const readers = [await makeWallet(attacked, 20_000_000n), await makeWallet(attacked, 20_000_000n)];
  for (const reader of readers) {
    await attacked.chain.setBalance({ address: reader.address, value: 10n ** 18n });
    await delegate({ client: attacked.chain }, reader, target);
  }
  const block = await attacked.chain.getBlockNumber();
  const pressId = await attacked.press(honest, 10_000n);
  for (const reader of readers) expect(await buy(pressId, reader)).toMatchObject({ status: 200 });
  expect(await computeSpent(block)).toBeLessThanOrEqual(2 * 1_000 + allowance);
  const day = computeDay(26);
  const readAccount = async (subject: string) =>
    (await attacked.table.entities.gas.get({ subject, day }).go()).data;
  expect((await readAccount(`payee:${lower(honest.address)}`))?.spent).toBeGreaterThan(0);
  for (const { address } of readers) expect(await readAccount(`wallet:${lower(address)}`)).toBeNull();
  // A key that delegates to code pays without delay, even if payments of other wallets with the same code have failed.
  expect(await readAccount("service:fresh")).toBeNull();
  expect(await readAccount("service:paid")).toBeNull();
});

test("the gas for twenty simultaneous buyers of a cheap press costs at most the sum of their fees and the gas allowance", async () => {
  attacked.later(3 * 24 * 60 * 60 * 1000);
  const pressId = await attacked.press(cheap, 10_000n);
  const [entry] = (await ask("treasury", pressId)).accepts ?? [];
  if (entry === undefined) throw new Error("No terms.");
  const buyers = await repeatInOrder(20, () => makeWallet(attacked, 20_000_000n));
  const headers = await Promise.all(buyers.map(async (buyer) => (await authorize(buyer, entry)).header));
  const before = await attacked.chain.getBlockNumber();
  const answers = await Promise.all(headers.map((header) => ask("treasury", pressId, header)));
  const paid = answers.filter(({ status }) => status === 200).length;
  expect(paid).toBeGreaterThan(0);
  expect(answers.filter(({ code }) => code === "price_below_gas")).toHaveLength(20 - paid);
  // The service reserves the gas of both payments of each buyer.
  expect(2 * (await computeSpent(before))).toBeLessThanOrEqual(paid * 1_000 + allowance * 1.1);
});

test("a press whose fee covers its gas is sold to any number of buyers", async () => {
  const pressId = await attacked.press(cheap, 2_000_000n);
  const readers = await repeatInOrder(12, () => makeWallet(attacked, 20_000_000n));
  const answers = await Promise.all(readers.map((reader) => buy(pressId, reader)));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 200));
});

test("the gas that a contract wallet wastes in a successful payment is charged to the wallet's own gas account", async () => {
  const { griefer, chain, payFrom, table, press } = attacked;
  const wallet = await griefer.deployWallet({ tell: "never", appetite: 250_000n });
  const before = await chain.getBlockNumber();
  let fees = 0;
  const answers = [];
  for (let read = 0; read < 4; read += 1) {
    const pressId = await press(honest, 1_000_000n);
    const fee = await payFrom(wallet, "treasury", pressId);
    answers.push(fee);
    if (fee.status !== 200) break;
    fees += 100_000;
    expect(await payFrom(wallet, "publisher", pressId)).toMatchObject({ status: 200 });
  }
  const spent = await computeSpent(before);
  console.info(`${fees / 100_000} reads for ${fees} units of fees took ${spent} units of gas.`);
  expect(answers[0]).toMatchObject({ status: 200 });
  expect(answers.at(-1)).toMatchObject({ status: 429, code: "wallet_gas_limit" });
  expect(spent).toBeLessThanOrEqual(fees + allowance);
  const day = new Date().toISOString().slice(0, 10);
  const { data } = await table.entities.gas.get({ subject: `wallet:${lower(wallet)}`, day }).go();
  expect(data?.spent).toBeGreaterThan(0);
});

test("a contract wallet that pays fees with little gas and wastes gas in payments to the publisher gets only the gas that its fees and its allowance pay for", async () => {
  attacked.later(convertDaysToMs(32));
  const { griefer, chain, payFrom, press } = attacked;
  const wallet = await griefer.deployWallet({ tell: "never" });
  const presses = await repeatInOrder(6, () => press(honest));
  const before = await chain.getBlockNumber();
  for (const pressId of presses) {
    expect(await payFrom(wallet, "treasury", pressId)).toMatchObject({ status: 200 });
  }
  await griefer.changeSettings(wallet, { tell: "never", appetite: 340_000n });
  const answers = [];
  for (const pressId of presses) answers.push(await payFrom(wallet, "publisher", pressId));
  expect(await computeSpent(before)).toBeLessThanOrEqual(presses.length * 100_000 + allowance);
  expect(answers.at(-1)).toMatchObject({ status: 429, code: "wallet_gas_limit" });
  // The wallet can complete its purchases as soon as its payments to the publisher use as little gas as its fee payments.
  await griefer.changeSettings(wallet, { tell: "never" });
  for (const [index, pressId] of presses.entries()) {
    const status = answers[index]?.status === 200 ? 409 : 200;
    expect(await payFrom(wallet, "publisher", pressId)).toMatchObject({ status });
  }
});

test("if a plain account gets code after it has paid a fee, the gas that its code wastes is not charged to the publisher's gas account", async () => {
  attacked.later(convertDaysToMs(35));
  const { griefer, chain, payFrom, press, table } = attacked;
  const reader = makeAccount();
  await fund(attacked, reader);
  const wallet = lower(reader.address);
  const pressId = await press(cheap, 1_000_000n);
  expect(await payFrom(wallet, "treasury", pressId, reader)).toMatchObject({ status: 200 });
  await delegate(attacked, reader, await griefer.deployImplementation());
  await griefer.call(wallet, griefer.encodeInitCall({ tell: "never", appetite: 250_000n }));
  const before = await chain.getBlockNumber();
  expect(await payFrom(wallet, "publisher", pressId)).toMatchObject({ status: 200 });
  const readSpent = async (subject: string) =>
    (await table.entities.gas.get({ subject, day: computeDay(35) }).go()).data?.spent ?? 0;
  expect(await readSpent(`payee:${lower(cheap.address)}`)).toBe(0);
  expect(await readSpent(`wallet:${wallet}`)).toBeGreaterThan((await computeSpent(before)) - 100_000);
});

test("if a reader settles the fee of a cheap press himself, the gas of his second payment is reserved at once on the gas account of the press's publisher", async () => {
  attacked.later(convertDaysToMs(38));
  const pressId = await attacked.press(cheap, 10_000n);
  const [entry] = (await ask("treasury", pressId)).accepts ?? [];
  if (entry === undefined) throw new Error("No terms.");
  const reader = await makeWallet(attacked, 20_000_000n);
  const { header, call } = await authorize(reader, entry);
  await send(attacked, honest, usdg, call);
  expect(await ask("treasury", pressId, header)).toMatchObject({ status: 200 });
  const payee = { subject: `payee:${lower(cheap.address)}`, day: computeDay(38) };
  const readSpent = async () => (await attacked.table.entities.gas.get(payee).go()).data?.spent ?? 0;
  expect(await readSpent()).toBeGreaterThan(30_000);
  const before = await attacked.chain.getBlockNumber();
  expect(await pay("publisher", pressId, reader)).toMatchObject({ status: 200 });
  // The recorded cost is rounded up once.
  expect(Math.abs((await readSpent()) + 1_000 - (await computeSpent(before)))).toBeLessThanOrEqual(1);
});

/** A wallet's gas account on the UTC day that is `days` days from now. */
const makeAccountKey = (wallet: Address, days: number) => ({
  subject: `wallet:${lower(wallet)}`,
  day: computeDay(days),
});

/** Uses up the daily gas allowance of a wallet. */
async function spendAllowance(wallet: Address, days: number): Promise<void> {
  const { gas } = attacked.table.entities;
  await gas.upsert({ ...makeAccountKey(wallet, days), spent: allowance, expiresAt: 2e9 }).go();
}

test("the part of a fee that has paid for wasted gas is not counted again for the gas of the second payment", async () => {
  attacked.later(convertDaysToMs(41));
  const { griefer, chain, payFrom, press } = attacked;
  const wallet = await griefer.deployWallet({ tell: "switch", appetite: 340_000n });
  const presses = await repeatInOrder(8, () => press(honest, 2_520_000n));
  const before = await chain.getBlockNumber();
  const paid: number[] = [];
  for (const pressId of presses) {
    if ((await payFrom(wallet, "treasury", pressId)).status === 200) paid.push(pressId);
  }
  expect(paid.length).toBeGreaterThan(0);
  attacked.armWallets(new Set([wallet]));
  for (const [index, pressId] of paid.entries()) {
    attacked.later(convertDaysToMs(41) + index * 10_000);
    expect(await payFrom(wallet, "publisher", pressId)).toMatchObject({ status: 402 });
  }
  attacked.node.around = undefined;
  expect(await computeSpent(before)).toBeLessThanOrEqual(paid.length * 252_000 + allowance);
});

test.each([
  { past: "a fee that the wallet settles itself", fails: false, days: 44 },
  { past: "a failed fee that the wallet then settles itself", fails: true, days: 47 },
])("$past reserves no gas for the second payment of the wallet", async ({ fails, days }) => {
  attacked.later(convertDaysToMs(days));
  const { griefer, payFrom, press, pay: present, signPayment } = attacked;
  const wallet = await griefer.deployWallet({ tell: "switch" });
  const pressId = await press();
  const { header, call } = await signPayment(wallet, "treasury", pressId);
  if (fails) {
    attacked.armWallets(new Set([wallet]));
    expect(await present("treasury", pressId, header)).toMatchObject({ status: 402 });
    attacked.node.around = undefined;
    attacked.later(convertDaysToMs(days) + 10_000);
  }
  await griefer.call(exactProxy, call);
  expect(await present("treasury", pressId, header)).toMatchObject({ status: 200 });
  await spendAllowance(wallet, days);
  expect(await payFrom(wallet, "publisher", pressId)).toMatchObject({
    status: 429,
    code: "wallet_gas_limit",
  });
  attacked.later(convertDaysToMs(days + 1));
  expect(await payFrom(wallet, "publisher", pressId)).toMatchObject({ status: 200 });
});

test("on the next day, a second payment that needs more gas than its fee has reserved is paid from that day's allowance", async () => {
  attacked.later(convertDaysToMs(50));
  const { griefer, payFrom, press } = attacked;
  const wallet = await griefer.deployWallet({ tell: "never" });
  const pressId = await press();
  expect(await payFrom(wallet, "treasury", pressId)).toMatchObject({ status: 200 });
  await griefer.changeSettings(wallet, { tell: "never", appetite: 100_000n });
  await spendAllowance(wallet, 50);
  const refused = await payFrom(wallet, "publisher", pressId);
  expect(refused).toMatchObject({ status: 429, code: "wallet_gas_limit" });
  attacked.later(convertDaysToMs(50) + (refused.retryAfter ?? 0) * 1000);
  expect(await payFrom(wallet, "publisher", pressId)).toMatchObject({ status: 200 });
});

test("the gas that is reserved for a second payment is released if the wallet has lost its code before this payment", async () => {
  attacked.later(convertDaysToMs(53));
  const { griefer, payFrom, press, table } = attacked;
  const reader = makeAccount();
  await fund(attacked, reader);
  const wallet = lower(reader.address);
  await delegate(attacked, reader, await griefer.deployImplementation());
  await griefer.call(wallet, griefer.encodeInitCall({ tell: "never" }));
  const pressId = await press();
  expect(await payFrom(wallet, "treasury", pressId, reader)).toMatchObject({ status: 200 });
  const readKept = async () => (await table.entities.gas.get(makeAccountKey(wallet, 53)).go()).data?.kept;
  expect(await readKept()).toBeGreaterThan(0);
  await delegate(attacked, reader, zeroAddress);
  expect(await payFrom(wallet, "publisher", pressId, reader)).toMatchObject({ status: 200 });
  expect(await readKept()).toBe(0);
});
