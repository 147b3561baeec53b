import { keccak256, numberToHex } from "viem/utils";
import { expect, test } from "vitest";
import * as z from "zod";
import { type Hex, HexInput, toAddress } from "../../../core/chain/hex.ts";
import { reconcile } from "../../../core/payment/index.ts";
import {
  actBefore,
  advanceClock,
  alterNode,
  changeResults,
  raiseGasPrice,
  recordSends,
  withholdCalls,
} from "../../support/interference.ts";
import { readRelayers, readSettlingTransaction } from "../../support/ledger.ts";
import { startPayments } from "../../support/payment.ts";
import { startPart } from "../../support/provide.ts";
import { setPaused } from "../../support/wallets.ts";
import { makeReaders } from "./readers.ts";

const minute = 60_000;
const sends = /^eth_sendRawTransaction/;

const payments = startPart(startPayments);
const { makePayingReader, listCharges, readRecord: recordOf, payAndDie } = makeReaders(payments);

/** A fee whose transaction was stored but never sent, because its process died before the broadcast. */
async function storeFee(ports = payments.ports) {
  const payer = await makePayingReader("fee");
  await payAndDie(payer, "before", ports);
  const { wallet, pressId, header } = payer;
  const readRecord = async () => {
    const item = await recordOf(payer);
    const transaction = await readSettlingTransaction(payments.ports, wallet, pressId, "fee");
    return {
      ...item,
      hashes: transaction?.hashes ?? [],
      rawTx: HexInput.optional().parse(transaction?.rawTx),
    };
  };
  return { wallet, pressId, header, readRecord };
}
type StoredPayment = Awaited<ReturnType<typeof storeFee>>;

async function expectSettledOnce({ wallet, readRecord }: StoredPayment): Promise<void> {
  await expect
    .poll(() => reconcile(advanceClock(payments.ports, 5 * minute)))
    .toMatchObject({ pending: 0, unknown: 0 });
  expect(await readRecord()).toMatchObject({ state: "settled" });
  expect(await listCharges({ wallet })).toEqual([25_000n]);
}

test("a replacement transaction is not sent if another run of the reconciler has already stored its own replacement", async () => {
  const payer = await storeFee();
  const { rawTx } = await payer.readRecord();
  const makeDearPorts = (times: bigint) => raiseGasPrice(advanceClock(payments.ports, minute), times);
  const sent: Hex[] = [];
  const slow = recordSends(makeDearPorts(10n), sent);
  const relayers = {
    ...slow.relayers,
    sign: async (...order: Parameters<typeof slow.relayers.sign>) => {
      // Another run of the reconciler replaces the transaction at another gas price, and dies before its own broadcast.
      expect(await reconcile(withholdCalls(makeDearPorts(20n), sends))).toMatchObject({ unknown: 1 });
      return slow.relayers.sign(...order);
    },
  };
  expect(await reconcile({ ...slow, relayers })).toMatchObject({ pending: 1 });
  const { hashes } = await payer.readRecord();
  expect(hashes).toHaveLength(2);
  expect(sent).toEqual([rawTx]);
  expect(hashes).toContain(keccak256(sent[0] ?? "0x"));
  await expectSettledOnce(payer);
});

test("a transaction that offers the highest allowed gas price is sent again unchanged, even if gas costs more", async () => {
  const maxPrice = 2n * (await payments.client.getGasPrice());
  const capped = { ...payments.ports, settings: { ...payments.ports.settings, gas: { maxPrice } } };
  const payer = await storeFee(capped);
  const { rawTx, hashes } = await payer.readRecord();
  const sent: Hex[] = [];
  const dear = raiseGasPrice(advanceClock(capped, minute), 10n);
  await reconcile(recordSends(withholdCalls(dear, sends), sent));
  expect(sent).toEqual([rawTx]);
  expect((await payer.readRecord()).hashes).toEqual(hashes);
  await expectSettledOnce(payer);
});

