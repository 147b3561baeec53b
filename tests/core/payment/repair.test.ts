import { ExactEvmScheme } from "@x402/evm";
import { x402Client } from "@x402/fetch";
import type { HDAccount } from "viem/accounts";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { identityAbi } from "../../../core/chain/abi.ts";
import { mainnet } from "../../../core/chain/deployment.ts";
import { type Hex, lower } from "../../../core/chain/hex.ts";
import { appendPurpose } from "../../../core/chain/order.ts";
import { encodeSettle, type Permit } from "../../../core/chain/permit2.ts";
import { changePrice } from "../../../core/correction/index.ts";
import { PriceInput } from "../../../core/correction/schema.ts";
import {
  encodeHeader,
  hasUnlockedPress,
  keepMethodTerms,
  pay,
  reconcile,
  repair,
} from "../../../core/payment/index.ts";
import type { Leg } from "../../../core/payment/schema.ts";
import { runWithIds } from "../../../functions/lib/log.ts";
import { getPlatformAccount, platformIndexes } from "../../../local/devnet/accounts.ts";
import { enforceRights } from "../../../local/rights.ts";
import { copyTable, restoreTable, type TableCopy } from "../../support/backup.ts";
import { advanceClock, alterNode, limitToOneKey } from "../../support/interference.ts";
import { countReads, listBusyRelayers, listTransfers, readSettlement } from "../../support/ledger.ts";
import {
  encodePermitHeader,
  encodeSale,
  encodeTransfer,
  exactProxy,
  fetchTerms,
  getTestAccount,
  identityRegistry,
  listPress,
  makePermit,
  payLeg,
  send,
  signPermit,
  startPayments,
  usdg,
} from "../../support/payment.ts";
import { startPart } from "../../support/provide.ts";
import { deployContractWallet, makeAccount, payFrom } from "../../support/wallets.ts";
import { makeReaders } from "./readers.ts";

/** The platform's share of a price may change between a payment and a repair. */
const share = vi.hoisted(() => {
  const former: number[] = [];
  return { now: 10, former };
});
vi.mock("../../../core/press/schema.ts", async (load) => {
  const real = await load<typeof import("../../../core/press/schema.ts")>();
  return {
    ...real,
    get feePercent() {
      return share.now;
    },
    formerFeePercents: share.former,
    splitPrice: (price: bigint, percent = share.now) => real.splitPrice(price, percent),
  };
});

let pressId: number;
let copy: TableCopy;
let since: number;
let before: ReadonlySet<string>;
const publisher = getTestAccount(4);
const stranger = getTestAccount(7);
/** A relayer key of ours with which the tests send transactions that our code never sends. */
const key = getPlatformAccount(platformIndexes.relayers[0] ?? 0);
const parts = { fee: 25_000n, publisher: 225_000n } as const;

const payments = startPart(startPayments);
const { makeReader, listCharges } = makeReaders(payments);

/** Makes an unpaid press, and the copy of the table that is restored later. */
beforeEach(async () => {
  pressId = await listPress(payments, publisher);
  await copyTableNow();
});

/** Waits until the chain's next second, so that the repair leaves out earlier transactions. */
async function copyTableNow() {
  copy = await copyTable(locateTable());
  const { timestamp } = await payments.client.getBlock();
  since = Number(timestamp) * 1000;
  before = new Set();
  before = new Set((await runRepair(false)).map(({ txHash }) => txHash));
}

function locateTable() {
  const { database, name } = payments.store;
  return { client: database.client, endpoint: database.endpoint, name };
}

const restoreCopy = () => restoreTable(locateTable(), copy);

/** Runs the repair with no more rights to the table than the job `repair` has on AWS. */
async function runRepair(write = true, ports = payments.ports) {
  const keys = await payments.ports.relayers.addresses();
  const ids = { function: "repair", requestId: "one", invocationId: "one", correlationId: "one" };
  const rights = enforceRights();
  try {
    const { found } = await runWithIds(ids, () => repair({ ...ports, keys }, { since, write }));
    return found.filter(({ txHash }) => !before.has(txHash));
  } finally {
    rights.stop();
  }
}

