import { BatchWriteCommand, DynamoDBDocumentClient, ScanCommand } from "@aws-sdk/lib-dynamodb";
import { beforeAll, expect, test, vi } from "vitest";
import { type Address, type Hex, lower, toAddress } from "../../../core/chain/hex.ts";
import { reconcile } from "../../../core/errand/index.ts";
import type { PaymentPorts } from "../../../core/payment/index.ts";
import { sendGas } from "../../../core/votegas/index.ts";
import { isPending, makeErrandFaults, toHash } from "../../support/errands.ts";
import { alterNode, skipWaits } from "../../support/interference.ts";
import { getTestAccount, listPress, payLeg, startPayments } from "../../support/payment.ts";
import { startPart } from "../../support/provide.ts";
import { fund } from "../../support/wallets.ts";

/** The ETH for a vote is sent once, and costs no more than the reserved budget, even if some step fails. */
let [pressId, other] = [0, 0];
const payments = startPart(startPayments);
const { deaf, mute, dear, makeKeylessPorts, readErrand, readTransaction } = makeErrandFaults(payments);
beforeAll(async () => {
  pressId = await listPress(payments, getTestAccount(4), 4_000_000n);
  other = await listPress(payments, getTestAccount(4), 4_000_000n);
});

const buyer = getTestAccount(99);
let readers = 100;
let bought: Promise<readonly string[]> | undefined;

/**
 * Makes a wallet that has unlocked both presses and has no ETH left. Only the first wallet of the tests really pays, and each later wallet
 * gets copies of the first wallet's records.
 */
async function makeReader(): Promise<Address> {
  const wallet = lower(getTestAccount(readers++).address);
  bought ??= pay();
  const puts = (await bought).map((item) => ({
    PutRequest: { Item: JSON.parse(item.replaceAll(lower(buyer.address), wallet)) },
  }));
  await openDocuments().send(new BatchWriteCommand({ RequestItems: { [payments.store.name]: puts } }));
  return wallet;
}

/** Pays for both presses, and returns the payer's items in the table. */
async function pay(): Promise<readonly string[]> {
  await fund(payments, buyer);
  for (const id of [pressId, other])
    for (const leg of ["fee", "publisher"] as const) await payLeg(payments, buyer, leg, id);
  const { Items = [] } = await openDocuments().send(new ScanCommand({ TableName: payments.store.name }));
  return Items.map((item) => JSON.stringify(item)).filter((item) => item.includes(lower(buyer.address)));
}

const openDocuments = () => DynamoDBDocumentClient.from(payments.store.database.client);

const readEther = (address: Address) => payments.client.getBalance({ address });
const requestGas = (wallet: Address, ports: PaymentPorts = payments.ports) =>
  sendGas(ports, wallet, { pressId });

async function readVotesSpent(): Promise<number> {
  const key = { subject: "service:votes", day: new Date().toISOString().slice(0, 10) };
  const { data } = await payments.ports.table.entities.gas.get(key).go({ consistent: true });
  return data?.spent ?? 0;
}

const makeLaterPorts = (milliseconds: number): PaymentPorts => ({
  ...payments.ports,
  clock: { ...payments.ports.clock, now: () => Date.now() + milliseconds },
});

test("if the answer about a transfer of ETH is lost, a repeated request finds this transfer, sends no more ETH, and counts the transfer's real cost", async () => {
  const [wallet, before] = [await makeReader(), await readVotesSpent()];
  await expect(requestGas(wallet, deaf())).rejects.toMatchObject(isPending);
  expect(await readErrand(wallet)).toMatchObject({ state: "sent", given: [pressId] });
  const said = await requestGas(wallet);
  expect(said).toMatchObject({ already: true, wei: String(await readEther(wallet)) });
  expect(await requestGas(wallet)).toEqual(said);
  const record = await readErrand(wallet);
  const receipt = await payments.client.getTransactionReceipt({ hash: toHash(said.tx) });
  const wei = receipt.gasUsed * receipt.effectiveGasPrice + BigInt(said.wei);
  const cost = Number((wei * 3_000_000_000n + 10n ** 18n - 1n) / 10n ** 18n);
  expect(record).toMatchObject({ state: "done", reserved: 0, spent: cost });
  expect(await readVotesSpent()).toBe(before + cost);
});

test("the reconciler finishes a transfer of ETH that is never requested again", async () => {
  const wallet = await makeReader();
  await expect(requestGas(wallet, deaf())).rejects.toMatchObject(isPending);
  expect(await reconcile(makeLaterPorts(31_000))).toEqual({ ended: 1, pending: 0 });
  expect(await readErrand(wallet)).toMatchObject({ state: "done", reserved: 0 });
});

