import type { HDAccount } from "viem/accounts";
import { beforeAll, describe, expect, test } from "vitest";
import { getTestAccount } from "../../local/devnet/accounts.ts";
import { contractAddress, filings } from "../../local/seed/articles.ts";
import { publishApproved } from "../support/demo-press.ts";
import { makeHttpClient } from "../support/http-payer.ts";
import { approve } from "../support/payment.ts";
import { startPart } from "../support/provide.ts";
import { startTestService } from "../support/service.ts";
import { fund } from "../support/wallets.ts";

const reader = getTestAccount(7);

let press: { readonly pressId: number; readonly slug: string };
let second: typeof press;

const service = startPart(startTestService);
beforeAll(async () => {
  const publisher = getTestAccount(4);
  press = await publishApproved(service, publisher, { ...filings, publisherName: "P" });
  second = await publishApproved(service, publisher, { ...contractAddress, publisherName: "P" });
  await approve(service, reader);
});

const openClient = () => makeHttpClient(service.origin);

const post = (leg: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  openClient().ask(`/api/pay/${leg}`, { body, headers });

const decodeHeader = (header: string | null): unknown =>
  JSON.parse(Buffer.from(header ?? "", "base64").toString());

describe("a request without a payment gets the payment terms", () => {
  test("a request without a payment may ask for one payment method alone, which helps clients that always sign the first entry of the terms", async () => {
    for (const method of ["permit2", "eip3009"]) {
      const { status, headers, body } = await post(`treasury?method=${method}`, { pressId: press.pressId });
      expect(status).toBe(402);
      expect(body).toMatchObject({ accepts: [{ extra: { assetTransferMethod: method } }] });
      expect(decodeHeader(headers.get("payment-required"))).toEqual(body);
    }
    const other = await post("publisher?method=cash", { pressId: press.pressId });
    expect(other).toMatchObject({ status: 400, body: { code: "invalid_input" } });
  });

  test("a program on another origin may read the payment terms", async () => {
    const { headers } = await post(
      "treasury",
      { pressId: press.pressId },
      { origin: "https://agent.example" },
    );
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("access-control-expose-headers")).toContain("payment-required");
  });

  test("the answer to a browser's preflight allows the headers of the official client", async () => {
    const preflight = await fetch(`${service.origin}/api/pay/treasury`, {
      method: "OPTIONS",
      headers: {
        origin: "https://agent.example",
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type,payment-signature,access-control-expose-headers",
      },
    });
    expect(preflight.status).toBe(204);
    const allowed = preflight.headers.get("access-control-allow-headers");
    for (const header of [
      "payment-signature",
      "x-payment",
      "access-control-expose-headers",
      "content-type",
    ]) {
      expect(allowed).toContain(header);
    }
  });
});

describe("a faulty payment request is refused", () => {
  test.each([
    ["a text", "0"],
    ["a fraction", 0.5],
    ["a negative number", -1],
  ])("a request whose pressId is %s is refused before the payment is read", async (_, pressId) => {
    // The request is signed, because an unsigned request without a press gets the newest press's terms.
    const { status, body } = await post("treasury", { pressId }, { "payment-signature": "e30=" });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: "invalid_input", error: expect.stringMatching(/^pressId: /) });
  });

  test("a payment header that is too large for the gateway is refused, and the answer states the header's size", async () => {
    const { pressId } = press;
    const refused = await post("treasury", { pressId }, { "payment-signature": "x".repeat(8_705) });
    expect(refused.status).toBe(402);
    expect(refused.body).toMatchObject({
      code: "malformed_payment_header",
      error: expect.stringMatching(/^Malformed payment header: it has 8705 bytes, and the maximum is 8704\./),
    });
  });
});

test("a payment in the header of x402's first version is accepted, and its receipt is signed", async () => {
  const { header } = await openClient().signed(reader, "treasury", press.pressId);
  const fee = await post("treasury", { pressId: press.pressId }, { "x-payment": header });
  expect(fee.body).toEqual({ paid: true, tx: expect.stringMatching(/^0x[0-9a-f]{64}$/) });
  expect(decodeHeader(fee.headers.get("payment-response"))).toMatchObject({
    success: true,
    extensions: { "offer-receipt": expect.objectContaining({ info: expect.anything() }) },
  });
  expect(fee.headers.getSetCookie()).toEqual([]);
});

describe("a browser that pays has a session afterwards", () => {
  const lives = async (cookie: string) =>
    (await openClient().ask("/api/me/history", { cookie })).status === 200;

  /** Buys the press with the given cookie, and returns the answer to the payment of the publisher leg. */
  async function buy(account: HDAccount, { pressId }: typeof press, cookie?: string) {
    expect(await openClient().payLeg(account, "treasury", pressId, cookie)).toMatchObject({
      status: 200,
      cookie: undefined,
    });
    const answer = await openClient().payLeg(account, "publisher", pressId, cookie);
    expect(answer).toMatchObject({ status: 200, body: { paid: true, body: expect.any(String) } });
    return answer;
  }

  test.each([
    ["the same wallet", 8],
    ["another wallet", 9],
  ] as const)(
    "a browser's sign-in session of %s is kept when the browser pays, and the answer sets no cookie",
    async (_, signer) => {
      const payer = getTestAccount(signer === 8 ? 8 : 22);
      await fund(service, payer);
      const cookie = await openClient().signIn(getTestAccount(signer));
      expect((await buy(payer, press, cookie)).cookie).toBeUndefined();
      expect(await lives(cookie)).toBe(true);
    },
  );

  test("a browser's session from an earlier payment is replaced when the same wallet pays, and kept when another wallet pays", async () => {
    const [own, other] = [getTestAccount(23), getTestAccount(24)];
    for (const account of [own, other]) await fund(service, account);
    const first = (await buy(own, press)).cookie ?? "";
    const theirs = (await buy(other, second, first)).cookie ?? "";
    expect([await lives(first), await lives(theirs)]).toEqual([true, true]);
    const next = (await buy(own, second, first)).cookie ?? "";
    expect([await lives(first), await lives(theirs), await lives(next)]).toEqual([false, true, true]);
  });
});
