import type { HDAccount } from "viem/accounts";
import { afterEach, beforeAll, expect, test } from "vitest";
import { type Address, lower } from "../../core/chain/hex.ts";
import { platformIndexes } from "../../local/devnet/accounts.ts";
import { type PayAnswer, startTarget } from "../support/attacked.ts";
import { findPayer } from "../support/griefer.ts";
import { encodeTransfer, send, usdg } from "../support/payment.ts";
import { repeatInOrder, startPart } from "../support/provide.ts";
import { deployContractWallet, fund, makeAccount } from "../support/wallets.ts";

/**
 * New wallets and code are cheap, so the whole service has a daily gas budget for failures. When the daily gas budget is used up, contract
 * wallets that have never paid must wait until the next day. Plain accounts and wallets that have paid before can go on paying.
 */
let regular: { readonly wallet: Address; readonly owner: HDAccount };
let reader: HDAccount;

/** The price of a gas unit in USDG base units, at a gas price of a tenth of a gwei and 3,000 USDG per ETH. */
const unit = 0.3;
/** Limits in gas units: for the failures of a day, for one payment, and for one wallet in a day. */
const [budget, legGas, walletGas] = [1_500_000, 600_000, 2_000_000];
const greedy = { tell: "switch", appetite: 300_000n } as const;
const ambushed = new Set<Address>();

const attacked = startPart(() =>
  startTarget({
    environment: { FAILED_GAS_USDG_PER_DAY: "0.45", GAS_ALLOWANCE_USDG: "0.6" },
  }),
);
beforeAll(async () => {
  attacked.armWallets(ambushed);
  regular = await makeHonestWallet();
  reader = makeAccount();
  await fund(attacked, reader);
  expect(await buyPress(regular.wallet, regular.owner)).toEqual([200, 200]);
});
afterEach(() => attacked.now());

/** An honest contract wallet and the key that signs for it. */
async function makeHonestWallet() {
  const owner = makeAccount();
  return {
    wallet: await deployContractWallet(attacked, owner),
    owner,
  };
}

/** Returns the statuses of the answers to both payments for a new press. If the first payment is refused, no second payment is sent. */
async function buyPress(wallet: Address, signer: HDAccount): Promise<readonly number[]> {
  const pressId = await attacked.press();
  const fee = await attacked.payFrom(wallet, "treasury", pressId, signer);
  if (fee.status !== 200) return [fee.status];
  return [200, (await attacked.payFrom(wallet, "publisher", pressId, signer)).status];
}

type Attack = { readonly tame: boolean; readonly repaired?: boolean; readonly appetite?: bigint };

/**
 * Makes an attacker whose wallet burns all the gas of a payment. The wallet of a `tame` attacker pays a fee honestly before its attack. The
 * record of a `repaired` attacker's fee looks as if the repair job had written it.
 */
async function makeAttacker({ tame, repaired = false, appetite = greedy.appetite }: Attack) {
  const { griefer, payFrom, press, table } = attacked;
  const habits = { ...greedy, appetite };
  const wallet = await griefer.deployWallet(tame ? { tell: "never" } : habits);
  const pressId = await press();
  if (tame) {
    expect(await payFrom(wallet, "treasury", pressId)).toMatchObject({ status: 200 });
    const fee = table.entities.settlement.patch({ wallet, pressId, leg: "fee" });
    if (repaired) await fee.remove(["carry"]).go();
    await griefer.changeSettings(wallet, habits);
  }
  ambushed.add(wallet);
  return { wallet, pressId, last: await payFrom(wallet, tame ? "publisher" : "treasury", pressId) };
}

async function spendAll(): Promise<{ readonly gas: number; readonly last: PayAnswer }> {
  const before = await attacked.chain.getBlockNumber();
  for (let tries = 0; tries < 10; tries += 1) {
    const { last } = await makeAttacker({ tame: false });
    if (last.status !== 402) return { last, ...(await attacked.sumBurnedGas(before)) };
  }
  throw new Error("Nothing stops the attack.");
}

const closed = { status: 503, code: "payments_unavailable" };

test("if the daily gas budget is used up, only contract wallets that have never paid are refused", async () => {
  const [early, tame] = [await makeHonestWallet(), await makeHonestWallet()];
  const pressId = await attacked.press();
  expect(await attacked.payFrom(early.wallet, "treasury", pressId, early.owner)).toMatchObject({
    status: 200,
  });

  const fresh = await spendAll();
  expect(fresh.last).toMatchObject(closed);
  expect(fresh.gas).toBeGreaterThan(budget / 2);
  expect(fresh.gas).toBeLessThanOrEqual(budget);

  const newcomer = await attacked.payFrom(tame.wallet, "treasury", pressId, tame.owner);
  expect(newcomer).toMatchObject(closed);
  expect(newcomer.error).toContain("Nothing was charged");
  expect(newcomer.retryAfter).toBeLessThanOrEqual(24 * 60 * 60);
  expect(await buyPress(lower(reader.address), reader)).toEqual([200, 200]);
  expect(await buyPress(regular.wallet, regular.owner)).toEqual([200, 200]);
  // A wallet whose fee was taken can also pay the rest of the price.
  const rest = await attacked.payFrom(early.wallet, "publisher", pressId, early.owner);
  expect(rest).toMatchObject({ status: 200 });

  attacked.later((newcomer.retryAfter ?? 0) * 1000);
  expect(await buyPress(tame.wallet, tame.owner)).toEqual([200, 200]);
});

