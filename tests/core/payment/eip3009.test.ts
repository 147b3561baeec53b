import { multicall3Abi } from "viem";
import type { HDAccount } from "viem/accounts";
import { encodeFunctionData } from "viem/utils";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Address, type Hex, lower } from "../../../core/chain/hex.ts";
import { pay, reconcile } from "../../../core/payment/index.ts";
import type { Leg } from "../../../core/payment/schema.ts";
import { devnetContracts } from "../../../local/devnet/accounts.ts";
import { openGriefer } from "../../support/griefer.ts";
import { actBefore, advanceClock } from "../../support/interference.ts";
import { countReads, listBusyRelayers, readSettlement } from "../../support/ledger.ts";
import {
  approve,
  authorize,
  fetchTerms,
  getTestAccount,
  listPress,
  makeSignedHeader,
  send,
  startPayments,
  usdg,
} from "../../support/payment.ts";
import { startPart } from "../../support/provide.ts";
import { deployContractWallet, makeWallet, setFrozen, setOlderForm } from "../../support/wallets.ts";
import { makeReaders, makeRefusal, repeatPatiently } from "./readers.ts";

const publisher = getTestAccount(4);
const somebody = getTestAccount(7);
const funds = 1_000_000n;

const payments = startPart(startPayments);
const { expectCharged, payAndDie } = makeReaders(payments);
afterAll(async () => expect(await listBusyRelayers(payments.ports)).toEqual([]));

/** A plain account that has USDG, but no ETH and no approval. */
async function makeFundedReader(units = funds) {
  const account = await makeWallet(payments, units);
  return { account, wallet: lower(account.address) };
}

/** Signs the EIP-3009 payment that the leg's terms offer. */
async function sign(
  { account, wallet }: { readonly account: HDAccount; readonly wallet: Address },
  leg: Leg,
  pressId: number,
  options: Parameters<typeof authorize>[2] = {},
) {
  const [, entry] = (await fetchTerms(payments, leg, pressId)).terms.accepts;
  if (entry === undefined) throw new Error("There is no second way to pay");
  return authorize(account, entry, { from: wallet, ...options });
}

/** A reader who must pay the leg next, with a signed payment for the leg. */
async function makePayingReader(leg: Leg) {
  const pressId = await listPress(payments, publisher);
  const reader = await makeFundedReader();
  if (leg === "publisher")
    await pay(payments.ports, { leg: "fee", pressId, header: (await sign(reader, "fee", pressId)).header });
  return { ...reader, leg, pressId, ...(await sign(reader, leg, pressId)) };
}

const charges = { fee: [25_000n], publisher: [25_000n, 225_000n] } as const;
const legs = ["fee", "publisher"] as const;
const broadcast = /^eth_sendRawTransaction/;

describe("an authorization for the publisher counts as paid when somebody else charges it through the token", () => {
  const leg = "publisher";
  const settle = (call: Hex) => send(payments, somebody, usdg, call);

  async function expectSettled(
    { wallet, pressId }: { readonly wallet: Address; readonly pressId: number },
    txHash: string,
  ) {
    expect(await readSettlement(payments.ports, wallet, pressId, leg)).toMatchObject({
      state: "settled",
      txHash,
    });
    expect(await countReads(payments.ports, pressId + 1000)).toBe(1);
    await expectCharged(wallet, ...charges.publisher);
  }

  test("an authorization that is settled in one transaction with other calls counts as paid, even if another call has a spent nonce", async () => {
    const [payer, other] = [await makePayingReader(leg), await makePayingReader("fee")];
    await settle(other.call);
    const calls = [other.call, payer.call].map((callData) => ({
      target: usdg,
      allowFailure: true,
      callData,
    }));
    const data = encodeFunctionData({ abi: multicall3Abi, functionName: "aggregate3", args: [calls] });
    // The gas limit of the transaction is fixed, because an estimate could be so low that some of the calls fail.
    const { transactionHash } = await payments.client.sendTransactionSync({
      account: somebody,
      to: devnetContracts.multicall3,
      data,
      gas: 1_000_000n,
    });
    const fresh = await sign(payer, leg, payer.pressId);
    await expect(pay(payments.ports, payer)).rejects.toMatchObject({ code: "already_unlocked" });
    expect(await pay(payments.ports, { ...payer, header: fresh.header })).toMatchObject({ kind: "paid" });
    await expectSettled(payer, transactionHash);
  });

  test.each(["claimed", "sent"] as const)(
    "if our process died after a payment was %s and a stranger settles the payment later, the reconciler finds the payment",
    async (state) => {
      const payer = await makePayingReader(leg);
      await payAndDie(payer, state === "claimed" ? "signing" : "before");
      const { transactionHash } = await settle(payer.call);
      await reconcile(advanceClock(payments.ports, 60_000));
      await expectSettled(payer, transactionHash);
    },
  );
});