async function buy(account: HDAccount, leg?: Leg) {
  for (const one of leg === undefined ? (["fee", "publisher"] as const) : [leg]) {
    expect(await payLeg(payments, account, one, pressId)).toMatchObject({ kind: "paid" });
  }
}

/** Pays both legs by EIP-3009. The official client signs both payments. */
async function buyWithoutEth(account: HDAccount) {
  const client = new x402Client()
    .register(`eip155:${mainnet.chainId}`, new ExactEvmScheme(account))
    .setSpendControls({ allowedAssets: [{ network: `eip155:${mainnet.chainId}`, asset: usdg }] });
  for (const leg of ["fee", "publisher"] as const) {
    const { terms } = await fetchTerms(payments, leg, pressId);
    const offered = JSON.parse(JSON.stringify(keepMethodTerms(terms, "eip3009")));
    const header = encodeHeader(await client.createPaymentPayload(offered));
    expect(await pay(payments.ports, { leg, pressId, header })).toMatchObject({ kind: "paid" });
  }
}

/**
 * Expects that the wallet can read the press without paying again. A payment with a fresh signature must deliver the text and must not be
 * charged.
 */
async function expectReadable({ account, wallet }: Awaited<ReturnType<typeof makeReader>>) {
  const before = await listCharges({ wallet });
  expect(await hasUnlockedPress(payments.ports, wallet, pressId)).toBe(true);
  expect(await payLeg(payments, account, "publisher", pressId)).toMatchObject({
    kind: "paid",
    unlocked: { body: `The text of ${pressId}.` },
  });
  expect(await listCharges({ wallet })).toEqual(before);
}

describe("payments made after the restore point are found and recorded", () => {
  test("the repair records each payment once, for each leg and method, and a dry run changes nothing", async () => {
    const [one, other] = [await makeReader(), await makeReader()];
    await buy(one.account);
    await buyWithoutEth(other.account);
    const before = await readSettlement(payments.ports, one.wallet, pressId, "publisher");
    await restoreCopy();
    expect(await hasUnlockedPress(payments.ports, one.wallet, pressId)).toBe(false);

    const dry = await runRepair(false);
    expect(
      dry.map(({ payer, purpose, amount, state }) => ({ payer, purpose, amount, state })).sort(compareText),
    ).toEqual(
      [one, other]
        .flatMap(({ wallet }) =>
          (["fee", "publisher"] as const).map((leg) => ({
            payer: wallet,
            purpose: { pressId, leg },
            amount: parts[leg],
            state: "missing",
          })),
        )
        .sort(compareText),
    );
    expect(await readSettlement(payments.ports, one.wallet, pressId, "fee")).toBeNull();

    expect((await runRepair()).map(({ state }) => state)).toEqual(Array(4).fill("recorded"));
    expect((await runRepair()).map(({ state }) => state)).toEqual(Array(4).fill("known"));
    const after = await readSettlement(payments.ports, one.wallet, pressId, "publisher");
    const { state, txHash, signed, slug, priceUnits } = before ?? {};
    const { block: _, ...what } = signed ?? {};
    expect(after).toMatchObject({ state, txHash, signed: what, slug, priceUnits });
    expect(after).not.toHaveProperty("pending");
    expect(await countReads(payments.ports, pressId + 1000)).toBe(2);
    await expectReadable(one);
    await expectReadable(other);
    expect(await listBusyRelayers(payments.ports)).toEqual([]);
  });

  test("the repair records each payment at the price that applied when the payment was made; a reader who pays the fee after a price change pays the rest of the new price", async () => {
    const [one, other] = [await makeReader(), await makeReader()];
    await buy(one.account);
    await restoreCopy();
    const ports = { ...payments.ports, settings: {} };
    const input = PriceInput.parse({ id: pressId + 1000, priceUsdg: 0.4 });
    await changePrice(ports, lower(publisher.address), input);
    expect((await runRepair()).map(({ state }) => state)).toEqual(["recorded", "recorded"]);
    const rest = await readSettlement(payments.ports, one.wallet, pressId, "publisher");
    expect(rest).toMatchObject({ state: "settled", priceUnits: "250000" });
    expect(await hasUnlockedPress(payments.ports, one.wallet, pressId)).toBe(true);
    await buy(other.account);
    expect(await listCharges(other)).toEqual([40_000n, 360_000n]);
  });

  test("the repair records payments that shared a transaction", async () => {
    const crowd = await Promise.all(Array.from({ length: 6 }, makeReader));
    const ports = limitToOneKey(payments.ports);
    await Promise.all(crowd.map(({ account }) => payLeg({ ports }, account, "fee", pressId)));
    const moved = await Promise.all(crowd.map(({ wallet }) => listTransfers(payments, { from: wallet })));
    expect(new Set(moved.flat().map(({ txHash }) => txHash)).size).toBeLessThan(crowd.length);
    await restoreCopy();
    expect((await runRepair()).map(({ state }) => state)).toEqual(crowd.map(() => "recorded"));
    for (const { account, wallet } of crowd) {
      await buy(account, "publisher");
      expect(await listCharges({ wallet })).toEqual([parts.fee, parts.publisher]);
    }
  });

  test("the repair records only the second payment of a purchase if the copy contains the first payment", async () => {
    const reader = await makeReader();
    const earlier = before;
    await buy(reader.account, "fee");
    await copyTableNow();
    await buy(reader.account, "publisher");
    await restoreCopy();
    since -= 60_000;
    before = earlier;
    const found = (await runRepair()).filter(({ payer }) => payer === reader.wallet);
    expect(found.map(({ purpose, state }) => [purpose?.leg, state])).toEqual([
      ["fee", "known"],
      ["publisher", "recorded"],
    ]);
    await expectReadable(reader);
  });

  test("the repair records the first payment of a purchase if no second payment was made, and afterwards only the second payment is due", async () => {
    const reader = await makeReader();
    await buy(reader.account, "fee");
    await restoreCopy();
    await runRepair();
    await buy(reader.account);
    expect(await listCharges(reader)).toEqual([parts.fee, parts.publisher]);
  });

  test("the repair finishes a payment that is pending in the copy, without waiting for the reconciler", async () => {
    const reader = await makeReader();
    const ports = alterNode(payments.ports, /^eth_sendRaw/, async (_, ask) => {
      copy = await copyTable(locateTable());
      return ask();
    });
    expect(await payLeg({ ports }, reader.account, "fee", pressId)).toMatchObject({ kind: "paid" });
    await restoreCopy();
    expect(await readSettlement(payments.ports, reader.wallet, pressId, "fee")).toMatchObject({
      state: "submitted",
    });
    expect((await runRepair()).map(({ state }) => state)).toEqual(["recorded"]);
    await reconcile(advanceClock(payments.ports, 60_000));
    await buy(reader.account);
    expect(await listCharges(reader)).toEqual([parts.fee, parts.publisher]);
  });
});

