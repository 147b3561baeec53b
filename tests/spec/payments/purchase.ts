import { encodeFunctionData, maxUint256 } from "viem";
import { expect } from "vitest";
import { erc20Abi } from "../../../core/chain/abi.ts";
import { mainnet } from "../../../core/chain/deployment.ts";
import { lower } from "../../../core/chain/hex.ts";
import { makeRelayClient, makeWallet } from "../../../local/demo/index.ts";
import { getTestAccount } from "../../../local/devnet/accounts.ts";
import { prove, proveEach } from "../holds.ts";
import { ask } from "../world/ask.ts";
import { article, publish, transferPress, writer } from "../world/desk.ts";
import { encodeHeader, makeSignedPayment } from "../world/permit.ts";
import { buy, decodeHeader, makeReader, requestEntry, sendPayRequest } from "../world/purse.ts";
import { chain, service } from "../world/service.ts";
import { readTokenBalance } from "../world/token.ts";
import { fee, press, purchase, rest } from "./purchase-scene.ts";

prove("4.4 treasury", async () => {
  const { before, between } = (await purchase()).standings;
  expect(before.payer - between.payer).toBe(fee);
  expect(between.platform - before.platform).toBe(fee);
  expect(between.owner).toBe(before.owner);
});

prove("4.4 treasury: 200", async () => {
  const { replies, receipt } = await purchase();
  expect(replies.first.status).toBe(200);
  expect(replies.first.body).toEqual({ paid: true, tx: receipt.fee.tx });
  const { status } = await (await chain()).getTransactionReceipt({ hash: receipt.fee.tx });
  expect(status).toBe("success");
});

prove("4.4 treasury: already", async () => {
  const { replies, receipt } = await purchase();
  expect(replies.again.status).toBe(200);
  expect(replies.again.body).toEqual({ paid: true, tx: receipt.fee.tx, already: true });
});

prove("4.4 treasury: nothing again", async () => {
  const { between, afterAgain } = (await purchase()).standings;
  expect(afterAgain).toEqual(between);
});

prove("4.4 publisher", async () => {
  const { afterAgain, after } = (await purchase()).standings;
  expect(afterAgain.payer - after.payer).toBe(rest);
  expect(after.owner - afterAgain.owner).toBe(rest);
  expect(after.platform).toBe(afterAgain.platform);
});

prove("8 fee share", async () => {
  const { before, after } = (await purchase()).standings;
  const price = before.payer - after.payer;
  expect(price).toBe(123_457n);
  expect(after.platform - before.platform).toBe((price * 10n) / 100n);
  expect(after.owner - before.owner).toBe(price - (price * 10n) / 100n);
});

prove("4.4 publisher: payee", async () => {
  const { pressId } = await publish(writer, { ...article, headline: "A press that changes hands soon" });
  const owner = getTestAccount(6).address;
  expect(lower((await requestEntry("publisher", pressId)).payTo)).toBe(lower(writer.address));
  await transferPress(writer, pressId, owner);
  expect(lower((await requestEntry("publisher", pressId)).payTo)).toBe(lower(owner));
  const before = await readTokenBalance(owner);
  await buy(await makeReader(), pressId);
  expect((await readTokenBalance(owner)) - before).toBe(rest);
});

prove("4.4 publisher: 200", async () => {
  const { replies, receipt } = await purchase();
  expect(replies.second.status).toBe(200);
  expect(replies.second.body).toEqual({ paid: true, tx: receipt.rest.tx, body: article.body });
  expect(receipt.rest.tx).not.toBe(receipt.fee.tx);
});

prove("4.4 publisher: cookie", expectPayersSession);
prove("5.2 cookie", expectPayersSession);

async function expectPayersSession(): Promise<void> {
  const { reader, cookie, replies } = await purchase();
  expect((await ask("/api/me", { cookie })).body).toEqual({ address: lower(reader.address) });
  expect(replies.first.headers.getSetCookie()).toEqual([]);
}

prove("5.2 purchase", async () => {
  const { replies, reader } = await purchase();
  // The two paying requests of the purchase contained a payment, but no session.
  expect(decodeHeader(replies.second.headers.get("payment-response"))).toMatchObject({
    success: true,
    payer: reader.address,
  });
});

/** A signed request must name its press. This rule is our own: an unsigned request without a press gets the newest press's terms. */
const signed = { "payment-signature": "e30=" };

prove("4.4 request", async () => {
  const { pressId } = await press();
  for (const path of ["/api/pay/treasury", "/api/pay/publisher"]) {
    expect((await ask(path, { body: { pressId } })).status).toBe(402);
    expect((await ask(path)).status).toBe(404);
    expect((await ask(path, { body: {}, headers: signed })).status).toBe(400);
    for (const wrong of [{ pressId: String(pressId) }, { pressId: 0.5 }, { pressId: -1 }]) {
      expect((await ask(path, { body: wrong })).status).toBe(400);
    }
  }
});

