import { KMSClient } from "@aws-sdk/client-kms";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeKmsSigner } from "../../../core/adapter/kms.ts";
import { lower } from "../../../core/chain/hex.ts";
import { type PaymentPorts, pay } from "../../../core/payment/index.ts";
import { makePaymentName } from "../../../core/record/payment.ts";
import { getPlatformAccount } from "../../../local/devnet/accounts.ts";
import { startKms } from "../../../local/kms.ts";
import {
  actBefore,
  advanceClock,
  limitToOneKey,
  makeDyingPorts,
  pickFirstOption,
  raiseGasPrice,
  refuseCalls,
  skipWaits,
  withholdCalls,
} from "../../support/interference.ts";
import {
  listBusyRelayers,
  listTransfers,
  readRelayers,
  readSettlement,
  readSettlingTransaction,
} from "../../support/ledger.ts";
import {
  exactProxy,
  getTestAccount,
  listPress,
  makeSignedHeader,
  readBalance,
  send,
  startPayments,
  treasury,
} from "../../support/payment.ts";
import { startPart } from "../../support/provide.ts";
import { makeReaders } from "../payment/readers.ts";

let pressId: number;
const publisher = getTestAccount(4);
const ether = 10n ** 18n;
const fee = { leg: "fee", amount: 25_000n } as const;

const payments = startPart(startPayments);
const readers = makeReaders(payments);
const { leaseKeys } = readers;
beforeAll(async () => {
  pressId = await listPress(payments, publisher);
});
beforeEach(async () => expect(await listBusyRelayers(payments.ports)).toEqual([]));

/** Makes a new reader, and the payment header with which the reader pays the fee. */
async function makeReader() {
  const reader = await readers.makeReader();
  return { ...reader, ...(await readers.sign(reader.account, fee.leg, pressId)) };
}

function payFee(ports: PaymentPorts, header: string) {
  return pay(ports, { leg: fee.leg, pressId, header });
}

async function expectCharged(wallet: `0x${string}`, times: number) {
  expect(await listTransfers(payments, { from: wallet })).toMatchObject(
    Array.from({ length: times }, () => ({ to: treasury, value: fee.amount })),
  );
}

const makeOutage = (retryAfter: unknown) => ({ kind: "upstream", code: "payments_unavailable", retryAfter });

describe("payments wait while all relayers are leased", () => {
  test("while all relayers are leased, a payment waits some seconds and is then answered with 503 and Retry-After, and nothing is charged", async () => {
    const giveBack = await leaseKeys();
    const { wallet, header } = await makeReader();
    let slept = 0;
    const sleep = async (milliseconds: number) => {
      slept += milliseconds;
    };
    const ports = { ...payments.ports, clock: { ...payments.ports.clock, sleep } };
    await expect(payFee(ports, header)).rejects.toMatchObject(makeOutage(expect.any(Number)));
    expect(slept).toBeGreaterThan(2_000);
    expect(slept).toBeLessThan(12_000);
    const given = { state: "failed", failure: "released", pending: "watched" };
    expect(await readSettlement(payments.ports, wallet, pressId, "fee")).toMatchObject(given);
    await expectCharged(wallet, 0);
    await giveBack();
  });

  test("a waiting payment gets a relayer as soon as any relayer is free", async () => {
    const addresses = await payments.ports.relayers.addresses();
    const giveBack = await leaseKeys();
    const giveOneBack = await leaseKeys(addresses.slice(5, 6));
    const { wallet, header } = await makeReader();
    let looks = 0;
    const sleep = async () => {
      looks += 1;
      if (looks === 3) await giveOneBack();
    };
    const ports = { ...payments.ports, clock: { ...payments.ports.clock, sleep } };
    expect(await payFee(ports, header)).toMatchObject({ kind: "paid" });
    const transaction = await readSettlingTransaction(payments.ports, wallet, pressId, "fee");
    expect(transaction?.relayer).toBe(addresses[5]);
    await giveBack();
  });

  test("a relayer whose lease has expired without a stored transaction becomes free without any action", async () => {
    const giveBack = await leaseKeys(undefined, -1);
    const { wallet, header } = await makeReader();
    expect(await payFee(payments.ports, header)).toMatchObject({ kind: "paid" });
    await expectCharged(wallet, 1);
    await giveBack();
  });
});

