import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import type { HDAccount } from "viem/accounts";
import { expect, test } from "vitest";
import * as z from "zod";
import { lower } from "../../../core/chain/hex.ts";
import { AppError } from "../../../core/error.ts";
import { pay, reconcile } from "../../../core/payment/index.ts";
import type { Leg } from "../../../core/payment/schema.ts";
import { makeFundedWallets } from "../../support/crowd.ts";
import { countReads, listBusyRelayers, listTransfers } from "../../support/ledger.ts";
import { getTestAccount, listPress, makeSignedHeader } from "../../support/payment.ts";
import { startPart } from "../../support/provide.ts";
import { startRoughPayments } from "../../support/rough.ts";

let conflicts = 0;
const Request = z.object({ TransactItems: z.array(z.unknown()) });

const payments = startPart(startRoughPayments);

/** Makes every third table transaction conflict, in addition to real conflicts. */
function addConflicts() {
  let transactions = 0;
  payments.store.database.client.middlewareStack.add(
    (next) => async (request) => {
      const parsed = Request.safeParse(request.input);
      transactions += parsed.success ? 1 : 0;
      if (!parsed.success || transactions % 3 !== 0) return next(request);
      conflicts += 1;
      throw new TransactionCanceledException({
        message: "Transaction cancelled",
        $metadata: {},
        CancellationReasons: parsed.data.TransactItems.map((_, index) => ({
          Code: index === 0 ? "TransactionConflict" : "None",
        })),
      });
    },
    { step: "initialize", name: "conflicts" },
  );
}

async function buy(account: HDAccount, leg: Leg, pressId: number): Promise<void> {
  let header: string | undefined;
  for (let repeats = 0; repeats < 20; repeats += 1) {
    try {
      header ??= await makeSignedHeader(payments, account, leg, pressId);
      expect(await pay(payments.ports, { leg, pressId, header })).toMatchObject({ kind: "paid" });
      return;
    } catch (error) {
      if (!(error instanceof AppError && error.kind === "upstream")) throw error;
      await payments.ports.clock.sleep(100);
    }
  }
  throw new Error("Never paid");
}

test("conflicting table transactions are repeated, and no payment is lost or counted twice", async () => {
  const pressId = await listPress(payments, getTestAccount(4));
  const wallets = await makeFundedWallets(payments, 12, 10_000_000n);
  const since = await payments.client.getBlockNumber();
  addConflicts();
  await payments.begin();
  await Promise.all(
    wallets.map(async (wallet) => {
      await buy(wallet, "fee", pressId);
      await buy(wallet, "publisher", pressId);
    }),
  );
  await payments.end();
  // Writes of the same moment share a table transaction, so the number of transactions and the number of conflicts differ between runs.
  expect(conflicts).toBeGreaterThan(0);
  for (const wallet of wallets) {
    const moved = await listTransfers(payments, { from: lower(wallet.address) }, since);
    expect(moved.map(({ value }) => value)).toEqual([25_000n, 225_000n]);
  }
  // The reconciler counts the reads that could not be counted earlier because of conflicts, and counts each of them once.
  for (const _ of [1, 2]) await reconcile(payments.ports);
  expect(await countReads(payments.ports, pressId + 1000)).toBe(wallets.length);
  expect(await listBusyRelayers(payments.ports)).toEqual([]);
});
