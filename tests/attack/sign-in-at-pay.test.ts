import { randomBytes } from "node:crypto";
import {
  createSIWxMessage,
  type createSIWxPayload,
  encodeSIWxHeader,
  wrapFetchWithSIWx,
} from "@x402/extensions/sign-in-with-x";
import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { makePayingFetch } from "../../local/demo/index.ts";
import { getTestAccount } from "../../local/devnet/accounts.ts";
import { publishDemoPress } from "../support/demo-press.ts";
import { makeHttpClient, makeRefusal } from "../support/http-payer.ts";
import { readBalance } from "../support/payment.ts";
import { startPart } from "../support/provide.ts";
import { startTestService } from "../support/service.ts";

/**
 * If a wallet has unlocked a press, the wallet can send a signed message to the press's payment URL, and gets the text without a payment.
 * All other requests to the payment URL need a payment, even if they contain an invalid sign-in.
 */
let press: { readonly pressId: number; readonly text: string };
const [buyer, other, stranger] = [getTestAccount(6), getTestAccount(7), getTestAccount(8)];

const service = startPart(startTestService);
beforeAll(async () => {
  press = await publishDemoPress(service);
  for (const account of [buyer, other]) {
    for (const leg of ["treasury", "publisher"]) {
      const reply = await makePayer(account)(
        `${service.origin}/api/pay/${leg}?method=eip3009`,
        makeRequest(),
      );
      expect(reply.status).toBe(200);
    }
  }
});

type Account = typeof buyer;

function makeRequest(headers: Readonly<Record<string, string>> = {}): RequestInit {
  const json = { "content-type": "application/json", ...headers };
  return { method: "POST", headers: json, body: JSON.stringify({ pressId: press.pressId }) };
}

const makePayer = (account: Account, send?: typeof fetch) => makePayingFetch(account, undefined, send);
const readUsdg = ({ address }: Account) => readBalance(service, address);
const makeLegUrl = (leg = "publisher") => `${service.origin}/api/pay/${leg}`;
const send = (header: string, extraHeaders: Readonly<Record<string, string>> = {}, leg = "publisher") =>
  makeHttpClient(service.origin).ask(`/api/pay/${leg}`, {
    body: { pressId: press.pressId },
    headers: { "sign-in-with-x": header, ...extraHeaders },
  });

type SignInInfo = Parameters<typeof createSIWxPayload>[0];
const Declared = z.object({
  extensions: z.object({
    "sign-in-with-x": z.object({
      info: z.custom<SignInInfo>(),
      supportedChains: z.tuple([z.object({ chainId: z.string(), type: z.literal("eip191") })]),
    }),
  }),
});

/** The sign-in message that the payment terms ask the wallet to sign. */
async function readMessage(changes: Partial<SignInInfo> = {}): Promise<SignInInfo> {
  const { extensions } = Declared.parse(await (await fetch(makeLegUrl(), makeRequest())).json());
  const { info, supportedChains } = extensions["sign-in-with-x"];
  return { ...info, ...supportedChains[0], ...changes };
}

/** Signs any sign-in message, even a message that the library of x402 would refuse to sign. */
async function signProof(changes: Partial<SignInInfo> = {}, account = buyer) {
  const info = await readMessage(changes);
  const { address } = account;
  const signature = await account.signMessage({ message: createSIWxMessage(info, address) });
  return { ...info, address, signature };
}

test("x402's official fetch wrapper gets the text for a wallet that has paid, charges nothing and sets no cookie", async () => {
  const before = await readUsdg(buyer);
  const read = wrapFetchWithSIWx(fetch, buyer);
  for (const query of ["", `?payer=${buyer.address}`]) {
    const reply = await read(makeLegUrl() + query, makeRequest());
    expect(reply.status).toBe(200);
    expect(await reply.json()).toEqual({ paid: true, tx: expect.any(String), body: press.text });
    expect(reply.headers.getSetCookie()).toEqual([]);
    expect(reply.headers.get("payment-response")).not.toBeNull();
  }
  expect(await readUsdg(buyer)).toBe(before);
});

test("x402's official client signs in without a payment if the wallet has paid before, and pays if the wallet is new", async () => {
  const before = await readUsdg(buyer);
  const paying = makePayer(buyer, wrapFetchWithSIWx(fetch, buyer));
  expect(await (await paying(makeLegUrl(), makeRequest())).json()).toMatchObject({ body: press.text });
  expect(await readUsdg(buyer)).toBe(before);

  const fresh = getTestAccount(9);
  const first = makePayer(fresh, wrapFetchWithSIWx(fetch, fresh));
  expect((await first(`${makeLegUrl("treasury")}?method=eip3009`, makeRequest())).status).toBe(200);
  const bought = await first(`${makeLegUrl()}?method=eip3009`, makeRequest());
  expect(await bought.json()).toMatchObject({ body: press.text });
});

test("if a request contains a valid sign-in and a payment, the payment is ignored, even if it is a stranger's payment", async () => {
  for (const header of [
    "bm90IGEgcGF5bWVudA==",
    (await makeHttpClient(service.origin).signed(stranger, "publisher", press.pressId)).header,
  ]) {
    const before = [await readUsdg(buyer), await readUsdg(stranger)];
    const answer = await send(encodeSIWxHeader(await signProof()), { "payment-signature": header });
    expect(answer).toMatchObject({ status: 200, body: { body: press.text } });
    expect([await readUsdg(buyer), await readUsdg(stranger)]).toEqual(before);
  }
});

