import { setTimeout as sleep } from "node:timers/promises";
import type { HDAccount } from "viem/accounts";
import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { lower } from "../../core/chain/hex.ts";
import { publishDemoPress } from "../support/demo-press.ts";
import { readByProof, sendAndHangUp } from "../support/hang-up.ts";
import { type HttpClient, makeHttpClient, Offer } from "../support/http-payer.ts";
import { authorize, readBalance } from "../support/payment.ts";
import { startPart } from "../support/provide.ts";
import { startTestService } from "../support/service.ts";
import { makeWallet } from "../support/wallets.ts";

/**
 * In these tests a program that uses neither cookies nor tickets nor payment identifiers loses its connection at some moment after it has
 * sent a signed payment. After each loss of the connection, the program restarts with a fresh signature and follows the service's answers.
 */
let http: HttpClient;
let press: Awaited<ReturnType<typeof publishDemoPress>>;
let price: bigint;

const funds = 10_000_000n;

const service = startPart(startTestService);
beforeAll(async () => {
  http = makeHttpClient(service.origin);
  press = await publishDemoPress(service);
  price = await http.readPrice(press.slug);
});

/** A new wallet with USDG only. */
const makeReader = () => makeWallet(service, funds);

type PaymentLeg = "treasury" | "publisher";

/**
 * Requests fresh terms and signs a payment according to these terms. The payment leaves out the ticket of the terms, because the program
 * knows nothing about tickets.
 */
async function sign(account: HDAccount, leg: PaymentLeg): Promise<string> {
  const { accepts } = Offer.parse((await http.askByTransfer(leg, press.pressId)).body);
  const { extra: _, ...entry } = accepts[0];
  return (await authorize(account, entry)).header;
}

/** Sends a payment and breaks the connection after the given milliseconds. */
const payAndHangUp = (leg: PaymentLeg, header: string, milliseconds: number) =>
  sendAndHangUp(
    `${service.origin}/api/pay/${leg}`,
    { "payment-signature": header },
    { pressId: press.pressId },
    milliseconds,
  );

const Unlocked = z.object({
  error: z.literal("You've already unlocked this press."),
  code: z.literal("already_unlocked"),
  read: z.object({ "sign-in-with-x": z.url(), "sign-in": z.url() }),
});

/**
 * Repeats one payment (the fee or the rest of the price) with fresh signatures until an answer reports the result. Retries when the
 * service asks the payer to wait.
 */
async function pay(account: HDAccount, leg: PaymentLeg) {
  for (let tries = 0; tries < 20; tries += 1) {
    const answer = await http.pay(leg, press.pressId, await sign(account, leg));
    if (answer.status !== 503) return answer;
    await sleep(Number(answer.headers.get("retry-after")) * 250);
  }
  throw new Error("The service never said how the payment ended.");
}

const Text = z.object({ body: z.string() });

/** Buys a press like a program that has only its wallet and follows the service's answers. Returns the press's text. */
async function buyCompletely(account: HDAccount): Promise<string> {
  expect(await pay(account, "treasury")).toMatchObject({ status: 200, body: { paid: true } });
  const paid = await pay(account, "publisher");
  if (paid.status === 200) return Text.parse(paid.body).body;
  expect(paid.status).toBe(409);
  return readByProof(account, Unlocked.parse(paid.body).read["sign-in-with-x"]);
}

describe.each(["treasury", "publisher"] as const)("a program hangs up while it pays the %s", (leg) => {
  test.each([0, 25, 100])(
    "if a program hangs up %i ms after it has sent the payment, it still gets the text and is charged once",
    async (moment) => {
      const account = await makeReader();
      if (leg === "publisher") expect(await pay(account, "treasury")).toMatchObject({ status: 200 });
      await payAndHangUp(leg, await sign(account, leg), moment);
      expect(await buyCompletely(account)).toBe(press.text);
      expect(funds - (await readBalance(service, lower(account.address)))).toBe(price);
    },
  );
});

test("after a payer has paid and got the text, each later payment by this payer gets status 409, and the refusal names the addresses for the sign-in", async () => {
  const account = await makeReader();
  await pay(account, "treasury");
  const payment = await sign(account, "publisher");
  expect(await http.pay("publisher", press.pressId, payment)).toMatchObject({ status: 200 });
  for (const header of [payment, await sign(account, "publisher")]) {
    const { status, body, cookie } = await http.pay("publisher", press.pressId, header);
    expect({ status, cookie }).toEqual({ status: 409, cookie: undefined });
    const { read } = Unlocked.parse(body);
    expect(read).toEqual({
      "sign-in-with-x": `${service.origin}/api/presses/${press.slug}`,
      "sign-in": `${service.origin}/api/auth/nonce`,
    });
  }
});
