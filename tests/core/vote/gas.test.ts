import { BatchWriteCommand, DynamoDBDocumentClient, ScanCommand } from "@aws-sdk/lib-dynamodb";
import { encodeFunctionData, parseAbi, parseTransaction } from "viem/utils";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { unavailable } from "../../../core/chain/call.ts";
import { type Address, type Hex, lower, toAddress } from "../../../core/chain/hex.ts";
import { reconcile } from "../../../core/errand/index.ts";
import type { PaymentPorts } from "../../../core/payment/index.ts";
import { sendGas } from "../../../core/votegas/index.ts";
import { loseAnswers, meddle, raiseGasPrice, skipWaits, withholdCalls } from "../../support/interference.ts";
import {
  approve,
  listPress,
  type Payments,
  payLeg,
  send,
  startPayments,
  testAccount,
  usdg,
} from "../../support/payment.ts";

/** The ETH for a vote and the faults beside it: whatever fails, it is sent once, and costs no more than was reserved. */
let payments: Payments;
let pressId: number;
beforeAll(async () => {
  payments = await startPayments();
  pressId = await listPress(payments, testAccount(4), 4_000_000n);
});
afterAll(() => payments.stop());

const buyer = testAccount(99);
let readers = 100;
let bought: Promise<readonly string[]> | undefined;
const transferAbi = parseAbi(["function transfer(address to, uint256 amount) returns (bool)"]);

/** A wallet that has unlocked the press, and has no ETH any more. The first one pays, and others have the same records. */
async function reader(): Promise<Address> {
  const wallet = lower(testAccount(readers++).address);
  bought ??= pay();
  const puts = (await bought).map((item) => ({
    PutRequest: { Item: JSON.parse(item.replaceAll(lower(buyer.address), wallet)) },
  }));
  await documents().send(new BatchWriteCommand({ RequestItems: { [payments.store.name]: puts } }));
  return wallet;
}

/** Pays, and answers what the table has of the payer then. */
async function pay(): Promise<readonly string[]> {
  const args = [buyer.address, 5_000_000n] as const;
  const data = encodeFunctionData({ abi: transferAbi, functionName: "transfer", args });
  await send(payments, testAccount(0), usdg, data);
  await payments.client.setBalance({ address: buyer.address, value: 10n ** 18n });
  await approve(payments, buyer);
  for (const leg of ["fee", "publisher"] as const) await payLeg(payments, buyer, leg, pressId);
  const { Items = [] } = await documents().send(new ScanCommand({ TableName: payments.store.name }));
  return Items.map((item) => JSON.stringify(item)).filter((item) => item.includes(lower(buyer.address)));
}

const documents = () => DynamoDBDocumentClient.from(payments.store.database.client);

const ether = (address: Address) => payments.client.getBalance({ address });
const ask = (wallet: Address, ports: PaymentPorts = payments.ports) => sendGas(ports, wallet, { pressId });

async function recordOf(wallet: Address) {
  const { data } = await payments.ports.table.entities.errand.get({ wallet }).go({ consistent: true });
  return data ?? undefined;
}

async function votesSpent(): Promise<number> {
  const key = { subject: "service:votes", day: new Date().toISOString().slice(0, 10) };
  const { data } = await payments.ports.table.entities.gas.get(key).go({ consistent: true });
  return data?.spent ?? 0;
}

/** The transaction that a wallet's record names. */
async function signedFor(wallet: Address) {
  const id = (await recordOf(wallet))?.claim ?? "";
  const { data } = await payments.ports.table.entities.transaction.get({ id }).go({ consistent: true });
  if (data === null) throw new Error("Nothing is stored.");
  return { ...data, ...parseTransaction(hex(data.rawTx)) };
}

const hex = (text: string): Hex => `0x${text.slice(2)}`;
const sending = /eth_sendRaw|eth_getTransactionReceipt/;
/** The node gets what is sent, and is not heard of again. */
const deaf = () => skipWaits(loseAnswers(payments.ports, sending));

/** The node gets nothing. */
const mute = () => skipWaits(withholdCalls(payments.ports, sending));

const dear = (times: bigint) => raiseGasPrice(payments.ports, times);

const after = (milliseconds: number): PaymentPorts => ({
  ...payments.ports,
  clock: { ...payments.ports.clock, now: () => Date.now() + milliseconds },
});

