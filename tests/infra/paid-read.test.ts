import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { decodePaymentResponseHeader, encodePaymentResponseHeader } from "@x402/core/http";
import { generatePrivateKey } from "viem/accounts";
import { toHex } from "viem/utils";
import { beforeEach, expect, test } from "vitest";
import type { Hex } from "../../core/chain/hex.ts";
import { PressList } from "../../core/press/schema.ts";
import { mainnet } from "../../infra/chains.ts";
import { runPaidRead } from "../../infra/check/paid-read.ts";
import { findSettings } from "../../infra/stages.ts";
import { getPlatformAccount, getTestAccount, platformIndexes } from "../../local/devnet/accounts.ts";
import { contractAddress, filings } from "../../local/seed/articles.ts";
import { listen } from "../../local/stand-in.ts";
import { publishApproved } from "../support/demo-press.ts";
import { readBalance } from "../support/payment.ts";
import { startPart } from "../support/provide.ts";
import { startTestService } from "../support/service.ts";

const treasury = getPlatformAccount(platformIndexes.treasury).address;
const reader = getTestAccount(2);
const encodeKey = (account: typeof reader) => toHex(account.getHdKey().privateKey ?? new Uint8Array());

type Answer = { readonly status: number; readonly headers: Headers; readonly body: string };
/** A change that the edge makes to the answers of a path. */
let spoil: { readonly path: string; readonly change: (answer: Answer) => Answer } | undefined;

/** The service behind an edge that may change the service's answers. */
function makeEdge() {
  return createServer(async (request, response) => {
    const { method = "GET", url = "/", headers } = request;
    const body = await text(request);
    const kept = ["content-type", "cookie", "payment-signature"].flatMap((name) => {
      const value = headers[name];
      return typeof value === "string" ? [[name, value] as const] : [];
    });
    const sent = { method, headers: Object.fromEntries(kept), ...(body !== "" && { body }) };
    const found = await fetch(service.origin + url, sent);
    const answer = { status: found.status, headers: found.headers, body: await found.text() };
    const given = spoil !== undefined && url.startsWith(spoil.path) ? spoil.change(answer) : answer;
    response.statusCode = given.status;
    response.setHeaders(given.headers);
    response.removeHeader("content-length");
    response.end(given.body);
  });
}

const service = startPart(startTestService);
const site = startPart(() => listen(makeEdge()));
beforeEach(() => {
  spoil = undefined;
});

async function read(key: string | undefined, ...flags: string[]) {
  const lines: string[] = [];
  const settings = { ...findSettings("staging"), chain: mainnet, treasury };
  const code = await runPaidRead(
    ["--stage", "staging", "--site", site.endpoint, ...flags],
    { READER_KEY: key },
    (line) => lines.push(line),
    () => settings,
  );
  return { code, said: lines.join("\n") };
}

const readUsdg = (owner: Hex) => readBalance(service, owner);

/** Changes successful answers on their way to the reader. In the worst case, a reader pays for a text and does not get it. */
function changeAnswers(path: string, spoilAnswer: (answer: Answer) => Partial<Answer>) {
  spoil = {
    path,
    change: (answer) => (answer.status === 200 ? { ...answer, ...spoilAnswer(answer) } : answer),
  };
}

test("a stage without a live press is a fault, and nothing is spent", async () => {
  const before = await readUsdg(reader.address);
  expect(await read(encodeKey(reader))).toEqual({
    code: 1,
    said: "FAULT  The stage has no live press: publish one. No money moved.",
  });
  expect(await readUsdg(reader.address)).toBe(before);
});