test("a wallet that has paid a fee can pay the rest of the price, even if the wallet, its code and the whole service then burn very much gas", async () => {
  attacked.later(10 * 24 * 60 * 60 * 1000);
  const { griefer, payFrom, press } = attacked;
  const wallet = await griefer.deployWallet({ tell: "never" });
  const owed = await press();
  expect(await payFrom(wallet, "treasury", owed)).toMatchObject({ status: 200 });
  // The wallet burns its gas budget on presses whose fee it has not paid.
  await griefer.changeSettings(wallet, greedy);
  ambushed.add(wallet);
  let wait = 10 * 24 * 60 * 60 * 1000;
  let last: PayAnswer | undefined;
  for (let tries = 0; tries < 12; tries += 1) {
    last = await payFrom(wallet, "treasury", await press());
    if (last.status === 503 || (last.retryAfter ?? 0) > 60) break;
    wait += 10_000;
    attacked.later(wait);
  }
  expect([429, 503]).toContain(last?.status);
  expect(last?.retryAfter).toBeGreaterThan(60);
  await spendAll();
  attacked.later(wait + 20_000);
  ambushed.delete(wallet);
  await griefer.changeSettings(wallet, { tell: "never" });
  expect(await payFrom(wallet, "treasury", await press())).not.toMatchObject({ status: 200 });
  expect(await payFrom(wallet, "publisher", owed)).toMatchObject({ status: 200 });
});

test.each([
  { appetite: greedy.appetite, repaired: false, days: 12 },
  { appetite: 10_000n, repaired: false, days: 16 },
  { appetite: 10_000n, repaired: true, days: 18 },
])(
  "if a wallet burns the gas that is reserved for its second payment for a press, the wallet gets no more gas for that press on the same day (appetite: $appetite, repaired: $repaired)",
  async ({ days, ...attack }) => {
    const start = days * 24 * 60 * 60 * 1000;
    attacked.later(start);
    const before = await attacked.chain.getBlockNumber();
    const { wallet, pressId, last } = await makeAttacker({ tame: true, ...attack });
    expect(last.status).toBe(402);
    let wait = start;
    let answer: PayAnswer = last;
    for (let tries = 0; tries < 18 && (answer.retryAfter ?? 0) <= 60; tries += 1) {
      wait += 10_000;
      attacked.later(wait);
      answer = await attacked.payFrom(wallet, "publisher", pressId);
    }
    expect(answer.retryAfter).toBeGreaterThan(60);
    expect((await attacked.sumBurnedGas(before)).gas).toBeLessThanOrEqual(walletGas + legGas);
    // On the next day the wallet can pay again; in this test it pays for another press.
    ambushed.delete(wallet);
    attacked.later(wait + (answer.retryAfter ?? 0) * 1000);
    expect(await attacked.payFrom(wallet, "treasury", await attacked.press())).toMatchObject({ status: 200 });
  },
);

test("if wallets pay honestly before they attack, only these wallets are refused", async () => {
  attacked.later(2 * 24 * 60 * 60 * 1000);
  const before = await attacked.chain.getBlockNumber();
  const burned = await repeatInOrder(5, () => makeAttacker({ tame: true }));
  expect((await attacked.sumBurnedGas(before)).gas).toBeGreaterThan(budget);
  attacked.later(2 * 24 * 60 * 60 * 1000 + 20_000);
  for (const { wallet, pressId } of burned.slice(0, 1)) {
    expect(await attacked.payFrom(wallet, "publisher", pressId)).toMatchObject(closed);
  }
  expect(await buyPress(regular.wallet, regular.owner)).toEqual([200, 200]);
  expect(await buyPress(lower(reader.address), reader)).toEqual([200, 200]);
});