const isPending = { kind: "upstream", code: "settlement_pending" };

test("ETH whose answer was lost is found by a repeat: sent once, and counted at what it took", async () => {
  const [wallet, before] = [await reader(), await votesSpent()];
  await expect(ask(wallet, deaf())).rejects.toMatchObject(isPending);
  expect(await recordOf(wallet)).toMatchObject({ state: "sent", given: [pressId] });
  const said = await ask(wallet);
  expect(said).toMatchObject({ already: true, wei: String(await ether(wallet)) });
  expect(await ask(wallet)).toEqual(said);
  const record = await recordOf(wallet);
  const receipt = await payments.client.getTransactionReceipt({ hash: hex(said.tx ?? "") });
  const wei = receipt.gasUsed * receipt.effectiveGasPrice + BigInt(said.wei);
  const cost = Number((wei * 3_000_000_000n + 10n ** 18n - 1n) / 10n ** 18n);
  expect(record).toMatchObject({ state: "done", reserved: 0, spent: cost });
  expect(await votesSpent()).toBe(before + cost);
});

test("ETH that nobody asks about again is ended by the reconciler", async () => {
  const wallet = await reader();
  await expect(ask(wallet, deaf())).rejects.toMatchObject(isPending);
  expect(await reconcile(after(31_000))).toEqual({ ended: 1, pending: 0 });
  expect(await recordOf(wallet)).toMatchObject({ state: "done", reserved: 0 });
});

test("a process that died between claim and transaction has sent nothing, and what it reserved is free again", async () => {
  const [wallet, before] = [await reader(), await votesSpent()];
  const relayers = {
    ...payments.ports.relayers,
    // It dies before it has signed, and releases nothing.
    sign: () => new Promise<Hex>(() => undefined),
  };
  void ask(wallet, { ...payments.ports, relayers });
  await expect.poll(() => recordOf(wallet)).toMatchObject({ state: "claimed" });
  expect(await votesSpent()).toBeGreaterThan(before);
  await expect(ask(wallet)).rejects.toMatchObject(isPending);
  const said = await ask(wallet, after(31_000));
  expect(await ether(wallet)).toBe(BigInt(said.wei));
  expect(await recordOf(wallet)).toMatchObject({ state: "done", given: [pressId] });
  expect(await votesSpent()).toBe(before + ((await recordOf(wallet))?.spent ?? 0));
});

/** A process that dies once its `last` request to table, chain or key is carried out: before the next one, that is. */
function mortal(last: number) {
  const death = Promise.withResolvers<"died">();
  let requests = 0;
  const never = () => new Promise<never>(() => undefined);
  async function at<Answer>(request: () => Promise<Answer>): Promise<Answer> {
    requests += 1;
    if (requests > last) return never();
    const answer = await request();
    if (requests < last) return answer;
    death.resolve("died");
    return never();
  }
  const { chain, relayers, table } = payments.ports;
  const ports: PaymentPorts = {
    ...payments.ports,
    chain: { batch: (calls, limits) => at(() => chain.batch(calls, limits)) },
    relayers: { ...relayers, sign: (address, transaction) => at(() => relayers.sign(address, transaction)) },
    table: Object.create(table, {
      transaction: {
        value: {
          write: (writes: Parameters<typeof table.transaction.write>[0]) => ({
            go: () => at(() => table.transaction.write(writes).go()),
          }),
        },
      },
    }),
  };
  return { ports, death: death.promise };
}

test("a process that dies right after any of its writes, signatures or calls leaves ETH that is sent once", async () => {
  let deaths = 0;
  for (let last = 1; ; last += 1) {
    const [wallet, before] = [await reader(), await votesSpent()];
    const { ports, death } = mortal(last);
    const end = await Promise.race([ask(wallet, ports), death]);
    if (end !== "died") break;
    deaths += 1;
    const said = await vi.waitFor(() => ask(wallet, after(31_000)), 10_000);
    expect(await ether(wallet)).toBe(BigInt(said.wei));
    const record = await recordOf(wallet);
    expect(record).toMatchObject({ state: "done", reserved: 0, given: [pressId] });
    expect(await votesSpent()).toBe(before + (record?.spent ?? 0));
  }
  expect(deaths).toBeGreaterThan(5);
});