test("each run of the check buys the cheapest live press by EIP-3009", async () => {
  const [owner, publisherName] = [getTestAccount(4), "The Desk"];
  await publishApproved(service, owner, { ...filings, priceUsdg: 0.75, publisherName });
  await publishApproved(service, owner, { ...contractAddress, priceUsdg: 0.5, publisherName });
  const { presses } = PressList.parse(await (await fetch(`${service.origin}/api/presses`)).json());
  anotherTx = presses[0]?.mintTx ?? "";
  const before = await readUsdg(reader.address);
  const fees = await readUsdg(treasury);
  for (const run of [1n, 2n]) {
    const { code, said } = await read(encodeKey(reader));
    expect(said).toContain(`The cheapest live press costs 0.5 USDG: ${contractAddress.headline}`);
    expect(said).toMatch(/Paid the platform fee, 0\.05 USDG: 0x[0-9a-f]{64}/);
    expect(said).toMatch(/Paid the publisher, 0\.45 USDG: 0x[0-9a-f]{64}/);
    expect(said).toMatch(/Read \d{3,} words\. Spent 0\.5 USDG from 0x/);
    expect(code).toBe(0);
    expect(before - (await readUsdg(reader.address))).toBe(run * 500_000n);
    expect((await readUsdg(treasury)) - fees).toBe(run * 50_000n);
  }
});

test.each([undefined, "", "0x12", `${"ab".repeat(32)}`])(
  "without a valid key (%s), the check says so and prints no key",
  async (key) => {
    const { code, said } = await read(key);
    expect(code).toBe(1);
    expect(said).toBe(
      "FAULT  READER_KEY must be a private key: 0x and 64 hexadecimal digits. No money moved.",
    );
  },
);

test.each([
  [
    "too dear",
    encodeKey(reader),
    ["--max-usdg", "0.49"],
    /too expensive: at most 0\.49 USDG may be spent\. No money moved/,
  ],
  ["an amount that is none", encodeKey(reader), ["--max-usdg", "1e3"], /--max-usdg is an amount/],
  [
    "a reader without funds",
    generatePrivateKey(),
    [],
    /has only 0 USDG: send more USDG to this address\. No money moved/,
  ],
] as const)("%s is a fault, and nothing is spent", async (_what, key, flags, expected) => {
  const before = await readUsdg(reader.address);
  const { code, said } = await read(key, ...flags);
  expect(code).toBe(1);
  expect(said).toMatch(expected);
  expect(await readUsdg(reader.address)).toBe(before);
});

const failed = { status: 503, body: '{"code":"payments_unavailable"}' };
test.each([
  [
    "is not paid",
    "/api/pay/treasury",
    () => failed,
    /payment of the treasury was answered with 503: .*unavailable.* is 0\.45 USDG of 0\.5/,
  ],
  [
    "is paid, but has no text",
    "/api/pay/publisher",
    () => ({ body: '{"paid":true,"tx":"0x1"}' }),
    /The press was paid for, but the answer has no text\. .* is 0 USDG of 0\.5/,
  ],
  [
    "is paid, but has an empty text",
    "/api/pay/publisher",
    () => ({ body: '{"paid":true,"tx":"0x1","body":" "}' }),
    /The press was paid for, but the answer has no text/,
  ],
  [
    "names another transaction",
    "/api/pay/publisher",
    replaceTransactionInReceipt,
    /The receipt's transaction 0x[0-9a-f]+ does not pay the publisher\./,
  ],
  ["has no receipt", "/api/pay/publisher", removeReceipt, /payment of the publisher has no receipt/],
  [
    "returns the text before the payment",
    "/api/presses/",
    (answer: Answer) => ({ body: answer.body.replace('"body":null', '"body":"all"') }),
    /returned the text before the payment\. .* is 0\.5 USDG of 0\.5/,
  ],
] as const)(
  "a read that %s is a fault, and the check says how much USDG the wallet still has",
  async (_what, path, spoilt, expected) => {
    changeAnswers(path, spoilt);
    const { code, said } = await read(encodeKey(reader));
    expect(said).toMatch(expected);
    expect(code).toBe(1);
  },
);

/** A transaction that exists and moves no USDG: the mint of a press. */
let anotherTx = "";
function replaceTransactionInReceipt({ headers }: Answer): Partial<Answer> {
  const receipt = decodePaymentResponseHeader(headers.get("payment-response") ?? "");
  const changed = new Headers(headers);
  changed.set("payment-response", encodePaymentResponseHeader({ ...receipt, transaction: anotherTx }));
  return { headers: changed };
}

function removeReceipt({ headers }: Answer): Partial<Answer> {
  const changed = new Headers(headers);
  changed.delete("payment-response");
  return { headers: changed };
}