test("simultaneous attackers that wait for relayers spend no more gas than is reserved for them", async () => {
  attacked.later(4 * 24 * 60 * 60 * 1000);
  const { griefer, chain, headerOf, pay, press } = attacked;
  const wallets = await repeatInOrder(platformIndexes.relayers.length + 4, () =>
    griefer.deployWallet(greedy),
  );
  for (const wallet of wallets) ambushed.add(wallet);
  const pressId = await press();
  const headers = await Promise.all(wallets.map((wallet) => headerOf(wallet, "treasury", pressId)));
  const before = await chain.getBlockNumber();
  await Promise.all(headers.map((header) => pay("treasury", pressId, header)));
  const { gas } = await attacked.sumBurnedGas(before);
  expect(gas).toBeGreaterThan(budget / 2);
  expect(gas).toBeLessThanOrEqual(budget + platformIndexes.relayers.length * legGas);
});

/** A plain account that pays for several presses at once and moves its USDG away just before the payments are broadcast. */
async function makeThief() {
  const { chain, node, press, payFrom } = attacked;
  const [key, accomplice] = [makeAccount(), makeAccount()];
  await fund(attacked, key);
  await chain.setBalance({ address: accomplice.address, value: 10n ** 18n });
  const move = (from: HDAccount, to: HDAccount) =>
    send(attacked, from, usdg, encodeTransfer(to.address, 100_000_000n));
  const presses = await repeatInOrder(platformIndexes.relayers.length, () => press());

  /**
   * The attacker's account waits a moment after the first broadcast, so that its other payments reach the service before its money is gone.
   * A payment that arrives after the money is gone is refused for lack of money, and burns no gas.
   */
  async function attackOnce(): Promise<readonly PayAnswer[]> {
    const all = Promise.withResolvers<void>();
    let waiting = 0;
    const gone = all.promise.then(() => move(key, accomplice));
    let timer: NodeJS.Timeout | undefined;
    const ambush = node.around;
    node.around = async (raw) => {
      if (findPayer(raw) !== lower(key.address)) return async () => undefined;
      waiting += 1;
      timer ??= setTimeout(all.resolve, 200);
      if (waiting === presses.length) all.resolve();
      await gone;
      return async () => undefined;
    };
    const answers = await Promise.all(
      presses.map((pressId) => payFrom(lower(key.address), "treasury", pressId, key)),
    );
    clearTimeout(timer);
    all.resolve();
    await gone;
    await move(accomplice, key);
    node.around = ambush;
    return answers;
  }
  return { key, presses, attackOnce };
}

test("a plain account that moves its money away at the last moment spends only its own gas budget", async () => {
  attacked.later(6 * 24 * 60 * 60 * 1000);
  const day = new Date(Date.now() + 6 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
  const { gas: counted } = attacked.table.entities;
  const before = await attacked.chain.getBlockNumber();
  const { key, presses, attackOnce } = await makeThief();
  expect(await attackOnce()).not.toContainEqual(expect.objectContaining({ status: 200 }));
  const { gas, failures } = await attacked.sumBurnedGas(before);
  expect(failures).toBeGreaterThan(0);
  const own = { subject: `wallet:${lower(key.address)}`, day };
  const spent = (await counted.get(own).go()).data?.spent ?? 0;
  expect(spent).toBeGreaterThanOrEqual(Math.floor(gas * unit));
  // The gas cost of each failure is rounded up separately.
  expect(spent).toBeLessThanOrEqual(gas * unit + failures);
  for (const subject of ["service:fresh", "service:paid"]) {
    expect((await counted.get({ subject, day }).go()).data).toBeNull();
  }
  await counted
    .patch(own)
    .set({ spent: walletGas * unit })
    .go();
  const [pressId = 0] = presses;
  const refusal = await attacked.payFrom(lower(key.address), "treasury", pressId, key);
  expect(refusal).toMatchObject({ status: 429, code: "wallet_gas_limit" });
  expect(refusal.retryAfter).toBeLessThanOrEqual(24 * 60 * 60);
});

test("a wallet that has burned its reserved gas can pay the rest of the price on the next day", async () => {
  // A broadcast permit is valid until the chain's clock reaches the permit's deadline, so this test also moves the chain's clock. This test
  // must be the last test of the file, because the chain's clock cannot move back.
  const start = 14 * 24 * 60 * 60 * 1000;
  attacked.later(start);
  const { wallet, pressId, last } = await makeAttacker({ tame: true });
  expect(last.status).toBe(402);
  ambushed.delete(wallet);
  await attacked.griefer.changeSettings(wallet, { tell: "never" });
  attacked.later(start + 24 * 60 * 60 * 1000);
  const lives = await attacked.payFrom(wallet, "publisher", pressId);
  expect(lives).toMatchObject({ status: 503, code: "payments_unavailable" });
  expect(lives.retryAfter).toBeLessThanOrEqual(6);
  await attacked.chain.increaseTime({ seconds: 15 * 24 * 60 * 60 });
  await attacked.chain.mine({ blocks: 1 });
  expect(await attacked.payFrom(wallet, "publisher", pressId)).toMatchObject({ status: 200 });
});
