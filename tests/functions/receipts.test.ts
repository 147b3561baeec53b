import {
  hashReceiptTypedData,
  type SignedReceipt,
  verifyReceiptSignatureEIP712,
} from "@x402/extensions/offer-receipt";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { getAddress, hashTypedData } from "viem/utils";
import { beforeEach, describe, expect, test } from "vitest";
import type { Hex } from "../../core/chain/hex.ts";
import { finishLeg } from "../../core/payment/settlement.ts";
import { ReceiptList, receiptDomain, receiptTypes } from "../../core/receipt/schema.ts";
import type { ClaimedLeg } from "../../core/record/payment.ts";
import { document as discovery } from "../../functions/http/discovery.ts";
import { handler } from "../../functions/http/receipts.ts";
import { type KmsFault, startKms } from "../../local/kms.ts";
import { makeNewcomer as makeWallet } from "../core/draft/newsdesk.ts";
import { makeManualClock, publisher, stranger } from "../core/press/newsroom.ts";
import { makeLegFields } from "../support/leg.ts";
import { startPart } from "../support/provide.ts";
import { invoke, site } from "./lib/call.ts";
import { startStage } from "./lib/stage.ts";

const [keyId, otherKeyId] = ["6a4f1f7e-2f0a-4f7c-9d57-5f5b5f3c1a11", "9d0c1b52-7b1e-4b0e-8f5e-0d4a5d3b2c11"];
const privateKey = generatePrivateKey();
const signer = privateKeyToAddress(privateKey);
const settledAt = "2026-11-20T12:00:00.000Z";

let fault: KmsFault | undefined;
/** The fault with which KMS answers the service's request for the key's address. */
let hidden: KmsFault | undefined;
/** The time at which each request for a signature reached KMS, in milliseconds. */
let signatures: number[] = [];

const kms = startPart(() =>
  startKms({
    keys: [
      { id: keyId, privateKey },
      { id: otherKeyId, privateKey: generatePrivateKey() },
    ],
    fault: (action) => {
      if (action === "GetPublicKey") return hidden;
      signatures.push(performance.now());
      return fault;
    },
  }),
);
const stored = startPart(() => startStage({ AWS_ENDPOINT_URL_KMS: kms.endpoint, RECEIPT_KEY_ID: keyId }));
beforeEach(() => {
  fault = undefined;
  signatures = [];
});

const ask = (transaction: string) => invoke(handler, "receipts", { path: { transaction } });

let transactions = 0;
function makeTransactionHash(): Hex {
  transactions += 1;
  return `0x${transactions.toString(16).padStart(64, "abcdef")}`;
}

/** Makes the record of a payment whose settlement has begun and is not finished. */
async function storeUnfinishedPayment(
  wallet: Hex,
  pressId: number,
  leg: ClaimedLeg["leg"],
): Promise<ClaimedLeg> {
  const record: ClaimedLeg = {
    ...makeLegFields(wallet, pressId),
    ...{ leg, state: "queued", pending: "pending", claim: `${wallet}-${pressId}-${leg}`, publisher },
  };
  await stored.table.entities.settlement.put(record).go();
  return record;
}

/** Records a transfer in a transaction's log as the settlement of the payment, as the payment code does. */
function settleOne(leg: ClaimedLeg, txHash: Hex, logIndex = 0, at = settledAt) {
  const meter = { count: () => undefined };
  const ports = { table: stored.table, clock: makeManualClock(at), meter, settings: {} };
  return finishLeg(ports, leg, { txHash, logIndex });
}

/** Settles several payments by one transaction: the first payment by log 0, the second by log 1, and so on. */
async function settle(txHash: Hex, ...legs: readonly ClaimedLeg[]): Promise<void> {
  for (const [logIndex, leg] of legs.entries()) {
    expect(await settleOne(leg, txHash, logIndex)).toMatchObject({ state: "settled" });
  }
}

async function readStoredReceipts(transaction: Hex) {
  const { receipt } = stored.table.entities;
  return (await receipt.query.byLog({ receiptOf: transaction }).go({ consistent: true })).data;
}

/** Returns the signed receipts in an answer's body, after the official verifier has checked each receipt. */
async function verify(body: unknown) {
  const { receipts } = ReceiptList.parse(body);
  for (const receipt of receipts) expect((await verifyReceiptSignatureEIP712(receipt)).signer).toBe(signer);
  return receipts;
}

