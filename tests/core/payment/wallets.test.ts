import { serializeErc6492Signature } from "viem";
import type { HDAccount } from "viem/accounts";
import { beforeAll, describe, expect, test } from "vitest";
import { type Address, type Hex, lower } from "../../../core/chain/hex.ts";
import * as Session from "../../../core/session/index.ts";
import { safeSignsOnChain } from "../../support/browser/answers.ts";
import { alterNode } from "../../support/interference.ts";
import {
  getTestAccount,
  identityRegistry,
  listPress,
  readBalance,
  startPayments,
} from "../../support/payment.ts";
import { startPart } from "../../support/provide.ts";
import { type Form, otherMeaning, sameMeaning } from "../../support/signature-forms.ts";
import { delegate, deployContractWallet, fund, type Payer, payFrom } from "../../support/wallets.ts";
import { makeRefusal } from "./readers.ts";

const publisher = getTestAccount(4);
const stranger = getTestAccount(5);

let unpaidPress: number;
const payments = startPart(startPayments);
beforeAll(async () => {
  // A refused payment leaves no record, so all refused payments can be for the same press.
  unpaidPress = await listPress(payments, publisher);
});

/** Expects that the wallet pays both legs of a press that costs 250,000 base units, and that only the due amounts are transferred. */
async function expectPurchase(payer: Payer) {
  const { wallet } = payer;
  const pressId = await listPress(payments, publisher);
  const before = await readBalance(payments, wallet);
  expect(await payFrom(payments, payer, "fee", pressId)).toMatchObject({ kind: "paid", already: false });
  expect(before - (await readBalance(payments, wallet))).toBe(25_000n);

  const text = await payFrom(payments, payer, "publisher", pressId);
  expect(text).toMatchObject({ kind: "paid", unlocked: { body: `The text of ${pressId}.` } });
  expect(before - (await readBalance(payments, wallet))).toBe(250_000n);
  if (text.kind !== "paid" || text.unlocked?.token === undefined) throw new Error("No text");
  expect(await Session.find(payments.ports, text.unlocked.token)).toEqual({ wallet, origin: "payment" });
}

/** Expects that the payment is refused because of its signature, that the answer contains fresh terms, and that nothing is charged. */
async function expectRefusal(payer: Payer) {
  const before = await readBalance(payments, payer.wallet);
  expect(await payFrom(payments, payer, "fee", unpaidPress)).toMatchObject({
    kind: "terms",
    receipt: undefined,
    terms: { code: "invalid_permit2_signature", accepts: [{ amount: "25000" }, {}] },
  });
  expect(await readBalance(payments, payer.wallet)).toBe(before);
}

async function fundAccount(index: number): Promise<{ readonly signer: HDAccount; readonly wallet: Address }> {
  const signer = getTestAccount(index);
  await fund(payments, signer);
  return { signer, wallet: lower(signer.address) };
}

describe("a plain account pays only by its key's signature", () => {
  test.each(Object.entries(sameMeaning))(
    "a signature by the account's key is accepted, and the payment settles on the chain: %s",
    async (_, form) => {
      const payer = await fundAccount(20);
      await expectPurchase({ ...payer, form });
    },
  );

  test("a signature that was not made with the wallet's key is refused, whatever form the signature has", async () => {
    const payer = await fundAccount(21);
    for (const form of Object.values(otherMeaning)) await expectRefusal({ ...payer, form });
    await expectRefusal({ ...payer, signer: stranger });
  });
});