test("a process that died before it stored the transfer of ETH has sent nothing, and the budget that it reserved is free again", async () => {
  const [wallet, before] = [await makeReader(), await readVotesSpent()];
  const relayers = {
    ...payments.ports.relayers,
    // The process dies before it signs the transfer, and does not release the budget that it has reserved.
    sign: () => new Promise<Hex>(() => undefined),
  };
  void requestGas(wallet, { ...payments.ports, relayers });
  await expect.poll(() => readErrand(wallet)).toMatchObject({ state: "claimed" });
  expect(await readVotesSpent()).toBeGreaterThan(before);
  await expect(requestGas(wallet)).rejects.toMatchObject(isPending);
  const said = await requestGas(wallet, makeLaterPorts(31_000));
  expect(await readEther(wallet)).toBe(BigInt(said.wei));
  expect(await readErrand(wallet)).toMatchObject({ state: "done", given: [pressId] });
  expect(await readVotesSpent()).toBe(before + ((await readErrand(wallet))?.spent ?? 0));
});

/** Makes ports of a process that dies right after request number `last` to the table, the chain or the signer. */
function makeCrashingPorts(last: number) {
  const death = Promise.withResolvers<"died">();
  let requests = 0;
  const waitForever = () => new Promise<never>(() => undefined);
  async function runUntilCrash<Answer>(request: () => Promise<Answer>): Promise<Answer> {
    requests += 1;
    if (requests > last) return waitForever();
    const answer = await request();
    if (requests < last) return answer;
    death.resolve("died");
    return waitForever();
  }
  const { chain, relayers, table } = payments.ports;
  const ports: PaymentPorts = {
    ...payments.ports,
    chain: { batch: (calls, limits) => runUntilCrash(() => chain.batch(calls, limits)) },
    relayers: {
      ...relayers,
      sign: (address, transaction) => runUntilCrash(() => relayers.sign(address, transaction)),
    },
    table: Object.create(table, {
      write: {
        value: (items: Parameters<typeof table.write>[0]) => runUntilCrash(() => table.write(items)),
      },
    }),
  };
  return { ports, death: death.promise };
}

test("ETH for a vote is sent once even if a process dies right after any write, signature or call", async () => {
  let deaths = 0;
  for (let last = 1; ; last += 1) {
    const [wallet, before] = [await makeReader(), await readVotesSpent()];
    const { ports, death } = makeCrashingPorts(last);
    const end = await Promise.race([requestGas(wallet, ports), death]);
    if (end !== "died") break;
    deaths += 1;
    const said = await vi.waitFor(() => requestGas(wallet, makeLaterPorts(31_000)), 60_000);
    expect(await readEther(wallet)).toBe(BigInt(said.wei));
    const record = await readErrand(wallet);
    expect(record).toMatchObject({ state: "done", reserved: 0, given: [pressId] });
    expect(await readVotesSpent()).toBe(before + (record?.spent ?? 0));
  }
  expect(deaths).toBeGreaterThan(5);
});

test("the next request sends the stored ETH transfer of a process that died before the broadcast", async () => {
  const wallet = await makeReader();
  await expect(requestGas(wallet, mute())).rejects.toMatchObject(isPending);
  expect(await readEther(wallet)).toBe(0n);
  await expect.poll(() => requestGas(wallet).catch(() => undefined)).toMatchObject({ already: true });
  expect(await readEther(wallet)).toBe((await readTransaction(wallet)).value);
});

test("a transfer of ETH whose nonce was used elsewhere is not signed with another nonce, and no ETH is sent a second time for the press", async () => {
  const wallet = await makeReader();
  await expect(requestGas(wallet, mute())).rejects.toMatchObject(isPending);
  const stored = await readTransaction(wallet);
  const [sender, to] = [toAddress(stored.relayer), getTestAccount(31).address];
  // Another transaction uses the nonce of the transfer.
  await payments.client.impersonateAccount({ address: sender });
  await payments.client.sendTransactionSync({
    account: sender,
    to,
    value: 1n,
    nonce: stored.nonce,
    chain: null,
  });
  for (let times = 0; times < 3; times += 1) {
    await expect(requestGas(wallet)).rejects.toMatchObject(isPending);
    const next = await readTransaction(wallet);
    expect(next.nonce).toBe(stored.nonce);
  }
  const late = makeLaterPorts(12 * 60_000);
  await expect(requestGas(wallet, late)).rejects.toMatchObject({ code: "vote_gas_given" });
  expect(await readErrand(wallet)).toMatchObject({ state: "failed", reserved: 0 });
  expect(await readEther(wallet)).toBe(0n);
  // The reserved budget counts as spent, because the service cannot be sure that the ETH was not sent.
  expect((await readErrand(wallet))?.spent).toBeGreaterThan(0);
  // The wallet got nothing, so the service does not assume that the wallet has spent the ETH on something else.
  const said = await sendGas(late, wallet, { pressId: other });
  expect(await readEther(wallet)).toBe(BigInt(said.wei));
});