test("if two requests present an authorization that a stranger has settled, and one request records it while the other searches the chain, both are answered as paid", async () => {
  const payer = await makePayingReader("fee");
  await send(payments, somebody, usdg, payer.call);
  const first = async () => expect(await pay(payments.ports, payer)).toMatchObject({ kind: "paid" });
  const slow = actBefore(payments.ports, /^eth_getLogs$/, first);
  expect(await pay(slow, payer)).toMatchObject({ kind: "paid" });
  await expectCharged(payer.wallet, 25_000n);
});

describe("a nonce pays for only one press, and for only one of its two payments", () => {
  test("an authorization for one press is refused for another press of the same price, whether or not the authorization was charged", async () => {
    const payer = await makePayingReader("fee");
    const other = await listPress(payments, publisher);
    expect(await pay(payments.ports, payer)).toMatchObject({ kind: "paid" });
    expect(await pay(payments.ports, { ...payer, pressId: other })).toMatchObject(
      makeRefusal("invalid_exact_evm_nonce_already_used"),
    );
    await expectCharged(payer.wallet, 25_000n);
  });

  test("if two payments were signed with one nonce, the second payment is refused, and a fresh signature pays", async () => {
    const payer = await makePayingReader("fee");
    const { nonce } = payer.authorization;
    expect(await pay(payments.ports, payer)).toMatchObject({ kind: "paid" });
    const reused = await sign(payer, "publisher", payer.pressId, { nonce });
    const leg = "publisher";
    expect(await pay(payments.ports, { leg, pressId: payer.pressId, header: reused.header })).toMatchObject(
      makeRefusal("invalid_exact_evm_nonce_already_used"),
    );
    await expectCharged(payer.wallet, 25_000n);
    const { header } = await sign(payer, leg, payer.pressId);
    expect(await pay(payments.ports, { leg, pressId: payer.pressId, header })).toMatchObject({
      kind: "paid",
    });
  });

  test("if one authorization is sent for two presses at the same time, only one payment is charged and the other is refused", async () => {
    const payer = await makePayingReader("fee");
    const other = await listPress(payments, publisher);
    const outcomes = await Promise.all(
      [payer.pressId, other].map((pressId) =>
        pay(payments.ports, { ...payer, pressId }).then(
          ({ kind }) => kind,
          ({ code }) => code,
        ),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === "paid")).toHaveLength(1);
    await expectCharged(payer.wallet, 25_000n);
  });
});

