import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { openChain } from "../../../core/adapter/chain/index.ts";
import { type Address, lower } from "../../../core/chain/hex.ts";
import { AppError } from "../../../core/error.ts";
import { type PaymentPorts, pay } from "../../../core/payment/index.ts";
import { type Call, type Change, type Fault, startFaultyNode } from "../../support/faulty-node.ts";
import { actBefore, alterNode, pickFirstOption } from "../../support/interference.ts";
import {
  encodeInvalidation,
  exactProxy,
  getTestAccount,
  listPress,
  makeSignedHeader,
  permit2,
  readBalance,
  send,
  signLeg,
  startPayments,
} from "../../support/payment.ts";
import { startPart } from "../../support/provide.ts";
import { deployContractWallet, fund } from "../../support/wallets.ts";

let ports: PaymentPorts;
let pressId: number;
let contract: Address;
let wallets: readonly Address[];
const publisher = getTestAccount(4);
const reader = getTestAccount(20);

const payments = startPart(startPayments);
const node = startPart(() => startFaultyNode(payments.devnet.rpcUrl));
beforeAll(async () => {
  ports = { ...payments.ports, chain: openChain([node.url]) };
  await fund(payments, reader);
  pressId = await listPress(payments, publisher);
  contract = await deployContractWallet(payments, reader);
  wallets = [lower(reader.address), contract];
});
afterEach(() => node.setFault({ kind: "none" }));

/** A payment header with which the wallet would pay the fee if the node had no fault. */
const signFee = (from: Address, id = pressId) => makeSignedHeader(payments, reader, "fee", id, { from });

/** Expects that the node's fault is answered as an outage, and changes nothing. */
async function expectUnavailable(fault: Fault, payers = wallets) {
  for (const wallet of payers) {
    const header = await signFee(wallet);
    const before = await readBalance(payments, wallet);
    node.setFault(fault);
    const refusal = await pay(ports, { leg: "fee", pressId, header }).catch((error: unknown) => error);
    node.setFault({ kind: "none" });
    expect(refusal).toBeInstanceOf(AppError);
    expect(refusal).toMatchObject({ kind: "upstream", code: "chain_unavailable", retryAfter: 2 });
    const { data } = await ports.table.entities.settlement.get({ wallet, pressId, leg: "fee" }).go();
    expect(data).toBeNull();
    expect(await readBalance(payments, wallet)).toBe(before);
  }
}

const makeBodyFault = (status: number, text: string): Fault => ({ kind: "body", status, body: () => text });
const limitExceeded = { code: -32005, message: "limit exceeded" };

describe("a payer is never refused because a node gives no valid answer", () => {
  test.each<[string, Fault]>([
    ["a closed connection", { kind: "hang up", forwarded: false }],
    ["null", makeBodyFault(200, "null")],
    ["no answers", makeBodyFault(200, "[]")],
    ["truncated JSON", { kind: "body", status: 200, body: (answer) => answer.slice(0, -20) }],
    ["answers to other calls", { kind: "calls", change: (_, reply) => ({ ...reply, id: reply.id + 100 }) }],
    [
      "ids as text",
      { kind: "body", status: 200, body: (answer) => answer.replaceAll(/"id":(\d+)/g, '"id":"$1"') },
    ],
  ])("%s", async (_, fault) => expectUnavailable(fault));
});

describe("a payer is never refused because one call of a batch failed", () => {
  const asked: Call[] = [];
  beforeAll(async () => {
    // If the service refuses a payment, it makes only the node calls that it needs for the refusal.
    const changes = { from: contract, amount: 1n };
    const header = await makeSignedHeader(payments, reader, "fee", pressId, changes);
    node.setFault({
      kind: "calls",
      change(call, reply) {
        asked.push(call);
        return reply;
      },
    });
    await pay(ports, { leg: "fee", pressId, header });
    expect(asked.length).toBeGreaterThanOrEqual(9);
  });

  const answerWith =
    (content: object): Change =>
    (_call, { id }) => ({ jsonrpc: "2.0", id, ...content });
  // Each node call is tested with three kinds of faults.
  test.each<[string, 0 | 1, Change]>([
    ["error -32000", 0, answerWith({ error: { code: -32000, message: "header not found" } })],
    ["no answer", 1, () => undefined],
    ["neither result nor error", 0, answerWith({})],
    ["null", 1, answerWith({ result: null })],
    ["an object", 0, answerWith({ result: { gas: "0x1" } })],
    ["text", 1, answerWith({ result: "nonsense" })],
  ])(
    "the node's fault %s is answered as an outage (the test makes the fault at every second call, beginning with call %i)",
    async (_, begin, change) => {
      for (const [index, { id }] of asked.entries()) {
        if (index % 2 !== begin) continue;
        const fault: Fault = {
          kind: "calls",
          change: (call, reply) => (call.id === id ? change(call, reply) : reply),
        };
        // Payments by plain accounts and payments by contract wallets make the listed node calls, so the tests alternate between the two
        // kinds of wallet. Only payments by contract wallets make the last of the listed node calls.
        const isLast = index === asked.length - 1;
        await expectUnavailable(fault, [isLast || index % 4 < 2 ? contract : lower(reader.address)]);
      }
    },
  );
});