test("if a transfer of ETH could not be signed, a wallet that no longer has the ETH for an earlier vote still gets no more ETH", async () => {
  const wallet = await makeReader();
  await requestGas(wallet);
  const keyless = { ...dear(2n), relayers: makeKeylessPorts().relayers };
  await expect(sendGas(keyless, wallet, { pressId: other })).rejects.toMatchObject({ kind: "upstream" });
  expect(await readErrand(wallet)).toMatchObject({ state: "failed", what: String(other) });
  await payments.client.setBalance({ address: wallet, value: 0n });
  await expect(sendGas(payments.ports, wallet, { pressId: other })).rejects.toMatchObject({
    code: "vote_gas_unspent",
  });
});

test("the offered gas price rises with the chain's gas price, but never above the reserved budget", async () => {
  const wallet = await makeReader();
  await expect(requestGas(wallet, mute())).rejects.toMatchObject(isPending);
  const reserved = (await readErrand(wallet))?.reserved ?? 0;
  await expect(requestGas(wallet, skipWaits(dear(30n)))).rejects.toMatchObject(isPending);
  const { gas = 0n, maxFeePerGas = 0n, value = 0n } = await readTransaction(wallet);
  expect(Number(((gas * maxFeePerGas + value) * 3_000_000_000n) / 10n ** 18n)).toBeLessThanOrEqual(reserved);
  await expect.poll(() => requestGas(wallet).catch(() => undefined)).toMatchObject({ already: true });
  expect(await readEther(wallet)).toBe(value);
});

test("if the sequencer refuses the transfer of ETH, the answer says so and does not blame the wallet", async () => {
  const message = "Transaction rejected by chain policy";
  const refusing = alterNode(payments.ports, /eth_sendRaw/, async (calls) =>
    calls.map(() => ({ status: "failed" as const, code: -32_000, message })),
  );
  await expect(requestGas(await makeReader(), refusing)).rejects.toThrow(
    "The chain refused to include the transfer of ETH",
  );
});

test("a wallet gets no ETH if the press's fee is too small for the gas; if the gas price is above the ceiling, the chain counts as unavailable", async () => {
  const wallet = await makeReader();
  await expect(requestGas(wallet, dear(60n))).rejects.toMatchObject({ code: "vote_gas_not_carried" });
  await expect(requestGas(wallet, dear(2_000n))).rejects.toMatchObject({ code: "chain_unavailable" });
  expect(await readErrand(wallet)).toBeUndefined();
});

test("a transfer of ETH that could not be signed frees its relayer key and its reserved budget, and may be requested again", async () => {
  const [wallet, before] = [await makeReader(), await readVotesSpent()];
  await expect(requestGas(wallet, makeKeylessPorts())).rejects.toMatchObject({ kind: "upstream" });
  expect(await readErrand(wallet)).toMatchObject({ state: "failed", reserved: 0, spent: 0 });
  expect(await readVotesSpent()).toBe(before);
  const said = await requestGas(wallet);
  expect(await readEther(wallet)).toBe(BigInt(said.wei));
});

test("the usual amount of gas is assumed when a node cannot estimate the gas of a vote for a wallet without ETH", async () => {
  const wallet = await makeReader();
  const coy = alterNode(payments.ports, /eth_estimateGas/, async (calls, pass) =>
    (await pass()).map((outcome, at) =>
      JSON.stringify(calls[at]?.params).includes(wallet) &&
      calls[at]?.method === "eth_estimateGas" &&
      !JSON.stringify(calls[at]?.params).includes('"value"')
        ? { status: "failed" as const, code: -32_000, message: "insufficient funds" }
        : outcome,
    ),
  );
  const said = await requestGas(wallet, coy);
  expect(await readEther(wallet)).toBe(BigInt(said.wei));
});
