import { expect } from "vitest";
import { getTestAccount } from "../../../local/devnet/accounts.ts";
import { makeRefusal } from "../../support/http-payer.ts";
import { prove, proveEach } from "../holds.ts";
import { article, saveSuccessfully, writer } from "../world/desk.ts";
import {
  encodeHeader,
  makeMessage,
  makePaymentDocument,
  makeSignedPayment,
  signPermit,
} from "../world/permit.ts";
import { makeReader, requestEntry, sendPayRequest, Terms, type TermsEntry } from "../world/purse.ts";
import { makeOnce } from "../world/scene.ts";
import { runWithoutPart } from "../world/service.ts";
import { readTokenBalance } from "../world/token.ts";
import { fee, press, purchase } from "./purchase-scene.ts";

/** The answer of the publisher's payment endpoint to a wallet that has not paid the fee. */
const early = makeOnce(async () => {
  const { pressId } = await press();
  const reader = await makeReader();
  const before = await readTokenBalance(reader.address);
  const header = encodeHeader(await makeSignedPayment(reader, await requestEntry("publisher", pressId)));
  const answer = await sendPayRequest("publisher", pressId, header);
  return { answer, moved: before - (await readTokenBalance(reader.address)) };
});

proveEach<string>(
  {
    "4.4 publisher: fee first": "Pay the platform fee first.",
    "3 unlock: order": "Pay the platform fee first.",
    "7 409 Pay the platform fee first": "Pay the platform fee first.",
  },
  async (error) => {
    const { answer, moved } = await early();
    expect(answer).toMatchObject({ status: 409, body: { error } });
    expect(moved).toBe(0n);
  },
);

proveEach<string>(
  {
    "4.4 publisher: already": "You've already unlocked this press.",
    "3 unlock: once": "You've already unlocked this press.",
    "7 409 already unlocked": "You've already unlocked this press.",
    "8 purchases": "You've already unlocked this press.",
  },
  async (error) => {
    const { replies, standings } = await purchase();
    expect(replies.third).toMatchObject({ status: 409, body: { error } });
    expect(replies.third.text).not.toContain(article.body.slice(0, 40));
    expect(standings.end).toEqual(standings.after);
  },
);

prove("7 402 permit2_insufficient_balance", async () => {
  const { pressId } = await press();
  const poor = await makeReader(fee - 1n);
  const header = encodeHeader(await makeSignedPayment(poor, await requestEntry("treasury", pressId)));
  expect(await sendPayRequest("treasury", pressId, header)).toMatchObject(
    makeRefusal(402, "permit2_insufficient_balance"),
  );
  expect(await readTokenBalance(poor.address)).toBe(fee - 1n);
});

prove("7 402 doesn't match", async () => {
  const { pressId } = await press();
  const account = await makeReader();
  const entry = await requestEntry("treasury", pressId);
  const stranger = getTestAccount(9).address;
  const others: readonly TermsEntry[] = [
    { ...entry, network: "eip155:1" },
    { ...entry, asset: entry.extra.spender },
    { ...entry, amount: String(fee - 1n) },
    { ...entry, payTo: stranger },
  ];
  for (const other of others) {
    const message = makeMessage(other);
    const sent = makePaymentDocument(other, account.address, message, await signPermit(account, message));
    const { status, body, headers } = await sendPayRequest("treasury", pressId, encodeHeader(sent));
    expect(status).toBe(402);
    expect(body).toMatchObject({
      error: expect.stringContaining("doesn't match the current price or recipient"),
    });
    expect(Terms.parse(body).accepts[0]).toEqual(entry);
    expect(headers.get("payment-required")).not.toBeNull();
  }
  expect(await readTokenBalance(account.address)).toBe(2_000_000n);
});

prove("7 404 pay/*", async () => {
  for (const leg of ["treasury", "publisher"] as const) {
    expect(await sendPayRequest(leg, 987_654)).toMatchObject(makeRefusal(404, "unknown_press"));
    // A draft has an internal id, and no identity on the chain yet.
    expect((await sendPayRequest(leg, await saveSuccessfully(writer))).status).toBe(404);
  }
});

prove("7 503 pay/*", async () => {
  const { pressId } = await press();
  const reader = await makeReader();
  for (const leg of ["treasury", "publisher"] as const) {
    const header = encodeHeader(await makeSignedPayment(reader, await requestEntry(leg, pressId)));
    const before = await readTokenBalance(reader.address);
    const answer = await runWithoutPart("chain", () => sendPayRequest(leg, pressId, header));
    expect(answer.status).toBe(503);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await readTokenBalance(reader.address)).toBe(before);
    expect((await sendPayRequest(leg, pressId, header)).status).toBe(200);
  }
});