describe("a fault after the broadcast leads neither to a refusal nor to a second charge", () => {
  test.each<[string, Fault]>([
    ["an answer that is lost", { kind: "hang up", forwarded: true }],
    ["a transaction that is lost", { kind: "hang up", forwarded: false }],
    [
      "another transaction's receipt",
      makeBodyFault(200, JSON.stringify({ jsonrpc: "2.0", id: 0, result: {} })),
    ],
  ])(
    "a payment stays pending if its broadcast is answered with %s, and the same header is charged only once when it is sent again",
    async (_, fault) => {
      const impatient = { ...ports, clock: { ...ports.clock, sleep: async () => undefined } };
      for (const wallet of wallets) {
        const press = await listPress(payments, publisher);
        const header = await signFee(wallet, press);
        const before = await readBalance(payments, wallet);
        node.setFault({ ...fault, only: /eth_send|eth_getTransactionReceipt/ });
        await expect(pay(impatient, { leg: "fee", pressId: press, header })).rejects.toMatchObject({
          kind: "upstream",
          code: "settlement_pending",
          details: { transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
        });
        node.setFault({ kind: "none" });
        expect(await pay(ports, { leg: "fee", pressId: press, header })).toMatchObject({ kind: "paid" });
        expect(before - (await readBalance(payments, wallet))).toBe(25_000n);
      }
    },
  );

  test("no transaction is sent while a relayer's state cannot be read, and the same payment header is accepted later", async () => {
    const press = await listPress(payments, publisher);
    const header = await makeSignedHeader(payments, reader, "fee", press);
    // Another request leases the relayer whose state was read together with the payment.
    const { relayer } = ports.table.entities;
    const [address = ""] = await ports.relayers.addresses();
    const first = alterNode(pickFirstOption(ports), /./, async (calls, ask) => {
      const lease = { lease: "another", leaseUntil: ports.clock.now() + 60_000 };
      if (calls.length > 2) await relayer.put({ address, nextNonce: 0, ...lease }).go();
      return ask();
    });
    node.setFault({ ...makeBodyFault(200, "local_rate_limited"), only: /^\[\{[^{]*eth_getTransactionCount/ });
    await expect(pay(first, { leg: "fee", pressId: press, header })).rejects.toMatchObject({
      kind: "upstream",
      code: "payments_unavailable",
    });
    node.setFault({ kind: "none" });
    await relayer.delete({ address }).go();
    expect(await pay(ports, { leg: "fee", pressId: press, header })).toMatchObject({ kind: "paid" });
  });

  test("a permit that somebody else settled is credited as soon as the node can read the logs", async () => {
    const press = await listPress(payments, publisher);
    const { header, call } = await signLeg(payments, reader, "fee", press);
    await send(payments, getTestAccount(7), exactProxy, call);
    const before = await readBalance(payments, reader.address);
    for (const only of [/eth_getLogs/, /eth_getTransactionByHash/]) {
      node.setFault({
        ...makeBodyFault(200, JSON.stringify({ jsonrpc: "2.0", id: 0, error: limitExceeded })),
        only,
      });
      await expect(pay(ports, { leg: "fee", pressId: press, header })).rejects.toMatchObject({
        kind: "upstream",
        code: "chain_unavailable",
      });
    }
    node.setFault({ kind: "none" });
    expect(await pay(ports, { leg: "fee", pressId: press, header })).toMatchObject({ kind: "paid" });
    expect(await readBalance(payments, reader.address)).toBe(before);
  });
});

describe("a node that does not know the block of the payer's last receipt yet is asked again", () => {
  /** An earlier state of the chain, in which the wallet has no approval or no USDG, so that a settlement would revert. */
  const makeStaleFault = (selector: string, times: number): Fault => {
    let left = times;
    return {
      kind: "calls",
      only: /eth_estimateGas/,
      change({ method, params: [call] }, reply) {
        if (left > 0 && method === "eth_call" && JSON.stringify(call).includes(selector)) {
          left -= 1;
          return { ...reply, result: `0x${"0".repeat(64)}` };
        }
        return reply;
      },
    };
  };
  const allowance = "0xdd62ed3e";
  const balance = "0x70a08231";

  test.each([
    ["allowance", allowance],
    ["balance", balance],
  ])(
    "the service asks a lagging node once more before the payer's %s counts as too low",
    async (_, selector) => {
      for (const wallet of wallets) {
        const id = await listPress(payments, publisher);
        const header = await signFee(wallet, id);
        node.setFault(makeStaleFault(selector, 1));
        expect(await pay(ports, { leg: "fee", pressId: id, header })).not.toMatchObject({ kind: "terms" });
      }
    },
  );

  test("a lagging node's answer does not count when another node has a newer block", async () => {
    const both = { ...ports, chain: openChain([node.url, payments.devnet.rpcUrl]) };
    node.setFault(makeStaleFault(allowance, Number.POSITIVE_INFINITY));
    for (const wallet of wallets) {
      const id = await listPress(payments, publisher);
      const header = await signFee(wallet, id);
      expect(await pay(both, { leg: "fee", pressId: id, header })).not.toMatchObject({ kind: "terms" });
    }
  });

  test("a lagging node is not asked again about the payer's funds if the call reverts for a reason other than missing funds", async () => {
    const { permit, header } = await signLeg(payments, reader, "fee", pressId);
    const takingBack = actBefore(ports, /^eth_send/, async () => {
      await send(payments, reader, permit2, encodeInvalidation(permit.nonce));
      node.setFault({
        kind: "calls",
        change: ({ params: [call, block] }, reply) =>
          block === "latest" && JSON.stringify(call).includes(allowance)
            ? { ...reply, result: `0x${"0".repeat(64)}` }
            : reply,
      });
    });
    expect(await pay(takingBack, { leg: "fee", pressId, header })).toMatchObject({
      terms: { code: "permit2_invalid_nonce" },
    });
  });

  test("a node that may still lack the approval's block is asked again for a limited time, and the payment succeeds when the node shows the funds", async () => {
    const patient = { ...ports, settings: { ...ports.settings, stateLag: 3_000 } };
    const waited: number[] = [];
    let since = 0;
    const clock = {
      now: () => since + waited.reduce((sum, milliseconds) => sum + milliseconds, 0),
      sleep: async (milliseconds: number) => void waited.push(milliseconds),
    };
    const payFee = async (times: number) => {
      waited.length = 0;
      // The service's RPC relay has shown a receipt from a block that the lagging node does not have yet.
      const change = { holder: lower(reader.address), block: 1_000_000_000, waits: 0, expiresAt: 10 ** 10 };
      await ports.table.entities.fundsChange.put(change).go();
      const id = await listPress(payments, publisher);
      const header = await makeSignedHeader(payments, reader, "fee", id);
      node.setFault(makeStaleFault(allowance, times));
      since = Date.now();
      return pay({ ...patient, clock }, { leg: "fee", pressId: id, header });
    };
    expect(await payFee(3)).toMatchObject({ kind: "paid" });
    // Only the first two waits are for the node; later the payment waits for a free relayer.
    expect(waited.slice(0, 2)).toEqual([1_500, expect.toSatisfy((rest) => rest > 0 && rest <= 1_500)]);
    expect(await payFee(Number.POSITIVE_INFINITY)).toMatchObject({
      terms: { code: "permit2_allowance_required" },
    });
    expect(waited).toHaveLength(2);
  });

  test("the service believes a node that gives the same answer twice", async () => {
    for (const wallet of wallets) {
      const header = await signFee(wallet);
      node.setFault(makeStaleFault(allowance, 2));
      expect(await pay(ports, { leg: "fee", pressId, header })).toMatchObject({
        terms: { code: "permit2_allowance_required" },
      });
    }
  });
});
