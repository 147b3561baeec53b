import type { HDAccount } from "viem/accounts";
import { beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { lower } from "../../../core/chain/hex.ts";
import { type PayOutcome, pay, reconcile } from "../../../core/payment/index.ts";
import type { Leg } from "../../../core/payment/schema.ts";
import { makeFundedWallets } from "../../support/crowd.ts";
import { countReads, listBusyRelayers, listTransfers, readSettlement } from "../../support/ledger.ts";
import { approve, getTestAccount, listPress, makeSignedHeader, treasury } from "../../support/payment.ts";
import { startPart } from "../../support/provide.ts";
import { startRoughPayments } from "../../support/rough.ts";
import { makeConflict } from "../../support/table.ts";
import { repeatPatiently } from "./readers.ts";

const publisher = getTestAccount(4);
const reader = getTestAccount(5);
/**
 * The number of payers is greater than the number of transactions that the relayer keys can send at once. More payers would take too long
 * on an unreliable node, which delays each caller for seconds.
 */
const size = 16;
const price = 1_000_000n;
const parts = { fee: 100_000n, publisher: 900_000n } as const;

const payments = startPart(startRoughPayments);
beforeAll(() => approve(payments, reader));

type PaidOutcome = Extract<PayOutcome, { kind: "paid" }>;

/** Pays as an honest client does, and returns the number of answers that asked the client to repeat the request. */
async function payPatiently(account: HDAccount, leg: Leg, pressId: number) {
  let signed: string | undefined;
  const { value, repeats } = await repeatPatiently(payments.ports, async () => {
    signed ??= await makeSignedHeader(payments, account, leg, pressId);
    return pay(payments.ports, { leg, pressId, header: signed });
  });
  return { outcome: expectPaid(value), repeats };
}

function expectPaid(outcome: PayOutcome): PaidOutcome {
  if (outcome.kind !== "paid") throw new Error(`Not paid: ${outcome.terms.code}`);
  return outcome;
}

const TableTransaction = z.object({ TransactItems: z.array(z.unknown()) });

/**
 * Makes every third table transaction conflict, in addition to real conflicts. Returns a function that stops adding conflicts and returns
 * the number of added conflicts.
 */
function addConflicts(): () => number {
  const { middlewareStack } = payments.store.database.client;
  let transactions = 0;
  let conflicts = 0;
  middlewareStack.add(
    (proceed) => async (request) => {
      const parsed = TableTransaction.safeParse(request.input);
      transactions += parsed.success ? 1 : 0;
      if (!parsed.success || transactions % 3 !== 0) return proceed(request);
      conflicts += 1;
      throw makeConflict(parsed.data.TransactItems.length, 0);
    },
    { step: "initialize", name: "conflicts" },
  );
  return () => {
    middlewareStack.remove("conflicts");
    return conflicts;
  };
}

test("the chain and the table show the same payments after many wallets have paid for one press at once, although table transactions conflict", async () => {
  const pressId = await listPress(payments, publisher, price);
  const wallets = await makeFundedWallets(payments, size, price);
  const since = await payments.client.getBlockNumber();
  const endConflicts = addConflicts();
  await payments.begin();
  const began = performance.now();
  const bought = await Promise.all(
    wallets.map(async (wallet) => {
      const fee = await payPatiently(wallet, "fee", pressId);
      const text = await payPatiently(wallet, "publisher", pressId);
      return { wallet: lower(wallet.address), fee, text };
    }),
  ).finally(payments.end);
  const seconds = (performance.now() - began) / 1000;
  const repeats = bought.reduce((sum, { fee, text }) => sum + fee.repeats + text.repeats, 0);
  console.info(
    `${size * 2} payments in ${seconds.toFixed(1)} s: ${((size * 2) / seconds).toFixed(0)} a second, ${repeats} repeated`,
  );

  // Writes of the same moment share a table transaction, so the number of transactions and the number of conflicts differ between runs.
  expect(endConflicts()).toBeGreaterThan(0);
  // The reconciler counts the reads that could not be counted earlier because of conflicts, and counts each of them once.
  for (const _ of ["first", "again"]) await reconcile(payments.ports);
  for (const { text } of bought) expect(text.outcome.unlocked?.body).toBe(`The text of ${pressId}.`);
  for (const [leg, to] of [
    ["fee", treasury],
    ["publisher", lower(publisher.address)],
  ] as const) {
    const moved = await listTransfers(payments, { to }, since);
    const settled = await Promise.all(
      bought.map(async ({ wallet }) => readSettlement(payments.ports, wallet, pressId, leg)),
    );
    expect(settled.every((item) => item?.state === "settled" && item.pending === undefined)).toBe(true);
    expect(moved.map(({ from, value, txHash }) => [from, value, txHash]).toSorted()).toEqual(
      settled.map((item) => [item?.wallet, parts[leg], item?.txHash]).toSorted(),
    );
  }
  expect(await countReads(payments.ports, pressId + 1000)).toBe(size);
  expect(await listBusyRelayers(payments.ports)).toEqual([]);
});

test("one wallet that sends twenty payments for each leg, half of them with fresh signatures, pays each leg once", async () => {
  const pressId = await listPress(payments, publisher, price);
  const since = await payments.client.getBlockNumber();
  for (const leg of ["fee", "publisher"] as const) {
    const header = await makeSignedHeader(payments, reader, leg, pressId);
    const headers = await Promise.all(
      Array.from({ length: 20 }, (_, copy) =>
        copy % 2 === 0 ? header : makeSignedHeader(payments, reader, leg, pressId),
      ),
    );
    const outcomes = await Promise.allSettled(
      headers.map((one) =>
        repeatPatiently(payments.ports, () => pay(payments.ports, { leg, pressId, header: one })),
      ),
    );
    const answers = outcomes.flatMap((outcome) =>
      outcome.status === "fulfilled" ? [outcome.value.value] : [],
    );
    expect(new Set(answers.map(({ kind }) => kind))).toEqual(new Set(["paid"]));
    expect(new Set(answers.map(({ receipt }) => receipt?.transaction)).size).toBe(1);
    // The request that submitted the payment gets the text. If another request is the first to find that the payment was settled, that
    // other request gets the text too.
    if (leg === "fee") expect(answers).toHaveLength(headers.length);
    else expect(answers.length).toBeLessThanOrEqual(2);
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "already_unlocked" });
    }
  }
  const moved = await listTransfers(payments, { from: lower(reader.address) }, since);
  expect(moved.map(({ value }) => value)).toEqual([parts.fee, parts.publisher]);
  expect(await countReads(payments.ports, pressId + 1000)).toBe(1);
  expect(await listBusyRelayers(payments.ports)).toEqual([]);
});