/** What was spent from a gas account today, and what is reserved on it. */
async function readGasAccount(subject: string) {
  const day = new Date().toISOString().slice(0, 10);
  const { data } = await payments.ports.table.entities.gas.get({ subject, day }).go({ consistent: true });
  return { spent: data?.spent ?? 0, kept: data?.kept ?? 0 };
}

const readPublisherAccount = () => readGasAccount(`payee:${lower(publisher.address)}`);

test("the repair job's own rights are enough to record a payment to the publisher whose gas the fee in the copy does not cover", async () => {
  const reader = await makeReader();
  pressId = await listPress(payments, publisher, 20_000n);
  await buy(reader.account, "fee");
  copy = await copyTable(locateTable());
  await buy(reader.account, "publisher");
  const paid = await readPublisherAccount();
  await restoreCopy();
  expect(await readPublisherAccount()).not.toEqual(paid);
  expect((await runRepair()).map(({ state }) => state)).toEqual(["known", "recorded"]);
  expect(await readPublisherAccount()).toEqual(paid);
  await expectReadable(reader);
});

test.each([
  ["a settled fee", undefined],
  ["an unfinished fee", "fee"],
  ["a settled fee and another, unfinished payment to the publisher", "publisher"],
])(
  "if the copy contains %s, the repair of a contract wallet's payments changes the gas accounts once, exactly as the payments have changed them",
  async (_, unfinished) => {
    const signer = makeAccount();
    const wallet = await deployContractWallet(payments, signer);
    const readAccounts = () => Promise.all([readGasAccount(`wallet:${wallet}`), readPublisherAccount()]);
    const { relayers } = payments.ports;
    const sign: typeof relayers.sign = async (...asked) => {
      copy = await copyTable(locateTable());
      if (unfinished === "publisher") throw new Error("The key signs nothing.");
      return relayers.sign(...asked);
    };
    const copied = { ...payments, ports: { ...payments.ports, relayers: { ...relayers, sign } } };
    const payIn = (place: typeof payments, leg: Leg) => payFrom(place, { wallet, signer }, leg, pressId);
    pressId = await listPress(payments, publisher, 20_000n);
    await payIn(unfinished === "fee" ? copied : payments, "fee");
    if (unfinished === undefined) copy = await copyTable(locateTable());
    if (unfinished === "publisher") await expect(payIn(copied, "publisher")).rejects.toThrow();
    expect(await payIn(payments, "publisher")).toMatchObject({ kind: "paid" });
    const paid = await readAccounts();
    expect(paid[0]?.kept).toBe(0);
    await restoreCopy();
    expect((await readAccounts())[0]?.kept).toBeGreaterThan(0);
    for (const state of ["recorded", "known"]) {
      const found = await runRepair(true, advanceClock(payments.ports, 31_000));
      expect(found.map((one) => one.state)).toContain(state);
      expect(await readAccounts()).toEqual(paid);
    }
    expect(await listBusyRelayers(payments.ports)).toEqual([]);
  },
);