test("if a reader makes one payment by both methods at the same time with the same nonce, the reader is charged once", async () => {
  const pressId = await listPress(payments, publisher);
  const reader = await makeFundedReader();
  await payments.client.setBalance({ address: reader.account.address, value: 10n ** 18n });
  await approve(payments, reader.account);
  const nonce = BigInt(Date.now()) << 64n;
  for (const leg of legs) {
    const authorization = await sign(reader, leg, pressId, { nonce: nonce + BigInt(legs.indexOf(leg)) });
    const permit = { nonce: nonce + BigInt(legs.indexOf(leg)) };
    const headers = [
      authorization.header,
      await makeSignedHeader(payments, reader.account, leg, pressId, permit),
    ];
    const outcomes = await Promise.all(
      [...headers, ...headers].map((header) =>
        repeatPatiently(payments.ports, () => pay(payments.ports, { leg, pressId, header })).then(
          ({ value }) => value.kind,
          ({ code }) => code,
        ),
      ),
    );
    expect(outcomes).toContain("paid");
    expect(outcomes.filter((outcome) => outcome !== "paid" && outcome !== "already_unlocked")).toEqual([]);
  }
  await expectCharged(reader.wallet, ...charges.publisher);
});

describe("a refused authorization charges nothing", () => {
  let press: number;
  let reader: Awaited<ReturnType<typeof makeFundedReader>>;
  beforeAll(async () => {
    press = await listPress(payments, publisher);
    reader = await makeFundedReader();
  });

  const readTime = () => BigInt(Math.floor(Date.now() / 1000));
  test.each<readonly [string, () => NonNullable<Parameters<typeof authorize>[2]>, string]>([
    ["another token's name in the domain", () => ({ name: "USDG" }), "invalid_exact_evm_signature"],
    ["another amount", () => ({ amount: 24_999n }), "invalid_exact_evm_payload_authorization_value_mismatch"],
    ["another payee", () => ({ to: lower(somebody.address) }), "invalid_exact_evm_recipient_mismatch"],
    [
      "an end that is over",
      () => ({ validBefore: readTime() }),
      "invalid_exact_evm_payload_authorization_valid_before",
    ],
    [
      "an end at the epoch",
      () => ({ validBefore: 0n }),
      "invalid_exact_evm_payload_authorization_valid_before",
    ],
    [
      "an end that is too far",
      () => ({ validBefore: readTime() + 3_600n }),
      "invalid_exact_evm_payload_authorization_valid_before_too_far",
    ],
    [
      "a beginning to come",
      () => ({ validAfter: readTime() + 60n }),
      "invalid_exact_evm_payload_authorization_valid_after",
    ],
    [
      "a beginning at the end of all numbers",
      () => ({ validAfter: 2n ** 256n - 1n }),
      "invalid_exact_evm_payload_authorization_valid_after",
    ],
  ])("%s", async (_, wish, code) => {
    const { header } = await sign(reader, "fee", press, wish());
    expect(await pay(payments.ports, { leg: "fee", pressId: press, header })).toMatchObject({
      ...makeRefusal(code),
      receipt: undefined,
    });
    await expectCharged(reader.wallet);
  });

  test("an authorization is refused if another key signed it or if the wallet cannot pay the whole price", async () => {
    const pressId = await listPress(payments, publisher);
    const [payer, poor] = [await makeFundedReader(), await makeFundedReader(200_000n)];
    const forged = await sign({ ...payer, wallet: poor.wallet }, "fee", pressId);
    const { header } = await sign(poor, "fee", pressId);
    for (const [sent, code, error] of [
      [forged.header, "invalid_exact_evm_signature", "must ask for the terms with ?method=eip3009"],
      [header, "invalid_exact_evm_insufficient_balance", "Nothing was charged"],
    ] as const) {
      expect(await pay(payments.ports, { leg: "fee", pressId, header: sent })).toMatchObject({
        terms: { code, error: expect.stringContaining(error) },
      });
    }
    await expectCharged(poor.wallet);
  });

  test.each(["the payer", "the owner"])("a fee is not charged while %s is frozen", async (who) => {
    const pressId = await listPress(payments, publisher);
    const payer = await makeFundedReader();
    const frozen = who === "the payer" ? payer.wallet : lower(publisher.address);
    await setFrozen(payments, frozen, true);
    const { header } = await sign(payer, "fee", pressId);
    expect(await pay(payments.ports, { leg: "fee", pressId, header })).toMatchObject({
      terms: { code: "invalid_exact_evm_transaction_simulation_failed" },
    });
    await setFrozen(payments, frozen, false);
    await expectCharged(payer.wallet);
  });
});