const refused = { status: 402, body: { x402Version: 2, code: "invalid_sign_in" } };

describe("a request to the payment URL without a valid sign-in gets terms and no text", () => {
  test("if a sign-in header is sent twice, even at the same moment, one of the two requests gets terms, and a later signature with the same nonce gets terms too", async () => {
    const proof = await signProof();
    const answers = await Promise.all([1, 2].map(() => send(encodeSIWxHeader(proof))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 402]);
    expect(await send(encodeSIWxHeader(proof))).toMatchObject(refused);
    const again = await signProof({ nonce: proof.nonce });
    expect(await send(encodeSIWxHeader(again))).toMatchObject(refused);
  });

  test("a sign-in header for the press's URL gets terms at the payment URL, and a header for the payment URL is refused at the press's URL", async () => {
    const nonce = randomBytes(16).toString("hex");
    expect((await send(encodeSIWxHeader(await signProof({ nonce })))).status).toBe(200);
    const { slug } = z
      .object({ presses: z.tuple([z.object({ slug: z.string() })]) })
      .parse(await (await fetch(`${service.origin}/api/presses`)).json()).presses[0];
    const headers = {
      "sign-in-with-x": encodeSIWxHeader(
        await signProof({ nonce, uri: `${service.origin}/api/presses/${slug}` }),
      ),
    };
    expect((await fetch(`${service.origin}/api/presses/${slug}`, { headers })).status).toBe(401);
  });

  const formatTimeFromNow = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
  test.each<[string, () => Partial<SignInInfo>]>([
    ["another domain", () => ({ domain: "evil.example" })],
    [
      "another site's address",
      () => ({ uri: `https://evil.example/api/pay/publisher#pressId=${press.pressId}` }),
    ],
    ["another press", () => ({ uri: `${makeLegUrl()}#pressId=${press.pressId + 1}` })],
    ["every press", () => ({ uri: makeLegUrl() })],
    ["the fee's address", () => ({ uri: `${makeLegUrl("treasury")}#pressId=${press.pressId}` })],
    ["a sign-in to the site", () => ({ uri: service.origin })],
    ["another chain", () => ({ chainId: "eip155:1" })],
    ["the future", () => ({ issuedAt: formatTimeFromNow(60) })],
    ["six minutes ago", () => ({ issuedAt: formatTimeFromNow(-360) })],
    [
      "six minutes ago, good for a day",
      () => ({ issuedAt: formatTimeFromNow(-360), expirationTime: formatTimeFromNow(86_400) }),
    ],
    ["a moment ago, expired since", () => ({ expirationTime: formatTimeFromNow(-1) })],
  ])(
    "a sign-in message for a wrong purpose or time (%s) is answered with the payment terms",
    async (_, changed) => {
      const answer = await send(encodeSIWxHeader(await signProof(changed())));
      expect(answer).toMatchObject(refused);
      expect(JSON.stringify(answer.body)).not.toContain(press.text.slice(0, 40));
    },
  );

  test("a sign-in with a buyer's address and another wallet's signature, with a changed field, or with an invalid proof gets terms", async () => {
    const foreign = await signProof({}, stranger);
    const bought = await signProof({}, other);
    for (const header of [
      encodeSIWxHeader({ ...foreign, address: buyer.address }),
      encodeSIWxHeader({ ...bought, address: buyer.address }),
      encodeSIWxHeader({ ...(await signProof()), nonce: "another0nonce" }),
      "x",
      "e30=",
    ]) {
      expect(await send(header)).toMatchObject(refused);
    }
  });

  test("a wallet that has not unlocked the press gets terms and pays as usual, and the nonce of its sign-in stays valid", async () => {
    const header = encodeSIWxHeader(await signProof({}, stranger));
    for (const _ of [1, 2]) {
      expect(await send(header)).toMatchObject(makeRefusal(402, "payment_required"));
    }
    const malformed = { "payment-signature": "bm90IGEgcGF5bWVudA==" };
    expect(await send(header, malformed)).toMatchObject(makeRefusal(402, "malformed_payment_header"));
  });

  test("a sign-in at the URL for the fee gets terms, because a payment of the fee delivers no text", async () => {
    const header = encodeSIWxHeader(await signProof());
    expect(await send(header, {}, "treasury")).toMatchObject(makeRefusal(402, "payment_required"));
    const { extensions } = z
      .object({ extensions: z.record(z.string(), z.unknown()) })
      .parse((await send(header, {}, "treasury")).body);
    expect(Object.keys(extensions)).not.toContain("sign-in-with-x");
  });
});

test("two wallets that have paid may each use the same nonce once, and one wallet's use of the nonce does not affect the other wallet", async () => {
  const nonce = randomBytes(16).toString("hex");
  for (const account of [buyer, other]) {
    const header = encodeSIWxHeader(await signProof({ nonce }, account));
    expect(await send(header)).toMatchObject({ status: 200, body: { body: press.text } });
    expect(await send(header)).toMatchObject(refused);
  }
  const header = encodeSIWxHeader(await signProof({ nonce }, stranger));
  expect(await send(header)).toMatchObject(makeRefusal(402, "payment_required"));
});