/** Makes a settlement on the chain without the service's code. */
async function settleDirectly(account: HDAccount, reader: HDAccount, wish: PayOptions = {}) {
  const { leg = "fee", changes = {}, proxy = exactProxy, purpose = { pressId, leg } } = wish;
  const { entry } = await fetchTerms(payments, "fee", pressId);
  const permit = makePermit(reader, entry, { amount: parts[leg], spender: proxy, ...changes });
  const tagged = encodeSettle(permit, await signPermit(reader, permit));
  const call = appendPurpose({ to: proxy, data: tagged }, purpose);
  await send(payments, account, proxy, wish.bare === true ? tagged : call.data);
  return permit;
}

type PayOptions = {
  readonly leg?: Leg;
  readonly changes?: Partial<Permit>;
  readonly purpose?: { readonly pressId: number; readonly leg: Leg };
  readonly bare?: boolean;
  readonly proxy?: Hex;
};

describe("the repair records payments that were made before the platform's share changed", () => {
  afterEach(() => {
    share.now = 10;
    share.former.length = 0;
  });

  test.each([
    ["both legs", undefined],
    ["the fee alone", "fee"],
  ] as const)(
    "earlier payments of %s are recorded after a change of the platform's share, and the reader owes only the rest of the price",
    async (_, leg) => {
      const reader = await makeReader();
      await buy(reader.account, leg);
      await restoreCopy();
      share.now = 8;
      const without = await runRepair(false);
      expect(new Set(without.map(({ state }) => state))).toEqual(new Set(["wrong_amount"]));
      share.former.push(10);
      expect(new Set((await runRepair(false)).map(({ state }) => state))).toEqual(new Set(["missing"]));
      expect(new Set((await runRepair()).map(({ state }) => state))).toEqual(new Set(["recorded"]));
      const known = { leg: "publisher", pressId, header: undefined, payer: reader.wallet } as const;
      const offered = await pay(payments.ports, known);
      const [entry] = offered.kind === "terms" ? offered.terms.accepts : [];
      if (entry?.extra.assetTransferMethod !== "permit2") throw new Error("No terms by Permit2");
      const permit = makePermit(reader.account, { ...entry, extra: entry.extra });
      const header = encodePermitHeader(entry, permit, await signPermit(reader.account, permit));
      const unlocked = { body: `The text of ${pressId}.` };
      expect(await pay(payments.ports, { ...known, header })).toMatchObject({ kind: "paid", unlocked });
      expect(await listCharges(reader)).toEqual([parts.fee, parts.publisher]);
    },
  );
});

