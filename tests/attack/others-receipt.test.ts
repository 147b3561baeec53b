import { getAddress } from "viem/utils";
import { beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { encodeHeader } from "../../core/payment/index.ts";
import { ReceiptList } from "../../core/receipt/schema.ts";
import { type Press, type parts, type Reader, startBearers } from "../support/bearers.ts";
import { makeRefusal } from "../support/http-payer.ts";
import { listTransfers } from "../support/ledger.ts";
import { startPart } from "../support/provide.ts";

/**
 * The service gives the signed receipt of a payment to anybody who names the payment's transaction. A signed receipt for another payer's
 * payment must show only who has paid which leg of which press, when, and by which transaction. The chain does not show the press.
 */
let press: Press;
let buyer: Reader;
let rival: Reader;
const bought: Partial<Record<keyof typeof parts, string>> = {};

const Paid = z.object({ tx: z.string() });

const world = startPart(startBearers);
beforeAll(async () => {
  [press] = world.presses;
  [buyer, rival] = [await world.makeReader(), await world.makeReader(press)];
  for (const part of ["treasury", "publisher"] as const) {
    const { body } = await world.request(press, part, (await world.sign(buyer, press, part)).header);
    bought[part] = Paid.parse(body).tx;
  }
});

async function fetchReceipts(transaction: string | undefined) {
  const response = await fetch(`${world.service.origin}/api/receipts/${transaction}`);
  return { status: response.status, cookie: response.headers.get("set-cookie"), body: await response.json() };
}

test.each(["treasury", "publisher"] as const)(
  "a receipt for another reader's payment (%s) names its payer, press and payee, and gives neither text nor session",
  async (part) => {
    const { status, cookie, body } = await fetchReceipts(bought[part]);
    expect([status, cookie]).toEqual([200, null]);
    expect(ReceiptList.parse(body).receipts.map(({ payload }) => payload)).toEqual([
      expect.objectContaining({
        payer: getAddress(buyer.wallet),
        transaction: bought[part],
        resourceUrl: `${world.service.origin}/api/pay/${part}#pressId=${press.pressId}`,
      }),
    ]);
    expect(JSON.stringify(body)).not.toContain(press.text.slice(0, 60));
  },
);

test("a receipt for another reader's payment opens no text and is not accepted as a payment, whichever header contains it", async () => {
  const { receipts } = ReceiptList.parse((await fetchReceipts(bought.publisher)).body);
  const [receipt] = receipts;
  const shown = encodeHeader(receipt);
  const claimed = encodeHeader({
    success: true,
    transaction: bought.publisher,
    network: "eip155:4663",
    payer: rival.wallet,
  });
  for (const value of [shown, claimed]) {
    const headers = { "payment-response": value, "sign-in-with-x": value };
    const read = await fetch(`${world.service.origin}/api/presses/${press.slug}`, { headers });
    expect(await read.text()).not.toContain(press.text.slice(0, 60));
    for (const part of ["treasury", "publisher"] as const) {
      const answer = await world.request(press, part, value);
      expect(answer).toMatchObject(makeRefusal(402, "malformed_payment_header"));
    }
  }
  expect(await world.listCharges(rival)).toEqual([]);
  expect(await listTransfers(world, { from: rival.wallet })).toHaveLength(1);
});

test("a transaction that has paid for no press of this service has no receipt, whoever sent it", async () => {
  const block = await world.client.getBlock({ blockNumber: 1n });
  expect(await fetchReceipts(block.transactions[0] ?? `0x${"7".repeat(64)}`)).toMatchObject(
    makeRefusal(404, "unknown_receipt"),
  );
  const moved = await listTransfers(world, { to: rival.wallet });
  expect(moved).toHaveLength(1);
  expect(await fetchReceipts(moved[0]?.txHash)).toMatchObject(makeRefusal(404, "unknown_receipt"));
});
