import { randomBytes } from "node:crypto";
import type { LocalAccount } from "viem";
import type { Address, Hex } from "../../../core/chain/hex.ts";
import type { TermsEntry } from "./purse.ts";

/** The message to sign, copied from specification §4.4 and not made by the service's code. */
export const permitTypes = {
  PermitWitnessTransferFrom: [
    { name: "permitted", type: "TokenPermissions" },
    { name: "spender", type: "address" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" },
    { name: "witness", type: "Witness" },
  ],
  TokenPermissions: [
    { name: "token", type: "address" },
    { name: "amount", type: "uint256" },
  ],
  Witness: [
    { name: "to", type: "address" },
    { name: "validAfter", type: "uint256" },
  ],
} as const;

const permit2: Address = "0x000000000022D473030F116dDEE9F6B43aC78BA3";

export type PermitMessage = {
  readonly permitted: { readonly token: Address; readonly amount: bigint };
  readonly spender: Address;
  readonly nonce: bigint;
  readonly deadline: bigint;
  readonly witness: { readonly to: Address; readonly validAfter: bigint };
};

/** The message that an honest wallet signs for the given terms. */
export function makeMessage(entry: TermsEntry): PermitMessage {
  return {
    permitted: { token: entry.asset, amount: BigInt(entry.amount) },
    spender: entry.extra.spender,
    nonce: BigInt(`0x${randomBytes(32).toString("hex")}`),
    deadline: BigInt(Math.floor(Date.now() / 1000) + 240),
    witness: { to: entry.payTo, validAfter: 0n },
  };
}

type Eip712Types = Readonly<Record<string, readonly { readonly name: string; readonly type: string }[]>>;

/** The faults of a signature whose message is correct: faults in its EIP-712 domain, types or primary type. */
export type SigningFault = {
  readonly domain?: {
    readonly name?: string;
    readonly chainId?: number;
    readonly verifyingContract?: Address;
  };
  readonly types?: Eip712Types;
  readonly primaryType?: string;
};

export function signPermit(
  account: LocalAccount,
  message: PermitMessage,
  fault: SigningFault = {},
): Promise<Hex> {
  const asked: Eip712Types = fault.types ?? permitTypes;
  return account.signTypedData({
    domain: { name: "Permit2", chainId: 4663, verifyingContract: permit2, ...fault.domain },
    types: { ...asked },
    primaryType: fault.primaryType ?? "PermitWitnessTransferFrom",
    message: { ...message },
  });
}

/** Returns the EIP-712 types with one of the types changed. */
export function makeTypes(changes: Eip712Types): Eip712Types {
  return { ...permitTypes, ...changes };
}

/** The document inside the payment header (specification §4.4). */
export function makePaymentDocument(
  entry: TermsEntry,
  from: Address,
  message: PermitMessage,
  signature: Hex,
) {
  const { permitted, spender, nonce, deadline, witness } = message;
  return {
    x402Version: 2,
    accepted: entry,
    resource: { url: "https://news.example.com/api/pay" },
    payload: {
      signature,
      permit2Authorization: {
        permitted: { token: permitted.token, amount: String(permitted.amount) },
        from,
        spender,
        nonce: String(nonce),
        deadline: String(deadline),
        witness: { to: witness.to, validAfter: String(witness.validAfter) },
      },
    },
  };
}
export type Payment = ReturnType<typeof makePaymentDocument>;

/** Makes a payment for the given terms, signed without the official client. */
export async function makeSignedPayment(
  account: LocalAccount,
  entry: TermsEntry,
  changes: Partial<PermitMessage> = {},
  fault: SigningFault = {},
): Promise<Payment> {
  const message = { ...makeMessage(entry), ...changes };
  return makePaymentDocument(entry, account.address, message, await signPermit(account, message, fault));
}

export function encodeHeader(document: unknown): string {
  return Buffer.from(JSON.stringify(document)).toString("base64");
}