test("a process that died after it had stored the transaction leaves ETH that the next request sends", async () => {
  const wallet = await reader();
  await expect(ask(wallet, mute())).rejects.toMatchObject(isPending);
  expect(await ether(wallet)).toBe(0n);
  await expect.poll(() => ask(wallet).catch(() => undefined)).toMatchObject({ already: true });
  expect(await ether(wallet)).toBe((await signedFor(wallet)).value);
});

test("a transaction with ETH whose nonce is gone is not signed under another, and the press stays given", async () => {
  const wallet = await reader();
  await expect(ask(wallet, mute())).rejects.toMatchObject(isPending);
  const stored = await signedFor(wallet);
  const [sender, to] = [toAddress(stored.relayer), testAccount(31).address];
  // Something else takes the nonce.
  await payments.client.impersonateAccount({ address: sender });
  await payments.client.sendTransactionSync({
    account: sender,
    to,
    value: 1n,
    nonce: stored.nonce,
    chain: null,
  });
  for (let times = 0; times < 3; times += 1) {
    await expect(ask(wallet)).rejects.toMatchObject(isPending);
    const next = await signedFor(wallet);
    expect(next.nonce).toBe(stored.nonce);
  }
  const late = after(12 * 60_000);
  await expect(ask(wallet, late)).rejects.toMatchObject({ code: "vote_gas_given" });
  expect(await recordOf(wallet)).toMatchObject({ state: "failed", reserved: 0 });
  expect(await ether(wallet)).toBe(0n);
  // It counts as spent, because nobody can be sure of it.
  expect((await recordOf(wallet))?.spent).toBeGreaterThan(0);
});

test("a price that has risen since raises what is offered, never above what was reserved", async () => {
  const wallet = await reader();
  await expect(ask(wallet, mute())).rejects.toMatchObject(isPending);
  const reserved = (await recordOf(wallet))?.reserved ?? 0;
  await expect(ask(wallet, skipWaits(dear(30n)))).rejects.toMatchObject(isPending);
  const { gas = 0n, maxFeePerGas = 0n, value = 0n } = await signedFor(wallet);
  expect(Number(((gas * maxFeePerGas + value) * 3_000_000_000n) / 10n ** 18n)).toBeLessThanOrEqual(reserved);
  await expect.poll(() => ask(wallet).catch(() => undefined)).toMatchObject({ already: true });
  expect(await ether(wallet)).toBe(value);
});

test("gas that has become too dear for the fee sends nothing, and above the ceiling nothing is offered", async () => {
  const wallet = await reader();
  await expect(ask(wallet, dear(60n))).rejects.toMatchObject({ code: "vote_gas_not_carried" });
  await expect(ask(wallet, dear(2_000n))).rejects.toMatchObject({ code: "chain_unavailable" });
  expect(await recordOf(wallet)).toBeUndefined();
});

test("ETH that could not be signed gives its key and its reserve back, and may be asked for again", async () => {
  const [wallet, before] = [await reader(), await votesSpent()];
  const relayers = { ...payments.ports.relayers, sign: () => Promise.reject(unavailable("KMS")) };
  await expect(ask(wallet, { ...payments.ports, relayers })).rejects.toMatchObject({ kind: "upstream" });
  expect(await recordOf(wallet)).toMatchObject({ state: "failed", reserved: 0, spent: 0 });
  expect(await votesSpent()).toBe(before);
  const said = await ask(wallet);
  expect(await ether(wallet)).toBe(BigInt(said.wei));
});

test("a node that cannot estimate for a wallet without ETH leaves what is usual", async () => {
  const wallet = await reader();
  const coy = meddle(payments.ports, /eth_estimateGas/, async (calls, pass) =>
    (await pass()).map((outcome, at) =>
      JSON.stringify(calls[at]?.params).includes(wallet) &&
      calls[at]?.method === "eth_estimateGas" &&
      !JSON.stringify(calls[at]?.params).includes('"value"')
        ? { status: "failed" as const, code: -32_000, message: "insufficient funds" }
        : outcome,
    ),
  );
  const said = await ask(wallet, coy);
  expect(await ether(wallet)).toBe(BigInt(said.wei));
});