describe("a transfer that only looks like a payment is not recorded", () => {
  async function expectNothingRecorded(...states: readonly string[]) {
    const { length } = await copyTable(locateTable());
    expect((await runRepair()).map(({ state }) => state)).toEqual(states);
    expect(await copyTable(locateTable())).toHaveLength(length);
  }

  test("a settlement that somebody else sent is not recorded, even if it names the press in the same way as our settlements", async () => {
    await settleDirectly(stranger, (await makeReader()).account);
    await expectNothingRecorded("sent_by_another");
  });

  test("a payment that was sent by another stage's relayer key is not recorded, because it was made on that stage", async () => {
    await settleDirectly(stranger, (await makeReader()).account);
    const keys = await payments.ports.relayers.addresses();
    const settings = { ...payments.ports.settings, siblingRelayers: [lower(stranger.address)] };
    const { found } = await repair({ ...payments.ports, settings, keys }, { since, write: true });
    expect(found.filter(({ txHash }) => !before.has(txHash))).toEqual([]);
    await expectNothingRecorded("sent_by_another");
  });

  test("a settlement that does not name a press and leg is not recorded", async () => {
    await settleDirectly(key, (await makeReader()).account, { bare: true });
    await expectNothingRecorded("no_purpose");
  });

  test("a settlement with a wrong amount, a wrong payee or a missing press is not recorded", async () => {
    const dear = await listPress(payments, publisher, 500_000n);
    await settleDirectly(key, (await makeReader()).account, { purpose: { pressId: dear, leg: "fee" } });
    await expectNothingRecorded("wrong_amount");
    await copyTableNow();
    await settleDirectly(key, (await makeReader()).account, { changes: { to: lower(stranger.address) } });
    await settleDirectly(key, (await makeReader()).account, { leg: "publisher" });
    await settleDirectly(key, (await makeReader()).account, { purpose: { pressId: 999_999, leg: "fee" } });
    await expectNothingRecorded("wrong_payee", "wrong_payee", "unknown_press");
  });

  test("another contract's events and a plain transfer of the same sum are not recorded", async () => {
    const reader = (await makeReader()).account;
    const fee = { to: lower(payments.ports.settings.treasury), value: parts.fee };
    const data = encodeTransfer(fee.to, fee.value);
    const tagged = appendPurpose({ to: usdg, data }, { pressId, leg: "fee" });
    await send(payments, reader, usdg, tagged.data);
    // `copied` is a second contract with the code of the real proxy contract, so it logs a settlement in the same way.
    const copied = "0x00000000000000000000000000000000000c0b1e";
    const code = await payments.client.getCode({ address: exactProxy });
    await payments.client.setCode({ address: copied, bytecode: code ?? "0x" });
    const { length } = await listTransfers(payments, { from: lower(reader.address) });
    await settleDirectly(key, reader, { proxy: copied });
    expect(await listTransfers(payments, { from: lower(reader.address) })).toHaveLength(length + 1);
    await expectNothingRecorded();
  });

  test("a payment whose nonce belongs to another press in the copy is not recorded", async () => {
    const reader = await makeReader();
    const permit = await settleDirectly(key, reader.account);
    const { authorization } = payments.ports.table.entities;
    const bound = { wallet: reader.wallet, method: "permit2", nonce: String(permit.nonce) } as const;
    await authorization.put({ ...bound, pressId: pressId + 1, leg: "fee" }).go();
    await expectNothingRecorded("nonce_bound");
  });

  test("a second charge for a leg that is already paid is reported, so that the operator can refund the payer", async () => {
    const reader = await makeReader();
    await buy(reader.account, "fee");
    await settleDirectly(key, reader.account);
    await expectNothingRecorded("known", "paid_before");
  });
});

test("a payment to a press's earlier owner is still credited after the press has changed its owner", async () => {
  const reader = await makeReader();
  await buy(reader.account);
  await restoreCopy();
  const give = encodeSale(publisher.address, stranger.address, pressId);
  await send(payments, publisher, identityRegistry, give);
  expect(
    await payments.client.readContract({
      address: identityRegistry,
      abi: identityAbi,
      functionName: "ownerOf",
      args: [BigInt(pressId)],
    }),
  ).toBe(stranger.address);
  expect((await runRepair()).map(({ state }) => state)).toEqual(["recorded", "recorded"]);
  await expectReadable(reader);
});

function compareText(one: unknown, other: unknown): number {
  const formatValue = (value: unknown) =>
    JSON.stringify(value, (_, part) => (typeof part === "bigint" ? String(part) : part));
  return formatValue(one).localeCompare(formatValue(other));
}
