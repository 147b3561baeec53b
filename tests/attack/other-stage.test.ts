import { afterAll, beforeAll, expect, test } from "vitest";
import { mnemonicSigner } from "../../core/adapter/mnemonic.ts";
import { lower } from "../../core/chain/hex.ts";
import { type PaymentPorts, pay } from "../../core/payment/index.ts";
import { platformIndexes, platformMnemonic } from "../../local/devnet/accounts.ts";
import { crowd } from "../support/crowd.ts";
import { meddling } from "../support/interference.ts";
import { settlementOf, transfers } from "../support/ledger.ts";
import {
  headerFor,
  listPress,
  type Payments,
  payLeg,
  permitFor,
  signPermit,
  startPayments,
  termsOf,
  testAccount,
} from "../support/payment.ts";
import { startTestTable, type TestTable } from "../support/table.ts";

/** Two stages on one chain, with one treasury, and a publisher who sells at both for one price. */
let one: Payments;
let other: Payments;
let store: TestTable;
let presses: { readonly one: number; readonly other: number };
const publisher = testAccount(4);
const parts = { fee: 25_000n, publisher: 225_000n };

beforeAll(async () => {
  const both = await startPayments();
  store = await startTestTable();
  const settings = { ...both.ports.settings, origin: "https://staging.example" };
  // As in the cloud each stage has keys of its own: two that send from one key at once use up each other's nonces.
  const keys = platformIndexes.relayers.length / 2;
  one = { ...both, ports: { ...both.ports, relayers: mnemonicSigner(platformMnemonic, keys) } };
  const relayers = mnemonicSigner(platformMnemonic, keys, keys);
  other = { ...both, ports: { ...both.ports, table: store.table, settings, relayers } };
  presses = { one: await listPress(one, publisher), other: await listPress(other, publisher) };
});
afterAll(async () => {
  await store.stop();
  await one.stop();
});

let readers = 0;
/** A reader who has paid the fee at both stages, and a payment that fits the terms of both. */
async function reader() {
  readers += 1;
  const account = (await crowd(one, readers, 10_000_000n)).at(-1);
  if (account === undefined) throw new Error("There is no reader.");
  await payLeg(one, account, "fee", presses.one);
  await payLeg(other, account, "fee", presses.other);
  const { entry } = await termsOf(one, "publisher", presses.one);
  const permit = permitFor(account, entry);
  return {
    account,
    wallet: lower(account.address),
    header: headerFor(entry, permit, await signPermit(account, permit)),
  };
}
const askOne = (header: string, ports: PaymentPorts = one.ports) =>
  pay(ports, { leg: "publisher", pressId: presses.one, header });
const askOther = (header: string, ports: PaymentPorts = other.ports) =>
  pay(ports, { leg: "publisher", pressId: presses.other, header });
const refused = { kind: "terms", terms: { code: "permit2_invalid_nonce" } };
const charges = async (wallet: `0x${string}`) =>
  (await transfers(one, { from: wallet })).map(({ value }) => value).slice(2);

test("what one stage has settled does not count at another one", async () => {
  const { wallet, header } = await reader();
  expect(await askOne(header)).toMatchObject({ kind: "paid" });
  expect(await askOther(header)).toMatchObject(refused);
  expect(await settlementOf(other.ports, wallet, presses.other, "publisher")).toBeNull();
  expect(await charges(wallet)).toEqual([parts.publisher]);
});

test("nor does it where both were asked at once: the one that comes late says so, and takes a fresh payment", async () => {
  const { account, wallet, header } = await reader();
  const late = meddling(other.ports, /^eth_sendRawTransactionSync$/, async (_, ask) => {
    expect(await askOne(header)).toMatchObject({ kind: "paid" });
    return ask();
  });
  expect(await askOther(header, late)).toMatchObject(refused);
  expect(await askOther(header)).toMatchObject(refused);
  expect(await charges(wallet)).toEqual([parts.publisher]);
  expect(await payLeg(other, account, "publisher", presses.other)).toMatchObject({ kind: "paid" });
  expect(await charges(wallet)).toEqual([parts.publisher, parts.publisher]);
});
