import type { HDAccount } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { lower } from "../../core/chain/hex.ts";
import { encodeSettle } from "../../core/chain/permit2.ts";
import { getTestAccount } from "../../local/devnet/accounts.ts";
import { shortenPauses } from "../support/clock.ts";
import { type CopiedPermit, findPermits, listForms } from "../support/copies.ts";
import { publishDemoPress } from "../support/demo-press.ts";
import { type HttpClient, type HttpReply, makeHttpClient, removeExtraFields } from "../support/http-payer.ts";
import {
  encodePermitHeader,
  encodeTransfer,
  exactProxy,
  readBalance,
  send,
  treasury,
  usdg,
} from "../support/payment.ts";
import { startPart } from "../support/provide.ts";
import { startServiceBehind } from "../support/service.ts";
import { startSlowNode } from "../support/slow-node.ts";
import { fund, makeAccount } from "../support/wallets.ts";

/**
 * The attacker is a copier, who reads the permits and signatures of other payers on the chain and sends them to the service as payments.
 * The copier wants the text and a session of the payer's wallet.
 */
let http: HttpClient;
let pressId: number;
let slug: string;
let text: string;
let payer: HDAccount;
/** The number of the first block that the copier reads. */
let begun: bigint;

const issuer = getTestAccount(0);
const broadcast = /eth_sendRawTransactionSync/;

const service = startPart(() => startServiceBehind("chain", startSlowNode));
beforeAll(async () => {
  http = makeHttpClient(service.origin);
  ({ pressId, slug, text } = await publishDemoPress(service));
});
afterAll(() => vi.restoreAllMocks());

/** A payer who has paid the fee and owes only the publisher's part of the price. */
beforeEach(async () => {
  payer = makeAccount();
  await fund(service, payer);
  expect((await http.payLeg(payer, "treasury", pressId)).status).toBe(200);
  begun = await service.client.getBlockNumber();
});

/** Waits until the chain shows the payer's permit for the payment to the publisher, and returns the permit. */
async function readPermit(): Promise<CopiedPermit> {
  for (let looks = 0; looks < 1_000; looks += 1) {
    const head = await service.client.getBlockNumber();
    for (let blockNumber = begun; blockNumber <= head; blockNumber += 1n) {
      const { transactions } = await service.client.getBlock({ blockNumber, includeTransactions: true });
      for (const { input } of transactions) {
        const copied = findPermits(input).find(
          ({ permit: { from, to } }) => from === lower(payer.address) && to !== treasury,
        );
        if (copied !== undefined) return copied;
      }
    }
  }
  throw new Error("Posts every copy at once. None of them may gain anything.");
}

/** Expects that a copy of the payment gets neither the text nor a session. */
async function expectCopiesFail(...statuses: readonly number[]): Promise<void> {
  const headers = listForms(await readPermit(), await http.entryOf("publisher", pressId));
  const answers = await Promise.all(headers.map(payPublisher));
  for (const answer of answers) expectRefusal(answer, statuses);
}

/** Expects the refusal that the specification demands for a second purchase. */
function expectRefusal({ status, body, cookie }: HttpReply, statuses: readonly number[]): void {
  expect({ body, cookie }).toEqual({ body: expect.not.objectContaining({ body: text }), cookie: undefined });
  expect(statuses).toContain(status);
}

function expectText({ status, body, cookie }: HttpReply): void {
  expect({ status, body }).toEqual({ status: 200, body: { paid: true, tx: expect.any(String), body: text } });
  expect(cookie).toMatch(/^session=/);
}

/** The refusal that the specification demands for a second purchase. */
function expectConflict(answer: HttpReply): void {
  expectRefusal(answer, [409]);
  expect(answer.body).toMatchObject({
    code: "already_unlocked",
    error: "You've already unlocked this press.",
  });
}

/**
 * Expects a refusal that names the payer's next step. The service refuses in this way if nothing proves that the payer sent the request.
 */
function expectAdvice(answer: HttpReply): void {
  expectConflict(answer);
  const { origin } = service;
  expect(answer.body).toMatchObject({
    read: { "sign-in-with-x": `${origin}/api/presses/${slug}`, "sign-in": `${origin}/api/auth/nonce` },
  });
}

const readPayerBalance = () => readBalance(service, lower(payer.address));
const payPublisher = (header: string) => http.pay("publisher", pressId, header);

