import { beforeAll, expect, test } from "vitest";
import { makePhraseSigner } from "../../core/adapter/mnemonic.ts";
import { type PaymentPorts, pay } from "../../core/payment/index.ts";
import type { Signer } from "../../core/port/chain.ts";
import { platformIndexes, platformMnemonic } from "../../local/devnet/accounts.ts";
import { makeReaders, makeRefusal } from "../core/payment/readers.ts";
import { actBefore } from "../support/interference.ts";
import { listTransfers, readSettlement } from "../support/ledger.ts";
import {
  authorize,
  encodePermitHeader,
  fetchTerms,
  getTestAccount,
  listPress,
  makePermit,
  type Payments,
  payLeg,
  signPermit,
  startPayments,
} from "../support/payment.ts";
import { startPart } from "../support/provide.ts";
import { startTestTable } from "../support/table.ts";

/** Two stages on one chain with one treasury, and a publisher who sells at both stages for the same price. */
let one: Payments;
let other: Payments;
let presses: { readonly one: number; readonly other: number };
const publisher = getTestAccount(4);
const parts = { fee: 25_000n, publisher: 225_000n };

const both = startPart(startPayments);
const store = startPart(startTestTable);
beforeAll(async () => {
  // Each stage has its own relayer keys, as in the cloud. If two stages sent transactions with the same key, each stage would use nonces
  // that the other stage needs.
  const keys = platformIndexes.relayers.length / 2;
  const signers = [
    makePhraseSigner(platformMnemonic, keys),
    makePhraseSigner(platformMnemonic, keys, keys),
  ] as const;
  const makeStage = async (origin: string, relayers: Signer, sibling: Signer, table = both.ports.table) => ({
    ...both,
    ports: {
      ...both.ports,
      table,
      relayers,
      settings: { ...both.ports.settings, origin, siblingRelayers: await sibling.addresses() },
    },
  });
  one = await makeStage("https://dev.example", signers[0], signers[1]);
  other = await makeStage("https://staging.example", signers[1], signers[0], store.table);
  presses = { one: await listPress(one, publisher), other: await listPress(other, publisher) };
});

/** A reader who has paid the fee at both stages and who signs a payment that fits the terms of both stages. */
async function makePaidReader(method: "permit2" | "eip3009" = "permit2") {
  const { account, wallet } = await makeReaders(one).makeReader();
  await payLeg(one, account, "fee", presses.one);
  await payLeg(other, account, "fee", presses.other);
  const { entry, terms } = await fetchTerms(one, "publisher", presses.one);
  const permit = makePermit(account, entry);
  const header =
    method === "permit2"
      ? encodePermitHeader(entry, permit, await signPermit(account, permit))
      : (await authorize(account, terms.accepts[1] ?? entry)).header;
  return { account, wallet, header };
}
const payFirstStage = (header: string, ports: PaymentPorts = one.ports) =>
  pay(ports, { leg: "publisher", pressId: presses.one, header });
const payOtherStage = (header: string, ports: PaymentPorts = other.ports) =>
  pay(ports, { leg: "publisher", pressId: presses.other, header });
const refused = makeRefusal("permit2_invalid_nonce");
const listCharges = async (wallet: `0x${string}`) =>
  (await listTransfers(one, { from: wallet })).map(({ value }) => value).slice(2);

test.each([
  { method: "permit2", code: "permit2_invalid_nonce" },
  { method: "eip3009", code: "invalid_exact_evm_nonce_already_used" },
] as const)(
  "a payment that one stage has settled by $method does not count at another stage",
  async ({ method, code }) => {
    const { wallet, header } = await makePaidReader(method);
    expect(await payFirstStage(header)).toMatchObject({ kind: "paid" });
    expect(await payOtherStage(header)).toMatchObject({ kind: "terms", terms: { code } });
    expect(await readSettlement(other.ports, wallet, presses.other, "publisher")).toBeNull();
    expect(await listCharges(wallet)).toEqual([parts.publisher]);
  },
);

test("if two stages get the same payment at the same moment, the slower stage refuses the payment, and then accepts a fresh payment", async () => {
  const { account, wallet, header } = await makePaidReader();
  const late = actBefore(other.ports, /^eth_sendRawTransactionSync$/, async () =>
    expect(await payFirstStage(header)).toMatchObject({ kind: "paid" }),
  );
  expect(await payOtherStage(header, late)).toMatchObject(refused);
  expect(await payOtherStage(header)).toMatchObject(refused);
  expect(await listCharges(wallet)).toEqual([parts.publisher]);
  expect(await payLeg(other, account, "publisher", presses.other)).toMatchObject({ kind: "paid" });
  expect(await listCharges(wallet)).toEqual([parts.publisher, parts.publisher]);
});