describe("a contract wallet pays if its contract accepts the signature (ERC-1271)", () => {
  test("a contract wallet (ERC-1271) pays both legs when its contract accepts the signature", async () => {
    const signer = getTestAccount(22);
    await expectPurchase({ wallet: await deployContractWallet(payments, signer), signer });
  });

  test("a contract wallet (ERC-1271) is not charged when its contract refuses the signature", async () => {
    const wallet = await deployContractWallet(payments, getTestAccount(22));
    await expectRefusal({ wallet, signer: stranger });
    for (const name of ["empty", "the end of EIP-6492", "2 kB"] as const) {
      await expectRefusal({ wallet, signer: getTestAccount(22), form: otherMeaning[name] });
    }
  });

  test.each([
    ["64 bytes that are no EIP-2098 signature", "604435604014", (): Hex => `0x${"ab".repeat(64)}`],
    [
      "65 bytes that end in 1, as a Safe's owner approves",
      "60a43560f81c600114",
      (): Hex => `0x${"cd".repeat(64)}01`,
    ],
    ["more bytes than a key's signature has", "6044356103e814", (): Hex => `0x${"ef".repeat(1000)}`],
    ["nothing, where a Safe's owners have signed on the chain", "60443515", (): Hex => safeSignsOnChain],
  ])("a contract wallet (ERC-1271) gets the signature unchanged: %s", async (_, condition, form) => {
    const payer = await fundAccount(23);
    await payments.client.setCode({ address: payer.wallet, bytecode: encodeMagicAnswer(condition) });
    await expectPurchase({ ...payer, form });
  });

  test.each([
    ["nothing", "0x00"],
    ["its own input, which begins with the magic value", "0x366000600037366000f3"],
    ["the magic value in the wrong place", "0x631626ba7e60005260206000f3"],
    ["a revert", "0x60006000fd"],
    ["a revert with data", "0x60206000fd"],
  ])("a contract wallet is not charged when its contract answers %s", async (_, code) => {
    const payer = await fundAccount(24);
    await payments.client.setCode({ address: payer.wallet, bytecode: `0x${code.slice(2)}` });
    await expectRefusal(payer);
    await expectRefusal({ ...payer, signer: stranger });
  });

  test("a stranger does not learn whether a wallet has paid, even if the wallet's contract answers with more bytes than the magic value", async () => {
    const payer = await fundAccount(24);
    const pressId = await listPress(payments, publisher);
    const setAnswer = (end: string) =>
      payments.client.setCode({
        address: payer.wallet,
        bytecode: encodeWordAnswer(`1626ba7e${"00".repeat(27)}${end}`),
      });
    await setAnswer("00");
    expect(await payFrom(payments, payer, "fee", pressId)).toMatchObject({ kind: "paid" });
    await setAnswer("01");
    const code = "invalid_permit2_signature";
    expect(await payFrom(payments, { ...payer, signer: stranger }, "fee", pressId)).toMatchObject(
      makeRefusal(code),
    );
  });

  test("a payment from the address of a precompile is refused", async () => {
    const wallet = lower("0x0000000000000000000000000000000000000004");
    await expectRefusal({ wallet, signer: stranger });
  });
});

describe("an account that delegates to a contract pays if its contract accepts the signature (EIP-7702)", () => {
  test("a delegated account pays when its contract accepts the account's own key, and each payment takes three round trips to the node", async () => {
    const payer = await fundAccount(25);
    const target = await deployContractWallet(payments, payer.signer);
    await delegate(payments, payer.signer, target);
    await expectPurchase(payer);
    await expectPurchase({ ...payer, form: sameMeaning["the 64 bytes of EIP-2098"] });
    const pressId = await listPress(payments, publisher);
    let trips = 0;
    const ports = alterNode(payments.ports, /./, async (calls, ask) => {
      // The test counts round trips, beginning with the round trip that simulates the payment.
      if (trips > 0 || calls.some(({ method }) => method === "eth_estimateGas")) trips += 1;
      return ask();
    });
    expect(await payFrom({ ...payments, ports }, payer, "fee", pressId)).toMatchObject({ kind: "paid" });
    expect(trips).toBe(3);
  });

  test("a delegated account pays by another key's signature when its contract accepts that key", async () => {
    const payer = await fundAccount(26);
    const target = await deployContractWallet(payments, stranger);
    await delegate(payments, payer.signer, target);
    await expectPurchase({ ...payer, signer: stranger });
    await expectRefusal(payer);
  });

  test("a delegated account is refused when its contract cannot check signatures, because Permit2 asks only the contract", async () => {
    const payer = await fundAccount(27);
    await delegate(payments, payer.signer, identityRegistry);
    await expectRefusal(payer);
    await expectRefusal({ ...payer, signer: stranger });
  });

  test("after an account's delegation to a contract has ended, the account pays by its own key again", async () => {
    const payer = await fundAccount(28);
    await delegate(payments, payer.signer, identityRegistry);
    await delegate(payments, payer.signer, lower(`0x${"00".repeat(20)}`));
    await expectPurchase(payer);
  });
});

describe("a wrapped signature pays only if the wallet's contract is on the chain (EIP-6492)", () => {
  const wrap: Form = (signature) =>
    serializeErc6492Signature({ address: stranger.address, data: "0xabcd", signature });

  test("if a deployed contract's signature is wrapped, the payment uses the inner signature", async () => {
    const signer = getTestAccount(29);
    const wallet = await deployContractWallet(payments, signer);
    await expectPurchase({ wallet, signer, form: wrap });
    await expectRefusal({ wallet, signer: stranger, form: wrap });
  });
});

/** Makes contract code that answers every call with the given word of 32 bytes. */
const encodeWordAnswer = (word: string): Hex => `0x7f${word}60005260206000f3`;

/**
 * Makes contract code that returns ERC-1271's magic value if the condition is true, and 0 otherwise. The condition is code that leaves 1 or
 * 0 on the stack.
 */
function encodeMagicAnswer(condition: string): Hex {
  return `0x${condition}631626ba7e0260e01b60005260206000f3`;
}