/** Makes a payment that reaches the chain although the node's answers are lost, so that the payer gets the status 503. */
async function payWithoutAnswer(header: string): Promise<void> {
  service.proxy.lost = /eth_sendRawTransaction|eth_getTransactionReceipt/;
  const restorePauses = shortenPauses();
  const answer = await payPublisher(header).finally(() => {
    service.proxy.lost = undefined;
    restorePauses();
  });
  expect(answer).toMatchObject({ status: 503, body: { code: "settlement_pending" } });
}

describe("a permit is copied while its payment is in progress", () => {
  test("the copier of a payment is asked to retry while the payment is in progress, and afterwards learns only that the press is unlocked", async () => {
    const { header } = await http.signed(payer, "publisher", pressId);
    const held = service.proxy.holdAnswer(broadcast);
    const paying = payPublisher(header);
    await held.answered;
    await expectCopiesFail(503, 409).finally(held.release);
    expectText(await paying);
    await expectCopiesFail(409);
  });

  test("ten copiers gain nothing, even if each of them posts ten copies and the node takes 60 ms for an answer", async () => {
    const { header } = await http.signed(payer, "publisher", pressId);
    const own = await http.entryOf("publisher", pressId);
    service.proxy.delay = 60;
    try {
      const paying = payPublisher(header);
      const [copy = ""] = listForms(await readPermit(), own);
      const copying = Array.from({ length: 10 }, () => payPublisher(copy));
      const answers = await Promise.all(copying);
      for (const answer of answers) expectRefusal(answer, [503, 409]);
      expectText(await paying);
    } finally {
      service.proxy.delay = 0;
    }
  });

  test("a client that was written from the specification alone gets the text that it has paid for", async () => {
    const { entry, permit, signature } = await http.signed(payer, "publisher", pressId);
    const held = service.proxy.holdAnswer(broadcast);
    const paying = payPublisher(encodePermitHeader(removeExtraFields(entry), permit, signature));
    await held.answered;
    await expectCopiesFail(503, 409).finally(held.release);
    expectText(await paying);
  });

  test("if the payer repeats a payment, the repeats wait until the payment has ended, and exactly one of the repeats gets the text", async () => {
    const { header } = await http.signed(payer, "publisher", pressId);
    await payWithoutAnswer(header);
    const answers = await Promise.all([1, 2, 3].map(() => payPublisher(header)));
    const [text, ...others] = answers.toSorted((one, other) => one.status - other.status);
    if (text !== undefined) expectText(text);
    for (const other of others) expectConflict(other);
  });
});

describe("a payment reaches the chain, but the payer gets no text", () => {
  test("if the payer repeats a payment with the ticket of its terms, only the first repeat gets the text", async () => {
    const { header } = await http.signed(payer, "publisher", pressId);
    await payWithoutAnswer(header);
    await expectCopiesFail(503, 409);
    expectText(await payPublisher(header));
    expectConflict(await payPublisher(header));
    await expectCopiesFail(409);
  });

  test("if a payer has paid but got no text, one fresh signature gets the text without a second charge", async () => {
    await payWithoutAnswer((await http.signed(payer, "publisher", pressId)).header);
    const before = await readPayerBalance();
    await expectCopiesFail(503, 409);
    expectText(await http.payLeg(payer, "publisher", pressId));
    expectConflict(await http.payLeg(payer, "publisher", pressId));
    expect(await readPayerBalance()).toBe(before);
  });

  test("every repeat of a payment with the same payment-identifier and payload gets the text, and any other use of the identifier gets no text", async () => {
    const name = "the-payers-own-attempt";
    const signed = await http.signed(payer, "publisher", pressId, { identifier: name });
    const { entry, permit, signature, header } = signed;
    await payWithoutAnswer(header);
    await expectCopiesFail(503, 409);
    for (const _ of [1, 2, 3]) expectText(await payPublisher(header));
    expectConflict(await http.payLeg(payer, "publisher", pressId));
    // A stranger who guesses the payment-identifier lacks the payer's ticket.
    const guessed = await payPublisher(encodePermitHeader(removeExtraFields(entry), permit, signature, name));
    expectRefusal(guessed, [409]);
    expect(guessed.body).toMatchObject({ code: "payment_identifier_conflict" });
  });

  test("a client that has lost the ticket of its payment is asked to sign in, and can read after the sign-in", async () => {
    const { entry, permit, signature } = await http.signed(payer, "publisher", pressId);
    const header = encodePermitHeader(removeExtraFields(entry), permit, signature);
    await payWithoutAnswer(header);
    expectAdvice(await payPublisher(header));
    await expectCopiesFail(409);
    const cookie = await http.signIn(payer);
    expect((await http.ask(`/api/presses/${slug}`, { cookie })).body).toMatchObject({ body: text });
  });

  test("the ticket of another wallet's payment, or of the same payer's other payment, gets no text", async () => {
    const { permit, signature, header } = await http.signed(payer, "publisher", pressId);
    await payWithoutAnswer(header);
    const fees = await http.entryOf("treasury", pressId);
    const foreign = await http.entryOf("publisher", pressId);
    for (const extra of [fees.extra, foreign.extra]) {
      expectAdvice(await payPublisher(encodePermitHeader({ ...foreign, extra }, permit, signature)));
    }
    expectText(await payPublisher(header));
  });

  test("a copier gets no text with the permit of the fee, an expired permit or a spent permit", async () => {
    await payWithoutAnswer((await http.signed(payer, "publisher", pressId)).header);
    const expired = await http.signed(payer, "publisher", pressId, { deadline: 1n });
    expectAdvice(await payPublisher(expired.header));
    const spent = await http.signed(payer, "publisher", pressId);
    await send(service, issuer, exactProxy, encodeSettle(spent.permit, spent.signature));
    expectAdvice(await payPublisher(spent.header));
  });
});

