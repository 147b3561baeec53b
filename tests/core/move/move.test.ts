import type { HDAccount } from "viem/accounts";
import { beforeAll, expect, test } from "vitest";
import { lower } from "../../../core/chain/hex.ts";
import { reconcile } from "../../../core/errand/index.ts";
import { move } from "../../../core/move/index.ts";
import { MoveInput } from "../../../core/move/schema.ts";
import type { PaymentPorts } from "../../../core/payment/index.ts";
import { isPending, makeErrandFaults, toHash } from "../../support/errands.ts";
import { advanceClock, alterNode } from "../../support/interference.ts";
import { listBusyRelayers } from "../../support/ledger.ts";
import {
  approve,
  authorize,
  getTestAccount,
  listPress,
  payLeg,
  readBalance,
  startPayments,
} from "../../support/payment.ts";
import { startPart } from "../../support/provide.ts";

/** A move of USDG is sent once, is counted once, and costs no more gas than was reserved, even if some step of the move fails. */
let pressId: number;
const payments = startPart(startPayments);
const { deaf, mute, dear, makeKeylessPorts, readErrand, readTransaction } = makeErrandFaults(payments);
beforeAll(async () => {
  pressId = await listPress(payments, getTestAccount(4), 4_000_000n);
  for (const account of [6, 7, 8, 9].map(getTestAccount)) await buy(account);
});

async function buy(account: HDAccount): Promise<void> {
  await approve(payments, account);
  for (const leg of ["fee", "publisher"] as const) await payLeg(payments, account, leg, pressId);
}

const to = lower(getTestAccount(30).address);

/** Signs the input of a move of USDG; the default amount is one USDG. */
async function sign(account: HDAccount, amount = "1000000") {
  const { said, signature } = await authorize(account, { amount, payTo: to });
  return MoveInput.parse({ authorization: said, signature });
}

/** The number of transactions that our keys have sent. */
async function countOurTransactions(): Promise<number> {
  const addresses = await payments.ports.relayers.addresses();
  const counts = await Promise.all(
    addresses.map((address) => payments.client.getTransactionCount({ address })),
  );
  return counts.reduce((sum, one) => sum + one, 0);
}

test("a repeated request finds a move of USDG whose answer was lost, so that the move is sent once and its gas counted once", async () => {
  const input = await sign(getTestAccount(6));
  const [before, had] = [await countOurTransactions(), await readBalance(payments, to)];
  await expect(move(deaf(), input)).rejects.toMatchObject(isPending);
  expect(await readErrand(getTestAccount(6).address)).toMatchObject({ state: "sent" });
  expect(await move(payments.ports, input)).toMatchObject({ moved: true, already: true });
  expect(await move(payments.ports, input)).toMatchObject({ moved: true, already: true });
  expect([await countOurTransactions(), await readBalance(payments, to)]).toEqual([
    before + 1,
    had + 1_000_000n,
  ]);
  const record = await readErrand(getTestAccount(6).address);
  const receipt = await payments.client.getTransactionReceipt({ hash: toHash(record?.txHash) });
  const wei = receipt.gasUsed * receipt.effectiveGasPrice;
  expect(record).toMatchObject({ state: "done", reserved: 0 });
  expect(record?.spent).toBe(Number((wei * 3_000_000_000n + 10n ** 18n - 1n) / 10n ** 18n));
  expect(await listBusyRelayers(payments.ports)).toEqual([]);
});

const makeLaterPorts = (milliseconds: number) => advanceClock(payments.ports, milliseconds);

test("the reconciler ends a move of USDG that is never requested again, and releases the move's reserved gas", async () => {
  const account = getTestAccount(6);
  const before = await readErrand(account.address);
  await expect(move(deaf(), await sign(account))).rejects.toMatchObject(isPending);
  expect((await readErrand(account.address))?.reserved).toBeGreaterThan(0);
  expect(await reconcile(payments.ports)).toEqual({ ended: 0, pending: 0 });
  expect(await reconcile(makeLaterPorts(31_000))).toEqual({ ended: 1, pending: 0 });
  const record = await readErrand(account.address);
  expect(record).toMatchObject({ state: "done", reserved: 0 });
  expect(record?.spent).toBeGreaterThan(before?.spent ?? 0);
  expect(await listBusyRelayers(payments.ports)).toEqual([]);
  expect(await reconcile(makeLaterPorts(31_000))).toEqual({ ended: 0, pending: 0 });
});

