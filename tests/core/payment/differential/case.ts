import type { HDAccount } from "viem/accounts";
import { type Address, lower } from "../../../../core/chain/hex.ts";
import type { Permit } from "../../../../core/chain/permit2.ts";
import type { Leg, PaymentRequirements } from "../../../../core/payment/schema.ts";
import { makePermit, signPermit, testAccount } from "../../../support/payment.ts";
import type { Change, Path, SignedNumber, SignedParty } from "./change.ts";
import { otherMeaning, sameMeaning } from "./signature.ts";
import { rewrite } from "./writing.ts";

/** The states of a payer on the chain that matter for a payment. */
export const payerNames = [
  "a key",
  "without an allowance",
  "without USDG",
  "frozen",
  "a contract",
  "delegated to a wallet",
  "delegated to no wallet",
] as const;
export type PayerName = (typeof payerNames)[number];

export type Case = {
  readonly leg: Leg;
  readonly payer: PayerName;
  readonly changes: readonly Change[];
};

/** The parts from which the test cases are made. */
export type Setting = {
  /** The presses to pay for, and the terms of each leg. */
  readonly pressIds: Readonly<Record<Leg, number>>;
  readonly terms: Readonly<Record<Leg, PaymentRequirements>>;
  readonly payers: Readonly<Record<PayerName, { readonly wallet: Address; readonly signer: HDAccount }>>;
  /** A Permit2 nonce that the payer named `a key` has already used. */
  readonly spentNonce: bigint;
};

const stranger = testAccount(9);

/** The payment document of a test case, as its payer would encode it for the header. */
export async function makeDocument(setting: Setting, { leg, payer, changes }: Case): Promise<unknown> {
  const { wallet, signer } = setting.payers[payer];
  const entry = setting.terms[leg];
  const honest = makePermit({ address: wallet }, entry);
  const permit = changes.reduce((said, change) => sign(setting, said, change), honest);
  const plain = changes.some((change) => change.kind === "signature" && change.form === "another signer's")
    ? await signPermit(stranger, permit)
    : await signPermit(signer, permit);
  const signature = changes.reduce((bytes, change) => {
    if (change.kind !== "signature" || change.form === "another signer's") return bytes;
    return { ...otherMeaning, ...sameMeaning }[change.form](bytes);
  }, plain);
  const document: unknown = {
    x402Version: 2,
    resource: { url: "http://localhost:3000/api/pay" },
    accepted: entry,
    payload: {
      signature,
      permit2Authorization: {
        from: permit.from,
        permitted: { token: permit.token, amount: String(permit.amount) },
        spender: permit.spender,
        nonce: String(permit.nonce),
        deadline: String(permit.deadline),
        witness: { to: permit.to, validAfter: String(permit.validAfter) },
      },
    },
  };
  return changes.reduce(edit, document);
}

function sign(setting: Setting, permit: Permit, change: Change): Permit {
  switch (change.kind) {
    case "signed number":
      return { ...permit, [change.field]: listNumbers(setting, permit)[change.to] };
    case "signed party":
      return { ...permit, [change.field]: listParties(permit)[change.to] };
    default:
      return permit;
  }
}

function listParties(permit: Permit): Readonly<Record<SignedParty, Address>> {
  return {
    "the zero address": lower(`0x${"00".repeat(20)}`),
    "the payer": permit.from,
    "somebody else": lower(stranger.address),
  };
}

function listNumbers({ spentNonce }: Setting, permit: Permit): Readonly<Record<SignedNumber, bigint>> {
  const now = BigInt(Math.floor(Date.now() / 1000));
  return {
    "0": 0n,
    "1": 1n,
    "2^256 - 1": 2n ** 256n - 1n,
    "due - 1": permit.amount - 1n,
    "due + 1": permit.amount + 1n,
    spent: spentNonce,
    "now - 10": now - 10n,
    "now - 1": now - 1n,
    "now + 3": now + 3n,
    "now + 10": now + 10n,
    "now + 60": now + 60n,
    "now + 3600": now + 3600n,
  };
}

function edit(document: unknown, change: Change): unknown {
  switch (change.kind) {
    case "document":
      return replaceAt(document, change.path, () => change.to);
    case "writing":
      return replaceAt(document, change.path, (value) => rewrite(value, change.as));
    case "extra":
      return replaceAt(document, [...change.path, "surprise"], () => ({ of: ["any", { kind: 1 }] }));
    default:
      return document;
  }
}

/** A copy of the tree with the value at the path replaced; a path that does not exist changes nothing. */
export function replaceAt(
  tree: unknown,
  [key, ...rest]: Path,
  replace: (value: unknown) => unknown,
): unknown {
  if (key === undefined) return replace(tree);
  if (typeof tree !== "object" || tree === null || Array.isArray(tree)) return tree;
  const fields = new Map<string, unknown>(Object.entries(tree));
  return Object.fromEntries(fields.set(key, replaceAt(fields.get(key), rest, replace)));
}