describe("a contract wallet can pay by EIP-3009", () => {
  test("a contract wallet pays by a signature that its contract accepts", async () => {
    const account = getTestAccount(5);
    const wallet = await deployContractWallet(payments, account);
    const pressId = await listPress(payments, publisher);
    const { header } = await sign({ account, wallet }, "fee", pressId);
    expect(await pay(payments.ports, { leg: "fee", pressId, header })).toMatchObject({ kind: "paid" });
    await expectCharged(wallet, 25_000n);
  });

  test("a contract wallet pays by a signature that is longer than a key's signature, and the token gets the signature as bytes", async () => {
    const wallet = await openGriefer(payments.client, await payments.devnet.artifacts()).deployWallet({
      tell: "never",
    });
    const pressId = await listPress(payments, publisher);
    const lengthen = (signature: Hex): Hex => `${signature}${"00".repeat(65)}`;
    const { header, call } = await sign({ account: getTestAccount(5), wallet }, "fee", pressId, {
      form: lengthen,
    });
    expect(call.slice(0, 10)).toBe("0xcf092995");
    expect(await pay(payments.ports, { leg: "fee", pressId, header })).toMatchObject({ kind: "paid" });
    await expectCharged(wallet, 25_000n);
  });

  test("if the USDG contract is an older version without support for contract wallets, a contract wallet is refused and the answer names Permit2", async () => {
    const account = getTestAccount(5);
    const wallet = await deployContractWallet(payments, account);
    const pressId = await listPress(payments, publisher);
    await setOlderForm(payments, true);
    try {
      const { header } = await sign({ account, wallet }, "fee", pressId);
      expect(await pay(payments.ports, { leg: "fee", pressId, header })).toMatchObject({
        kind: "terms",
        terms: { code: "invalid_exact_evm_signature", error: expect.stringContaining("Permit2") },
        receipt: undefined,
      });
      const payer = await makeFundedReader();
      const ofKey = await sign(payer, "fee", pressId);
      expect(await pay(payments.ports, { leg: "fee", pressId, header: ofKey.header })).toMatchObject({
        kind: "paid",
      });
    } finally {
      await setOlderForm(payments, false);
    }
    await expectCharged(wallet);
  });
});

describe("an account that delegates to code without ERC-1271 (EIP-7702) pays like a plain account if its key has signed", () => {
  const delegate = (address: Hex) =>
    payments.client.setCode({ address, bytecode: `0xef0100${devnetContracts.identityRegistry.slice(2)}` });

  test.each(legs)("an account that delegates to code without ERC-1271 can pay the %s leg", async (leg) => {
    const payer = await makePayingReader(leg);
    await delegate(payer.wallet);
    expect(await pay(payments.ports, payer)).toMatchObject({ kind: "paid" });
    await expectCharged(payer.wallet, ...charges[leg]);
    expect((await readSettlement(payments.ports, payer.wallet, payer.pressId, leg))?.gas).toBeUndefined();
  });

  test("a signature by another key is refused when the account's code cannot check signatures", async () => {
    const [payer, other] = [await makePayingReader("fee"), await makeFundedReader()];
    await delegate(payer.wallet);
    const { header } = await sign({ ...payer, account: other.account }, "fee", payer.pressId);
    const outcome = await pay(payments.ports, { ...payer, header });
    expect(outcome).toMatchObject(makeRefusal("invalid_exact_evm_signature"));
    await expectCharged(payer.wallet);
  });

  test("a payment is sent in a transaction of its own if the account gets code between check and broadcast", async () => {
    const payer = await makePayingReader("fee");
    const gaining = actBefore(payments.ports, broadcast, () => delegate(payer.wallet));
    expect(await pay(gaining, payer)).toMatchObject({ kind: "paid" });
    await expectCharged(payer.wallet, ...charges.fee);
  });
});