prove("4.4 ids", async () => {
  const { pressId } = await press();
  const named = await ask(`/api/pay/treasury?pressId=${pressId}`, { body: {}, headers: signed });
  expect(named.status).toBe(400);
  expect((await ask(`/api/pay/treasury/${pressId}`, { body: {} })).status).toBe(404);
  expect((await ask("/api/pay/treasury?pressId=987654", { body: { pressId } })).status).toBe(402);
});

proveEach<string>(
  { "4.4 payment-signature": "payment-signature", "4.4 x-payment": "x-payment" },
  async (name) => {
    const { pressId } = await press();
    const reader = await makeReader();
    const header = encodeHeader(await makeSignedPayment(reader, await requestEntry("treasury", pressId)));
    expect(await sendPayRequest("treasury", pressId, header, name)).toMatchObject({
      status: 200,
      body: { paid: true },
    });
  },
);

prove("4.4 flow", async () => {
  const { pressId } = await press();
  const reader = await makeReader();
  for (const leg of ["treasury", "publisher"] as const) {
    const offered = await sendPayRequest(leg, pressId);
    const entry = await requestEntry(leg, pressId);
    const answer = await sendPayRequest(leg, pressId, encodeHeader(await makeSignedPayment(reader, entry)));
    expect([offered.status, answer.status]).toEqual([402, 200]);
  }
});

prove("4.4 payment-response", async () => {
  const { first, again, second } = (await purchase()).replies;
  for (const { headers } of [first, again, second]) {
    const names = Object.keys(Object(decodeHeader(headers.get("payment-response"))));
    // The field `extensions` contains the signed receipt, which is our own addition.
    expect(names.toSorted()).toEqual(["extensions", "network", "payer", "success", "transaction"]);
  }
});

prove("4.4 payment-response.success", () => expectReceipts(() => ({ success: true })));
prove("4.4 payment-response.transaction", () => expectReceipts(({ tx }) => ({ transaction: tx })));
prove("4.4 payment-response.network", () => expectReceipts(() => ({ network: "eip155:4663" })));
prove("4.4 payment-response.payer", () => expectReceipts(({ payer }) => ({ payer })));

type PaymentFacts = { readonly tx: string; readonly payer: string };

async function expectReceipts(expected: (paid: PaymentFacts) => Record<string, unknown>): Promise<void> {
  const { reader, replies, receipt } = await purchase();
  const payer = reader.address;
  const [first, second] = [replies.first, replies.second].map(({ headers }) =>
    decodeHeader(headers.get("payment-response")),
  );
  expect(first).toMatchObject(expected({ tx: receipt.fee.tx, payer }));
  expect(second).toMatchObject(expected({ tx: receipt.rest.tx, payer }));
}

prove("4.4 approval", async () => {
  const { pressId } = await press();
  const bare = await makeWallet(makeRelayClient((await service()).origin), 2_000_000n);
  const pay = async () =>
    sendPayRequest(
      "treasury",
      pressId,
      encodeHeader(await makeSignedPayment(bare, await requestEntry("treasury", pressId))),
    );
  expect(await pay()).toMatchObject({ status: 402, body: { code: "permit2_allowance_required" } });
  const { usdg, permit2 } = mainnet.contracts;
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [permit2, maxUint256] });
  await (await chain()).sendTransactionSync({ account: bare, to: usdg, data });
  expect(await pay()).toMatchObject({ status: 200 });
});

prove("4.4 approval: the only transaction", async () => {
  const { before, end } = (await purchase()).standings;
  expect([before.sent, end.sent]).toEqual([1, 1]);
});

prove("4.4 approval: relay", async () => {
  // A new reader approves Permit2 through /api/rpc, and the chain itself confirms the allowance.
  const { reader } = await purchase();
  const allowance = await (await chain()).readContract({
    address: mainnet.contracts.usdg,
    abi: erc20Abi,
    functionName: "allowance",
    args: [reader.address, mainnet.contracts.permit2],
  });
  expect(allowance).toBeGreaterThan(10n ** 60n);
});

prove("3 unlock: fee recorded", async () => {
  const { pressId } = await press();
  const reader = await makeReader();
  const pay = async (leg: "treasury" | "publisher") =>
    sendPayRequest(
      leg,
      pressId,
      encodeHeader(await makeSignedPayment(reader, await requestEntry(leg, pressId))),
    );
  expect((await pay("publisher")).status).toBe(409);
  expect((await pay("treasury")).status).toBe(200);
  expect((await pay("publisher")).status).toBe(200);
});

prove("3 unlock: unlocked", async () => {
  const { replies, cookie } = await purchase();
  expect(replies.second.body).toMatchObject({ paid: true, body: article.body });
  expect((await ask(`/api/presses/${(await press()).slug}`, { cookie })).body).toMatchObject({
    unlocked: true,
  });
});

prove("3 unlock: read again", async () => {
  const { cookie, reader, standings } = await purchase();
  for (const visit of [1, 2]) {
    const { body } = await ask(`/api/presses/${(await press()).slug}`, { cookie });
    expect({ visit, body }).toMatchObject({ visit, body: { body: article.body } });
  }
  expect(await readTokenBalance(reader.address)).toBe(standings.after.payer);
});
