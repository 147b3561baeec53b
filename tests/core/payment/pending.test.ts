import { afterAll, describe, expect, test } from "vitest";
import { openChain } from "../../../core/adapter/chain/index.ts";
import { type PaymentPorts, pay } from "../../../core/payment/index.ts";
import { startFaultyNode } from "../../support/faulty-node.ts";
import { alterNode, loseAnswers, refuseCalls, skipWaits, withholdCalls } from "../../support/interference.ts";
import {
  countReads,
  listBusyRelayers,
  listTransfers,
  readSettlingTransaction,
} from "../../support/ledger.ts";
import { getTestAccount, makeSignedHeader, startPayments } from "../../support/payment.ts";
import { startProxy } from "../../support/post.ts";
import { startPart } from "../../support/provide.ts";
import { makeReaders } from "./readers.ts";

const sync = /^eth_sendRawTransactionSync$/;
const parts = { fee: [25_000n], publisher: [25_000n, 225_000n] } as const;
const pending = {
  kind: "upstream",
  code: "settlement_pending",
  retryAfter: expect.any(Number),
  details: { transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
};

const payments = startPart(startPayments);
const node = startPart(() => startFaultyNode(payments.devnet.rpcUrl));
const { makePayingReader, sign, readRecord } = makeReaders(payments);
afterAll(async () => expect(await listBusyRelayers(payments.ports)).toEqual([]));

type DueReader = Awaited<ReturnType<typeof makePayingReader>>;

async function expectPaid(payer: DueReader, outcome: unknown) {
  expect(outcome).toMatchObject({ kind: "paid", already: false, receipt: { success: true } });
  if (payer.leg === "publisher") {
    expect(outcome).toMatchObject({ unlocked: { body: `The text of ${payer.pressId}.` } });
    expect(await countReads(payments.ports, payer.pressId + 1000)).toBe(1);
  }
  const moved = await listTransfers(payments, { from: payer.wallet });
  expect(moved.map(({ value }) => value)).toEqual(parts[payer.leg]);
  expect(outcome).toMatchObject({ receipt: { transaction: moved.at(-1)?.txHash } });
}

const otherReceipt = {
  transactionHash: `0x${"11".repeat(32)}`,
  status: "0x1",
  from: getTestAccount(9).address,
  blockNumber: "0x1",
  gasUsed: "0x5208",
  logs: [],
};

/** Lists the faults that can affect the broadcast, which is the only request that moves money. */
const accidents: readonly (readonly [string, (ports: PaymentPorts) => PaymentPorts])[] = [
  [
    "it is taken and its answer lost, and no receipt can be had",
    (ports) => loseAnswers(ports, /^eth_(send|getTransactionReceipt)/),
  ],
  ["it never arrives", (ports) => withholdCalls(ports, /^eth_(send|getTransactionReceipt)/)],
  ["the node's time for it runs out", (ports) => refuseCalls(ports, /^eth_(send|getTransactionReceipt)/, 4)],
  ["the node refuses it", (ports) => refuseCalls(ports, /^eth_send/, -32000)],
  [
    "the node answers with the receipt of another transaction",
    (ports) => alterNode(ports, /^eth_send/, async () => [{ status: "ok", result: otherReceipt }]),
  ],
];

test.each(accidents)(
  "a payment to the publisher is answered with 503 and its transaction when %s; a later payment with a fresh signature is answered with 200, and the payer is charged once",
  async (_, faulty) => {
    const leg = "publisher";
    const payer = await makePayingReader(leg);
    await expect(pay(faulty(skipWaits(payments.ports)), payer)).rejects.toMatchObject(pending);
    expect(await readRecord(payer)).toMatchObject({ state: "submitted", txHash: expect.any(String) });
    expect(await readSettlingTransaction(payments.ports, payer.wallet, payer.pressId, leg)).toMatchObject({
      state: "stored",
    });
    const header = await makeSignedHeader(payments, payer.account, leg, payer.pressId);
    await expectPaid(payer, await pay(payments.ports, { ...payer, header }));
  },
);

test("every repeated payment gets the same 503 answer during the fault, and never a 402", async () => {
  const payer = await makePayingReader("publisher");
  const cut = withholdCalls(skipWaits(payments.ports), /^eth_(send|getTransactionReceipt)/);
  const fresh = await makeSignedHeader(payments, payer.account, "publisher", payer.pressId);
  const hashes = new Set<unknown>();
  for (const header of [payer.header, payer.header, fresh, payer.header]) {
    const refusal = await pay(cut, { ...payer, header }).catch((error: unknown) => error);
    expect(refusal).toMatchObject(pending);
    hashes.add(refusal instanceof Error && "details" in refusal ? JSON.stringify(refusal.details) : refusal);
  }
  expect(hashes.size).toBe(1);
  await expectPaid(payer, await pay(payments.ports, payer));
});

test("if an HTTP connection is cut after the node accepted the transaction, the payer gets no 402 and is charged once", async () => {
  const payer = await makePayingReader("publisher");
  const ports = { ...payments.ports, chain: openChain([node.url]) };
  node.setFault({ kind: "hang up", forwarded: true, only: /eth_sendRawTransactionSync/ });
  const first = await pay(ports, payer).catch((error: unknown) => error);
  node.setFault({ kind: "none" });
  if (first instanceof Error) {
    expect(first).toMatchObject(pending);
    await expectPaid(payer, await pay(ports, payer));
  } else {
    await expectPaid(payer, first);
  }
});

test("a request for the text finishes a pending fee before the request is answered", async () => {
  const reader = await makePayingReader("fee");
  const lost = loseAnswers(skipWaits(payments.ports), /^eth_(send|getTransactionReceipt)/);
  await expect(pay(lost, reader)).rejects.toMatchObject(pending);
  const leg = "publisher";
  const payer = { ...reader, leg, ...(await sign(reader.account, leg, reader.pressId)) } as const;
  await expectPaid(payer, await pay(payments.ports, payer));
});

describe("the service sends plain broadcasts to a node that does not offer eth_sendRawTransactionSync", () => {
  test.each([-32601, -32052])(
    "a node that refuses eth_sendRawTransactionSync with %i gets a plain broadcast and is polled",
    async (code) => {
      const payer = await makePayingReader("fee");
      const asked: string[] = [];
      const old = alterNode(refuseCalls(payments.ports, sync, code), /./, (calls, ask) => {
        asked.push(...calls.map(({ method }) => method));
        return ask();
      });
      await expectPaid(payer, await pay(old, payer));
      expect(asked).toContain("eth_sendRawTransaction");
      expect(asked).toContain("eth_getTransactionReceipt");
    },
  );

  test("a payment is found by polling when the node's answer to the broadcast is lost", async () => {
    const payer = await makePayingReader("publisher");
    const old = loseAnswers(refuseCalls(payments.ports, sync, -32601), /^eth_sendRawTransaction$/);
    await expectPaid(payer, await pay(old, payer));
  });
});

test.each([
  [403, "Forbidden"],
  [200, "this method is not in your plan"],
])(
  "a node that refuses eth_sendRawTransactionSync with %i %s gets the same bytes at once by a plain broadcast, and only plain broadcasts later",
  async (status, words) => {
    const asked: string[] = [];
    const { endpoint, stop } = await startProxy(payments.devnet.rpcUrl, async (body, ask) => {
      asked.push(...(body.match(/eth_sendRaw\w+/g) ?? []));
      return body.includes("eth_sendRawTransactionSync") ? { status, text: words } : ask();
    });
    const ports = { ...payments.ports, chain: openChain([endpoint]) };
    const [first, second] = [await makePayingReader("fee"), await makePayingReader("fee")];
    await expectPaid(first, await pay(ports, first));
    await expectPaid(second, await pay(ports, second));
    await stop();
    expect(asked).toEqual(["eth_sendRawTransactionSync", "eth_sendRawTransaction", "eth_sendRawTransaction"]);
  },
);

test("a payment whose gas price is below the base fee immediately gets a new gas price, and is charged once", async () => {
  const payer = await makePayingReader("publisher");
  const asked: string[] = [];
  let refusals = 0;
  const ports = alterNode(payments.ports, /./, async (calls, ask) => {
    asked.push(...calls.map(({ method }) => method));
    const [call] = calls;
    if (call?.method.startsWith("eth_sendRaw") && refusals++ === 0) {
      return [{ status: "failed", code: -32000, message: "max fee per gas less than block base fee" }];
    }
    const outcomes = await ask();
    // The gas price has risen, but the offered price could cover a rise that is twice as large.
    const dearer = { status: "ok", result: "0x1c9c380" } as const;
    return refusals === 0
      ? outcomes
      : calls.map(({ method }, at) => (method === "eth_gasPrice" ? dearer : (outcomes[at] ?? dearer)));
  });
  await expectPaid(payer, await pay(ports, payer));
  expect(asked.filter((method) => method === "eth_getTransactionReceipt")).toEqual([]);
  expect(
    (await readSettlingTransaction(payments.ports, payer.wallet, payer.pressId, "publisher"))?.hashes,
  ).toHaveLength(2);
});