describe("everybody can read a failed permit on the chain", () => {
  /** Moves the payer's money away right before the payment is broadcast, so that the payment fails. */
  async function failPayment(header: string): Promise<void> {
    const all = await readPayerBalance();
    service.proxy.before = {
      method: broadcast,
      act: () => send(service, payer, usdg, encodeTransfer(issuer.address, all)),
    };
    const answer = await payPublisher(header).finally(() => {
      service.proxy.before = undefined;
    });
    expect(answer).toMatchObject({ status: 402, body: { code: "permit2_insufficient_balance" } });
    await send(service, issuer, usdg, encodeTransfer(payer.address, all));
  }

  test("a copy of a failed permit charges nothing and gets no text, and the payer's repeat pays and gets the text", async () => {
    const { header, permit } = await http.signed(payer, "publisher", pressId);
    await failPayment(header);
    const before = await readPayerBalance();
    await expectCopiesFail(402);
    expect(await readPayerBalance()).toBe(before);
    expectText(await payPublisher(header));
    expect(before - (await readPayerBalance())).toBe(permit.amount);
  });

  test("when a stranger has settled a permit, its copier gets only the answer that the press is paid, and the payer's repeat gets the text", async () => {
    const { header, permit, signature } = await http.signed(payer, "publisher", pressId);
    await failPayment(header);
    await send(service, issuer, exactProxy, encodeSettle(permit, signature));
    await expectCopiesFail(409);
    expectText(await payPublisher(header));
  });

  test("a fresh signature after a failed permit pays once and gets the text", async () => {
    const { header, permit } = await http.signed(payer, "publisher", pressId);
    await failPayment(header);
    await expectCopiesFail(402);
    const before = await readPayerBalance();
    expectText(await http.payLeg(payer, "publisher", pressId));
    expect(before - (await readPayerBalance())).toBe(permit.amount);
    await expectCopiesFail(409);
  });
});

test("if a payer settles a permit without our service, the permit counts as paid, and the payer gets the text only by a sign-in", async () => {
  const { header, permit, signature } = await http.signed(payer, "publisher", pressId);
  await send(service, payer, exactProxy, encodeSettle(permit, signature));
  const before = await readPayerBalance();
  await expectCopiesFail(503, 409);
  await expectCopiesFail(409);
  expectAdvice(await payPublisher(header));
  const cookie = await http.signIn(payer);
  expect((await http.ask(`/api/presses/${slug}`, { cookie })).body).toMatchObject({ body: text });
  expect(await readPayerBalance()).toBe(before);
});

test("every offer has its own ticket, and no cache stores an offer", async () => {
  const offers = await Promise.all(
    ["treasury", "publisher", "publisher"].map((leg) => http.ask(`/api/pay/${leg}`, { body: { pressId } })),
  );
  const tickets = offers.map(({ body }) => JSON.stringify(body).match(/"ticket":"([\w-]{43})"/)?.[1]);
  expect(new Set(tickets).size).toBe(3);
  for (const { headers } of offers) expect(headers.get("cache-control")).toBe("no-store");
});
