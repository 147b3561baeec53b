import { randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import { lower } from "../../core/chain/hex.ts";
import { reconcile } from "../../functions/job/payment.ts";
import { log } from "../../functions/lib/log.ts";
import { startPart } from "../support/provide.ts";
import { startTestService } from "../support/service.ts";
import { makeAccount } from "../support/wallets.ts";

const service = startPart(startTestService);

/** A sent errand or payment whose transaction is missing in the table. The reconciler treats such a loss as a defect. */
const makeLostFields = () => ({
  wallet: lower(makeAccount().address),
  claim: randomUUID(),
  claimUntil: 0,
  txHash: "0x1",
});

test("a defect in errands hides neither the counts of payments nor a defect in payments", async () => {
  const info = vi.spyOn(log, "info");
  const error = vi.spyOn(log, "error");
  const { errand, settlement } = service.table.entities;
  const until = String(Math.floor(Date.now() / 1000) + 600);
  const vote = { kind: "vote", what: "1", to: "0x1", amount: "1", until, relayer: "0x1" } as const;
  const sent = { state: "sent", pending: "errand", ethPrice: 1, reserved: 1, spent: 1 } as const;
  await errand.put({ ...makeLostFields(), ...vote, ...sent }).go();
  const run = () => reconcile({}, { awsRequestId: randomUUID() });
  const errandDefect = { message: "Some errands could not be reconciled" };
  await expect(run()).rejects.toMatchObject({ errors: [errandDefect] });
  expect(info).toHaveBeenCalledWith("Payments reconciled", expect.objectContaining({ unknown: 0 }));

  const signed = { method: "permit2", chainId: 4663, token: "0x1", spender: "0x1", payTo: "0x1" } as const;
  const numbers = { amount: "1", nonce: "1", validAfter: "0", deadline: until, block: 0 };
  const article = { id: 1, slug: "one", headline: "One", stock: "AAPL", priceUnits: "10" };
  await settlement
    .put({
      ...makeLostFields(),
      ...article,
      pressId: 1,
      leg: "fee",
      state: "submitted",
      pending: "pending",
      transaction: randomUUID(),
      signed: { ...signed, ...numbers, signature: "0x1" },
      changedAt: 0,
    })
    .go();
  error.mockClear();
  const paymentDefect = { message: "Some payments could not be reconciled" };
  await expect(run()).rejects.toMatchObject({ errors: [paymentDefect, errandDefect] });
  for (const defect of [paymentDefect, errandDefect]) {
    expect(error).toHaveBeenCalledWith(expect.any(String), { error: expect.objectContaining(defect) });
  }
});