describe("relayers without gas settle no payments", () => {
  async function setBalances(addresses: readonly `0x${string}`[], value: bigint) {
    for (const address of addresses) await payments.client.setBalance({ address, value });
  }

  test("relayers without gas are skipped as long as another relayer has gas", async () => {
    const addresses = await payments.ports.relayers.addresses();
    await setBalances(addresses.slice(0, 7), 0n);
    const { wallet, header } = await makeReader();
    expect(await payFee(pickFirstOption(payments.ports), header)).toMatchObject({ kind: "paid" });
    expect((await readSettlingTransaction(payments.ports, wallet, pressId, "fee"))?.relayer).toBe(
      addresses[7],
    );
    await expectCharged(wallet, 1);
    await setBalances(addresses, ether);
  });

  test("while all relayers lack gas, a payment is answered with 503 and nothing is charged; later the same payment header succeeds", async () => {
    const addresses = await payments.ports.relayers.addresses();
    await setBalances(addresses, 1_000n);
    const { wallet, header } = await makeReader();
    await expect(payFee(payments.ports, header)).rejects.toMatchObject(makeOutage(30));
    await expectCharged(wallet, 0);
    expect(await readSettlement(payments.ports, wallet, pressId, "fee")).toMatchObject({ state: "failed" });
    expect(await listBusyRelayers(payments.ports)).toEqual([]);
    await setBalances(addresses, ether);
    expect(await payFee(payments.ports, header)).toMatchObject({ kind: "paid" });
    await expectCharged(wallet, 1);
  });
});

describe("a relayer's nonce follows the chain", () => {
  const key = getPlatformAccount(0);

  /** Sends another transaction from the first relayer's key. */
  const sendFromKey = () => send(payments, key, key.address, "0x");

  test("a relayer's nonce follows the chain when the relayer key was used elsewhere", async () => {
    await sendFromKey();
    const { wallet, header } = await makeReader();
    expect(await payFee(limitToOneKey(payments.ports), header)).toMatchObject({ kind: "paid" });
    await expectCharged(wallet, 1);
  });

  test("if a transaction's nonce was used elsewhere after the first signature, the transaction is signed again with another nonce, and only one transfer is made", async () => {
    const { wallet, header } = await makeReader();
    const ports = limitToOneKey(skipWaits(payments.ports));
    const overtaken = actBefore(ports, /^eth_sendRawTransactionSync$/, sendFromKey);
    await expect(payFee(overtaken, header)).rejects.toMatchObject({ code: "settlement_pending" });
    const sent = await readSettlement(ports, wallet, pressId, "fee");
    expect(await payFee(limitToOneKey(payments.ports), header)).toMatchObject({ kind: "paid" });
    expect((await readSettlement(ports, wallet, pressId, "fee"))?.txHash).not.toBe(sent?.txHash);
    await expectCharged(wallet, 1);
  });

  test("a relayer skips no nonce after somebody else has settled a permit", async () => {
    for (let time = 0; time < 3; time += 1) {
      const { wallet, header, call } = await makeReader();
      await send(payments, getTestAccount(7), exactProxy, call);
      expect(await payFee(limitToOneKey(payments.ports), header)).toMatchObject({ kind: "paid" });
      await expectCharged(wallet, 1);
    }
    const { header } = await makeReader();
    expect(await payFee(limitToOneKey(payments.ports), header)).toMatchObject({ kind: "paid" });
  });

  test("a relayer's stored nonce that is higher than the chain's nonce is corrected, so that the relayer skips no nonce", async () => {
    const { address } = getPlatformAccount(1);
    const nextNonce = (await payments.client.getTransactionCount({ address })) + 3;
    await payments.ports.table.entities.relayer.put({ address: lower(address), nextNonce }).go();
    const { wallet, header } = await makeReader();
    const ports = limitToOneKey(payments.ports, 1);
    const polling = refuseCalls(skipWaits(ports), /^eth_sendRawTransactionSync$/, -32601);
    await expect(payFee(polling, header)).rejects.toMatchObject({ code: "settlement_pending" });
    expect(await payFee(ports, header)).toMatchObject({ kind: "paid" });
    await expectCharged(wallet, 1);
    const another = await makeReader();
    expect(await payFee(ports, another.header)).toMatchObject({ kind: "paid" });
  });
});

test.each(["before", "after"] as const)(
  "if a process died just %s its broadcast, the expired lease is ended by a payment that finds no other relayer key free",
  async (when) => {
    const [dead, living] = [await makeReader(), await makeReader()];
    const { ports, ended } = makeDyingPorts(
      limitToOneKey(payments.ports),
      /^eth_sendRawTransactionSync$/,
      when,
    );
    void payFee(ports, dead.header);
    await ended;
    expect(await listBusyRelayers(payments.ports)).toMatchObject([{ inFlight: expect.any(String) }]);

    const soon = limitToOneKey({ ...advanceClock(payments.ports, 20_000) });
    await expect(payFee(soon, living.header)).rejects.toMatchObject(makeOutage(expect.any(Number)));
    const afterwards = limitToOneKey({
      ...payments.ports,
      clock: { ...payments.ports.clock, now: () => Date.now() + 31_000 },
    });
    expect(await payFee(afterwards, living.header)).toMatchObject({ kind: "paid" });
    expect(await readSettlement(payments.ports, dead.wallet, pressId, "fee")).toMatchObject({
      state: "settled",
    });
    await expectCharged(dead.wallet, 1);
    await expectCharged(living.wallet, 1);
  },
);