test("the discovery document names the signer of receipts by address and DID, and leaves the signer out while KMS does not return the key's address", async () => {
  hidden = { kind: "refuse", type: "DisabledException", message: "off" };
  const without = await invoke(discovery, "discovery");
  expect(without).toMatchObject({ status: 200, headers: { "cache-control": "no-store" } });
  expect(without.body).toMatchObject({ endpoints: { payFee: { paid: true } } });
  expect(without.body).not.toHaveProperty("receipts");
  hidden = undefined;
  expect((await invoke(discovery, "discovery")).body).toMatchObject({
    receipts: {
      extension: "offer-receipt",
      format: "eip712",
      url: `${site}/api/receipts/{transaction}`,
      signer: { address: signer, kid: `did:pkh:eip155:1:${signer}` },
    },
  });
});

describe("the receipt of a settled payment is signed only once, and every caller gets the same receipt", () => {
  test("the receipt of a settled payment states payer, product, time and transaction in the form of x402's receipt extension, and the extension's verifier accepts the receipt", async () => {
    const [transaction, wallet] = [makeTransactionHash(), makeWallet()];
    await settle(transaction, await storeUnfinishedPayment(wallet, 7, "fee"));
    const answer = await ask(transaction);
    expect(answer.status).toBe(200);
    const payload = {
      version: 1,
      network: "eip155:4663",
      resourceUrl: `${site}/api/pay/treasury#pressId=7`,
      payer: getAddress(wallet),
      issuedAt: Date.parse(settledAt) / 1000,
      transaction,
    };
    expect(await verify(answer.body)).toEqual([
      { format: "eip712", payload, signature: expect.stringMatching(/^0x[0-9a-f]{128}1[bc]$/) },
    ]);
    expect(hashReceiptTypedData(payload)).toBe(
      hashTypedData({
        domain: receiptDomain,
        types: receiptTypes,
        primaryType: "Receipt",
        message: { ...payload, version: 1n, issuedAt: BigInt(payload.issuedAt) },
      }),
    );
  });

  test("the receipt of a settled payment is signed once and keeps its bytes, whether the hash in the request is in lower or upper case", async () => {
    const transaction = makeTransactionHash();
    await settle(transaction, await storeUnfinishedPayment(makeWallet(), 7, "publisher"));
    const first = await ask(transaction);
    const others = [await ask(transaction), await ask(`0x${transaction.slice(2).toUpperCase()}`)];
    expect(others.map(({ status, text }) => [status, text])).toEqual([
      [200, first.text],
      [200, first.text],
    ]);
    expect(signatures).toHaveLength(1);
  });

  test("a settled payment has one receipt, even if many callers ask for the receipt at once before it exists", async () => {
    const transaction = makeTransactionHash();
    await settle(transaction, await storeUnfinishedPayment(makeWallet(), 8, "fee"));
    const answers = await Promise.all(Array.from({ length: 6 }, () => ask(transaction)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(await readStoredReceipts(transaction)).toHaveLength(1);
  });

  test("the receipt of a settled payment is cacheable for five seconds while other receipts of the transaction may follow, and later for a day", async () => {
    const [late, early] = [makeTransactionHash(), makeTransactionHash()];
    await settle(early, await storeUnfinishedPayment(makeWallet(), 9, "fee"));
    const recent = await storeUnfinishedPayment(makeWallet(), 9, "fee");
    await settleOne(recent, late, 0, new Date().toISOString());
    const { headers } = await ask(late);
    expect(headers).toMatchObject({ "cache-control": "public, max-age=0, s-maxage=5" });
    expect((await ask(early)).headers).toMatchObject({
      "cache-control": "public, max-age=0, s-maxage=86400",
      etag: expect.any(String),
    });
  });
});

describe("the payers of a batch get separate receipts", () => {
  test("the receipts of a batch's payers are in the order of the logs and are signed one after another; each receipt is valid only for its payer and press", async () => {
    const transaction = makeTransactionHash();
    const payers = [makeWallet(), makeWallet(), makeWallet()];
    const legs = await Promise.all(
      payers.map((wallet, index) => storeUnfinishedPayment(wallet, index, "fee")),
    );
    await settle(transaction, ...legs);
    fault = { kind: "delay", milliseconds: 30 };
    const receipts = await verify((await ask(transaction)).body);
    const gaps = signatures.slice(1).map((at, before) => at - (signatures[before] ?? at));
    expect(gaps.map((gap) => gap > 25)).toEqual([true, true]);
    expect(receipts.map(({ payload }) => [payload.payer.toLowerCase(), payload.resourceUrl])).toEqual(
      payers.map((wallet, index) => [wallet, `${site}/api/pay/treasury#pressId=${index}`]),
    );
    const [mine, other] = receipts;
    if (mine === undefined || other === undefined) throw new Error("There are three.");
    const forged: readonly SignedReceipt[] = [
      { ...mine, payload: { ...mine.payload, payer: other.payload.payer } },
      { ...mine, payload: { ...mine.payload, resourceUrl: `${site}/api/pay/treasury#pressId=2` } },
      { ...mine, payload: { ...mine.payload, transaction: makeTransactionHash() } },
      { ...mine, signature: other.signature },
    ];
    for (const receipt of forged) {
      if (receipt.format !== "eip712") throw new Error("All are.");
      const found = await verifyReceiptSignatureEIP712(receipt).then(
        ({ signer: recovered }) => recovered,
        () => "nobody",
      );
      expect(found).not.toBe(signer);
    }
  });

  test("the receipt of a payment that is recorded later is added to the other receipts, whose bytes do not change", async () => {
    const transaction = makeTransactionHash();
    const [first, second] = [
      await storeUnfinishedPayment(makeWallet(), 1, "fee"),
      await storeUnfinishedPayment(makeWallet(), 1, "fee"),
    ];
    await settle(transaction, first);
    const [before] = await verify((await ask(transaction)).body);
    await settleOne(second, transaction, 1);
    const after = await verify((await ask(transaction)).body);
    expect(after).toHaveLength(2);
    expect(after[0]).toEqual(before);
  });
});

describe("unsettled payments and invalid transaction hashes have no receipt", () => {
  test("a payment that is pending or has failed has no receipt, and an invalid transaction hash has no receipt", async () => {
    const [transaction, other] = [makeTransactionHash(), makeTransactionHash()];
    const sent = await storeUnfinishedPayment(makeWallet(), 3, "fee");
    const { settlement } = stored.table.entities;
    await settlement.put({ ...sent, state: "submitted", transaction: "t", txHash: transaction }).go();
    const failed = await storeUnfinishedPayment(makeWallet(), 3, "fee");
    const { pending: _, ...ended } = failed;
    await settlement.put({ ...ended, state: "failed", failure: "reverted", txHash: other }).go();
    const invalid = ["", "0x17", `0x${"g".repeat(64)}`, "a".repeat(64), `0x${"a".repeat(65)}`, stranger];
    for (const hash of [transaction, other, `0x${"0".repeat(64)}`, ...invalid]) {
      expect(await ask(hash)).toMatchObject({
        status: 404,
        headers: { "cache-control": "no-store" },
        body: { code: "unknown_receipt" },
      });
    }
    expect(signatures).toEqual([]);
  });

  test.each<readonly [string, KmsFault]>([
    ["is disabled", { kind: "refuse", type: "DisabledException", message: "off" }],
    ["fails", { kind: "refuse", type: "KMSInternalException", message: "oops", status: 500 }],
  ])(
    "while the signing key %s, a request for a receipt stores nothing and can be repeated, and the answer is 503 and says that the payment is safe",
    async (_, broken) => {
      const transaction = makeTransactionHash();
      await settle(transaction, await storeUnfinishedPayment(makeWallet(), 4, "fee"));
      fault = broken;
      const refused = await ask(transaction);
      expect(refused).toMatchObject({
        status: 503,
        headers: { "retry-after": "5", "cache-control": "no-store" },
        body: { code: "receipt_unavailable", error: expect.stringContaining("settled and safe") },
      });
      expect(await readStoredReceipts(transaction)).toEqual([]);
      fault = undefined;
      expect(await verify((await ask(transaction)).body)).toHaveLength(1);
    },
  );

  test("a receipt is discarded if it was signed by a wrong key", async () => {
    const transaction = makeTransactionHash();
    await settle(transaction, await storeUnfinishedPayment(makeWallet(), 5, "fee"));
    const foreign = Buffer.from(`30440220${"11".repeat(32)}0220${"22".repeat(32)}`, "hex").toString("base64");
    fault = { kind: "alter", fields: { Signature: foreign } };
    expect((await ask(transaction)).status).toBe(500);
    expect(await readStoredReceipts(transaction)).toEqual([]);
  });
});
