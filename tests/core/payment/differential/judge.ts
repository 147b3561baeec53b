import { ExactEvmScheme } from "@x402/evm/exact/facilitator";
import type { Abi } from "viem";
import type { Hex } from "../../../../core/chain/hex.ts";
import { AppError } from "../../../../core/error.ts";
import { encodeHeader, type PaymentPorts, pay } from "../../../../core/payment/index.ts";
import type { Leg, PaymentRequirements } from "../../../../core/payment/schema.ts";
import type { Payments } from "../../../support/payment.ts";

/** A judge's verdict on a payment document. */
export type Verdict =
  | { readonly kind: "accepted" }
  | { readonly kind: "refused"; readonly code: string }
  /** The judge threw an error on the document. */
  | { readonly kind: "threw"; readonly error: string };

export type Judge = (document: unknown) => Promise<Verdict>;

/** Whether two offers of terms are equal except for the ticket, which differs in each offer. */
function isSameTerms(one: PaymentRequirements, other: PaymentRequirements): boolean {
  const asked = ({ extra: { ticket: _, ...extra }, ...entry }: PaymentRequirements) => ({ ...entry, extra });
  return JSON.stringify(asked(one)) === JSON.stringify(asked(other));
}

/**
 * This service as a judge. The relayers cannot sign, so that nothing is ever broadcast: a payment that reaches the signing counts as
 * accepted. A refusal must contain the current terms.
 */
export function makeServiceJudge(
  ports: PaymentPorts,
  leg: Leg,
  pressId: number,
  terms: PaymentRequirements,
): Judge {
  const relayers = { ...ports.relayers, sign: () => Promise.reject(new Error("The keys are out of order")) };
  return async (document) => {
    try {
      const outcome = await pay({ ...ports, relayers }, { leg, pressId, header: encodeHeader(document) });
      if (outcome.kind === "paid") return { kind: "threw", error: "paid, though nothing can be sent" };
      // A payer without an allowance is first offered the payment method that needs no allowance.
      const fresh = outcome.terms.accepts.some((entry) => isSameTerms(entry, terms));
      if (!fresh || outcome.receipt !== undefined) return { kind: "threw", error: "no fresh terms" };
      return { kind: "refused", code: outcome.terms.code };
    } catch (error) {
      const busy = error instanceof AppError && error.code === "payments_unavailable";
      return busy ? { kind: "accepted" } : { kind: "threw", error: String(error) };
    }
  };
}

/** The x402 library's own facilitator, on the same chain. */
export function makeLibraryJudge({ client }: Payments, relayer: Hex, terms: PaymentRequirements): Judge {
  const unused = () => Promise.reject(new Error("Verification sends nothing"));
  const facilitator = new ExactEvmScheme({
    getAddresses: () => [relayer],
    getCode: ({ address }) => client.getCode({ address }),
    readContract({ abi, ...call }) {
      if (!isAbi(abi)) throw new TypeError("Not an ABI");
      return client.readContract({ abi, ...call, account: relayer });
    },
    verifyTypedData: unused,
    writeContract: unused,
    sendTransaction: unused,
    waitForTransactionReceipt: unused,
  });
  const requirements = { ...terms, network: "eip155:4663", extra: { ...terms.extra } } as const;
  return async (document) => {
    try {
      if (!isPayload(document)) throw new TypeError("Not a document");
      const { isValid, invalidReason } = await facilitator.verify(document, requirements);
      return isValid ? { kind: "accepted" } : { kind: "refused", code: invalidReason ?? "" };
    } catch (error) {
      return { kind: "threw", error: String(error) };
    }
  };
}

function isAbi(items: readonly unknown[]): items is Abi {
  return items.every((item) => typeof item === "object" && item !== null && "type" in item);
}

type LibraryPayload = Parameters<ExactEvmScheme["verify"]>[0];

/** The x402 library's type describes an honest payer's document, but the library must judge any document. */
function isPayload(document: unknown): document is LibraryPayload {
  return document !== undefined;
}