describe("the service replaces a transaction whose gas price has become too low", () => {
  const sends = /^eth_send/;

  /** Makes a payment of the fee. The first transaction of the payment and its replacement are stored, but have not reached the node. */
  async function makeReplacedFee() {
    const reader = await makeReader();
    const cut = withholdCalls(skipWaits(payments.ports), sends);
    await expect(payFee(cut, reader.header)).rejects.toMatchObject({ code: "settlement_pending" });
    const first = await readSettlingTransaction(payments.ports, reader.wallet, pressId, "fee");
    await expect(payFee(raiseGasPrice(cut, 10n), reader.header)).rejects.toMatchObject({
      code: "settlement_pending",
    });
    const second = await readSettlingTransaction(payments.ports, reader.wallet, pressId, "fee");
    if (first === null || second === null) throw new Error("Nothing was stored");
    return { ...reader, first, second };
  }

  test("a transaction whose gas price is too low is replaced, both transactions are recorded, and only one transfer is made", async () => {
    const { wallet, header, first, second } = await makeReplacedFee();
    expect(second).toMatchObject({
      id: first.id,
      state: "stored",
      hashes: [expect.not.stringContaining(first.hashes[0] ?? ""), ...first.hashes],
      nonce: first.nonce,
      intents: [makePaymentName({ wallet, pressId, leg: "fee" })],
    });
    expect(await payFee(payments.ports, header)).toMatchObject({
      kind: "paid",
      receipt: { transaction: second.hashes[0] },
    });
    await expectCharged(wallet, 1);
  });

  test("a payment counts as paid if its replaced transaction is mined, and the relayer can be used again", async () => {
    const { wallet, header, first } = await makeReplacedFee();
    const hash = await payments.client.sendRawTransaction({
      serializedTransaction: `0x${first.rawTx.slice(2)}`,
    });
    await payments.client.waitForTransactionReceipt({ hash });
    expect(await payFee(payments.ports, header)).toMatchObject({
      kind: "paid",
      receipt: { transaction: first.hashes[0] },
    });
    await expectCharged(wallet, 1);

    const another = await makeReader();
    const addresses = await payments.ports.relayers.addresses();
    const same = { ...payments.ports.ids, pick: () => addresses.indexOf(`0x${first.relayer.slice(2)}`) };
    expect(await payFee({ ...payments.ports, ids: same }, another.header)).toMatchObject({ kind: "paid" });
    expect((await readSettlingTransaction(payments.ports, another.wallet, pressId, "fee"))?.relayer).toBe(
      first.relayer,
    );
  });
});

test("relayer keys in KMS settle both legs of a purchase", async () => {
  const keys = ["alias/relayer-0", "alias/relayer-1"].map((id) => ({
    id,
    privateKey: generatePrivateKey(),
  }));
  const addresses = keys.map(({ privateKey }) => lower(privateKeyToAddress(privateKey)));
  for (const address of addresses) await payments.client.setBalance({ address, value: ether });
  const kms = await startKms({ keys });
  const client = new KMSClient({
    endpoint: kms.endpoint,
    region: "us-east-1",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
  });
  try {
    const relayers = makeKmsSigner(
      client,
      keys.map(({ id }) => id),
    );
    const ports = { ...payments.ports, relayers };
    const { account, wallet, header } = await makeReader();
    const before = await readBalance(payments, publisher.address);
    expect(await payFee(ports, header)).toMatchObject({ kind: "paid" });
    const text = await makeSignedHeader(payments, account, "publisher", pressId);
    expect(await pay(ports, { leg: "publisher", pressId, header: text })).toMatchObject({
      kind: "paid",
      unlocked: { body: `The text of ${pressId}.` },
    });
    expect((await readBalance(payments, publisher.address)) - before).toBe(225_000n);
    for (const leg of ["fee", "publisher"] as const) {
      const settled = await readSettlement(ports, wallet, pressId, leg);
      const hash: `0x${string}` = `0x${settled?.txHash?.slice(2)}`;
      expect(addresses).toContain(lower((await payments.client.getTransaction({ hash })).from));
    }
    expect((await readRelayers(ports)).reduce((sum, { nextNonce }) => sum + nextNonce, 0)).toBe(2);
    expect(await listBusyRelayers(ports)).toEqual([]);
  } finally {
    client.destroy();
    await kms.stop();
  }
});