test("if the process of a move of USDG died before it sent a transaction, the reconciler ends the move and charges no gas for it", async () => {
  const account = getTestAccount(6);
  const before = await readErrand(account.address);
  if (before === undefined) throw new Error("The account has moved nothing.");
  const { spent } = before;
  const claimed = { state: "claimed", pending: "errand", claimUntil: Date.now() - 1, reserved: 500 } as const;
  const { errand: entity } = payments.ports.table.entities;
  await entity.put({ ...before, ...claimed, claim: "a dead process's", spent: spent + 500 }).go();
  expect(await reconcile(payments.ports)).toEqual({ ended: 1, pending: 0 });
  expect(await readErrand(account.address)).toMatchObject({ state: "failed", reserved: 0, spent });
});

test("if the process of a move of USDG died after the broadcast and before it wrote the records, the next request ends the move", async () => {
  const input = await sign(getTestAccount(7));
  const before = await countOurTransactions();
  let isDead = false;
  const ports = alterNode(payments.ports, /eth_sendRaw/, async (_, ask) => {
    const answers = await ask();
    isDead = true;
    return answers;
  });
  const table: PaymentPorts["table"] = Object.create(payments.ports.table, {
    transaction: {
      get: () => {
        if (isDead) throw new Error("The process has died.");
        return payments.ports.table.transaction;
      },
    },
  });
  await expect(move({ ...ports, table }, input)).rejects.toThrow("The process has died.");
  expect(await readErrand(getTestAccount(7).address)).toMatchObject({ state: "sent" });
  const other = await sign(getTestAccount(7));
  expect(await move(payments.ports, other)).toMatchObject({ moved: true });
  expect(await countOurTransactions()).toBe(before + 2);
  expect(await listBusyRelayers(payments.ports)).toEqual([]);
});

test("a repeated request sends a stored move of USDG that was never sent before, and uses at most the reserved gas", async () => {
  const account = getTestAccount(8);
  const input = await sign(account);
  const before = await countOurTransactions();
  await expect(move(mute(), input)).rejects.toMatchObject(isPending);
  const stored = await readErrand(account.address);
  await expect(move(dear(30n), input)).rejects.toMatchObject(isPending);
  const { gas = 0n, maxFeePerGas = 0n } = await readTransaction(account.address);
  const most = (gas * maxFeePerGas * 3_000_000_000n) / 10n ** 18n;
  expect(Number(most)).toBeLessThanOrEqual((stored?.reserved ?? 0) + 1);
  await expect.poll(() => move(payments.ports, input).catch(() => undefined)).toMatchObject({ moved: true });
  expect(await countOurTransactions()).toBe(before + 1);
});

test("if a move of USDG could not be sent before its deadline, its reserved gas counts as spent, and another move may follow", async () => {
  const account = getTestAccount(9);
  await expect(move(mute(), await sign(account))).rejects.toMatchObject(isPending);
  const { reserved = 0 } = (await readErrand(account.address)) ?? {};
  expect(reserved).toBeGreaterThan(0);
  const later = { ...payments.ports.clock, now: () => Date.now() + 20 * 60_000 };
  const { said, signature } = await authorize(
    account,
    { amount: "1000000", payTo: to },
    { validBefore: BigInt(Math.floor(later.now() / 1000) + 300) },
  );
  const input = MoveInput.parse({ authorization: said, signature });
  expect(await move({ ...payments.ports, clock: later }, input)).toMatchObject({ moved: true });
  expect((await readErrand(account.address))?.spent).toBeGreaterThan(reserved);
});

test("a move of USDG that could not be signed frees its key and its reserved gas", async () => {
  const account = getTestAccount(6);
  const spent = (await readErrand(account.address))?.spent;
  await expect(move(makeKeylessPorts(), await sign(account))).rejects.toMatchObject({ kind: "upstream" });
  expect(await readErrand(account.address)).toMatchObject({ state: "failed", reserved: 0, spent });
  expect(await listBusyRelayers(payments.ports)).toEqual([]);
});

test("a move of USDG is refused when its gas costs more than the paid fees cover", async () => {
  await expect(move(dear(600n), await sign(getTestAccount(6)))).rejects.toMatchObject({
    kind: "conflict",
    code: "move_without_credit",
  });
});