test("a payment does not end when its replaced transaction reverts, because the replacement may still pay", async () => {
  const payer = await storeFee();
  const { rawTx, hashes } = await payer.readRecord();
  if (rawTx === undefined) throw new Error("Nothing was stored.");
  await setPaused(payments, true);
  const hash = await payments.client.sendRawTransaction({ serializedTransaction: rawTx });
  await payments.client.waitForTransactionReceipt({ hash });
  await setPaused(payments, false);
  // The node shows the relayer's next nonce but no receipt, as if another transaction had used the nonce of the stored transaction.
  const blind = changeResults(advanceClock(payments.ports, minute), "eth_getTransactionReceipt", () => null);
  await reconcile(withholdCalls(blind, sends));
  expect((await payer.readRecord()).hashes).toEqual([expect.not.stringContaining(hash), ...hashes]);
  await reconcile(withholdCalls(advanceClock(payments.ports, 2 * minute), sends));
  expect(await payer.readRecord()).toMatchObject({ state: "submitted" });
  await expectSettledOnce(payer);
});

test.each(["receipts", "count"])(
  "a transaction that is mined during the service's search is not replaced, even if the node's answer combines old %s with newer data",
  async (early) => {
    const payer = await storeFee();
    const { rawTx, hashes } = await payer.readRecord();
    if (rawTx === undefined) throw new Error("Nothing was stored.");
    await setPaused(payments, true);
    // At this high gas price, the service would replace an unmined transaction even if its nonce is still unused.
    const ports = raiseGasPrice(advanceClock(payments.ports, minute), 10n);
    const unordered = alterNode(ports, /^eth_getTransactionCount$/, async (_calls, ask) => {
      const before = await ask();
      const hash = await payments.client.sendRawTransaction({ serializedTransaction: rawTx });
      await payments.client.waitForTransactionReceipt({ hash });
      const after = await ask();
      const [count, rest] = early === "count" ? [before, after] : [after, before];
      return [...count.slice(0, 1), ...rest.slice(1)];
    });
    const sent: Hex[] = [];
    await reconcile(recordSends(unordered, sent));
    await setPaused(payments, false);
    expect(sent).toEqual([]);
    expect((await payer.readRecord()).hashes).toEqual(hashes);
    expect(await reconcile(advanceClock(payments.ports, 2 * minute))).toMatchObject({ failed: 1 });
  },
);

test("if a transaction is mined after it was replaced, the relayer key's nonces have no gap", async () => {
  const payer = await storeFee();
  const { rawTx, hashes } = await payer.readRecord();
  if (rawTx === undefined) throw new Error("Nothing was stored.");
  // The transaction is mined after the service has checked the transaction's permit. The node shows the used nonce of the relayer, but not
  // the receipt yet.
  const blind = changeResults(advanceClock(payments.ports, minute), "eth_getTransactionReceipt", () => null);
  const landing = actBefore(blind, /^eth_getTransactionCount$/, () =>
    payments.client.sendRawTransactionSync({ serializedTransaction: rawTx }),
  );
  await reconcile(withholdCalls(landing, sends));
  const { hashes: after } = await payer.readRecord();
  expect(after).toEqual([expect.stringMatching(/^0x/), ...hashes]);
  await expectSettledOnce(payer);
  const stuck = await readSettlingTransaction(payments.ports, payer.wallet, payer.pressId, "fee");
  for (const { address, nextNonce } of await readRelayers(payments.ports)) {
    if (address !== stuck?.relayer) continue;
    expect(nextNonce).toBe(await payments.client.getTransactionCount({ address: toAddress(address) }));
  }
});

test("a payment that was not mined stays pending until a minute after its deadline, because the other nodes may lag", async () => {
  const payer = await storeFee();
  const { deadline } = (await payer.readRecord()).signed ?? {};
  const makePortsAfter = (seconds: bigint) =>
    changeResults(
      withholdCalls(advanceClock(payments.ports, minute), sends),
      "eth_getBlockByNumber",
      (block) => ({
        ...z.looseObject({}).parse(block),
        timestamp: numberToHex(BigInt(deadline ?? 0) + seconds),
      }),
    );
  for (const seconds of [0n, 1n, 60n]) {
    await reconcile(makePortsAfter(seconds));
    expect(await payer.readRecord()).toMatchObject({ state: "submitted" });
  }
  await reconcile(makePortsAfter(61n));
  expect(await payer.readRecord()).toMatchObject({ state: "failed", failure: "permit2_deadline_expired" });
});
