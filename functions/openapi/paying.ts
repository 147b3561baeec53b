import { getAddress } from "viem/utils";
import * as z from "zod";
import type { Address } from "../../core/chain/hex.ts";
import * as Payment from "../../core/payment/index.ts";
import {
  easiestMethod,
  type Leg,
  type MethodName,
  methodNames,
  PayQuery,
} from "../../core/payment/schema.ts";
import { alreadyUnlocked, paymentRequired } from "../../core/payment/terms.ts";
import type { Settings } from "../../core/port/settings.ts";
import { limits, toUsdg } from "../../core/press/schema.ts";
import {
  article,
  feeTx,
  mintTx,
  press,
  pressId,
  publisher,
  publisherTx,
  reader,
  refusal,
  refused,
  ticket,
  time,
} from "./sample.ts";
import type { Answer, Example, Operation, Operations, Parameter, Refusals } from "./schemas.ts";
import { type Json, parametersOf, refTo } from "./schemas.ts";

const coded = (name: "PaymentPayload" | "PaymentRequired" | "PaymentReceipt") => ({
  type: "string",
  contentEncoding: "base64",
  contentMediaType: "application/json",
  contentSchema: refTo(name),
});

const headers: Readonly<Record<string, Parameter>> = {
  "payment-signature": {
    description: "Signed payment, base64 JSON; without it the answer is the terms. `x-payment` works too.",
    schema: coded("PaymentPayload"),
  },
};

const receipt = { description: "The receipt, base64 of its JSON.", schema: coded("PaymentReceipt") };

const termsAnswer: Answer = {
  description:
    "Nothing was charged. `code` is the reason, such as permit2_insufficient_balance, permit2_allowance_required, permit2_amount_mismatch, permit2_deadline_expired or invalid_permit2_signature; by EIP-3009 such as invalid_exact_evm_insufficient_balance.",
  schema: "PaymentRequired",
  headers: {
    "payment-required": {
      description: "The same terms, base64 JSON.",
      always: true,
      schema: coded("PaymentRequired"),
    },
    "payment-response": { ...receipt, description: "Only after a failed broadcast." },
  },
};

const refusals: Refusals = {
  400: { invalid_input: "A parameter is not of its form." },
  404: { unknown_press: "No live press has this pressId." },
  409: {
    payment_identifier_conflict: "The payment identifier belongs to another payment; nothing was charged.",
  },
  429: {
    wallet_gas_limit: "Payments of this wallet, or of its code, failed too often; nothing was charged.",
  },
  503: {
    payments_unavailable: "Payments are temporarily unavailable; nothing was charged.",
    chain_unavailable: "The chain gives no answer; nothing was charged.",
    signer_unavailable: "No relayer can sign right now; nothing was charged.",
    settlement_pending: "Sent, not confirmed yet: repeat the request, it is not charged twice.",
  },
};

/** Both payments (specification §4.4), and what confirms them. */
export function paying(settings: Settings): Pick<Operations, "pay-treasury" | "pay-publisher" | "receipts"> {
  return {
    "pay-treasury": {
      ...common(settings, "fee"),
      summary: "Pay the platform's fee",
      description:
        "First payment, the platform's fee. Ask without a payment for the terms, sign one of them, repeat with payment-signature.",
      answers: {
        200: {
          description: "The fee is paid.",
          schema: "FeePaid",
          headers: { "payment-response": { ...receipt, always: true } },
        },
        402: termsAnswer,
      },
      refusals,
      examples: {
        ...offers(settings, "fee"),
        paid: {
          summary: "The signed terms",
          ...paidRequest(settings, "fee"),
          status: 200,
          answer: { paid: true, tx: feeTx },
        },
        already: {
          summary: "A wallet that has paid before",
          ...paidRequest(settings, "fee"),
          status: 200,
          answer: { paid: true, tx: feeTx, already: true },
        },
      },
    },
    "pay-publisher": {
      ...common(settings, "publisher"),
      summary: "Pay the publisher and get the text",
      description:
        "Second payment: the rest, to the owner of the press's NFT. Answers the text and a session cookie. A lost answer is repeated once for the terms' `extra.ticket` or a fresh signature, always for the payment identifier or a sign-in.",
      answers: {
        200: {
          description: "The text.",
          schema: "TextPaid",
          headers: {
            "payment-response": { ...receipt, always: true },
            "set-cookie": {
              description: "A session that may read the text; absent if the request had a sign-in's.",
            },
          },
        },
        402: termsAnswer,
      },
      refusals: {
        ...refusals,
        409: {
          fee_first: "No fee is recorded.",
          already_unlocked:
            "Already bought; nothing was charged. `read` names where a sign-in by the wallet reads it.",
          ...refusals[409],
        },
        503: {
          ...refusals[503],
          text_unavailable: "Settled, but the text cannot be read right now.",
        },
      },
      examples: {
        ...offers(settings, "publisher"),
        feeFirst: refusal(
          409,
          "fee_first",
          "Pay the platform fee first.",
          "Before the fee",
          paidRequest(settings, "publisher"),
        ),
        paid: {
          summary: "The signed terms",
          ...paidRequest(settings, "publisher"),
          status: 200,
          answer: { paid: true, tx: publisherTx, body: article.body },
        },
        alreadyUnlocked: {
          summary: "A second purchase",
          ...paidRequest(settings, "publisher"),
          status: 409,
          answer: {
            ...refused("already_unlocked", "You've already unlocked this press."),
            ...alreadyUnlocked(settings, press.slug).details,
          },
        },
      },
    },
    receipts: receipts(settings),
  };
}

function receipts(settings: Settings): Operation {
  return {
    tag: "Paying",
    summary: "Signed receipts of a transaction",
    description:
      "A receipt for each payment that the transaction settled, by x402's extension offer-receipt (EIP-712). Anybody may ask: payer, payee and amount are public on the chain. /.well-known/x402 names the signer.",
    path: { transaction: { description: "Hash of a settlement, in any case.", schema: { type: "string" } } },
    answers: { 200: { description: "The receipts.", schema: "ReceiptList" } },
    refusals: {
      400: { invalid_input: "This can be no transaction's hash." },
      404: { unknown_receipt: "No payment is recorded as settled by it; may be repeated." },
      503: { receipt_unavailable: "The key cannot sign right now; the payment is settled and safe." },
    },
    examples: {
      settled: {
        summary: "Of a publisher payment",
        path: { transaction: publisherTx },
        status: 200,
        answer: { receipts: [signedReceipt(settings)] },
      },
      unknown: refusal(
        404,
        "unknown_receipt",
        "No payment for a press is recorded as settled by this transaction. If it was sent just now, ask again in a moment.",
        "A transaction that paid for nothing here",
        { path: { transaction: mintTx } },
      ),
      noHash: refusal(
        400,
        "invalid_input",
        "must be a 0x-prefixed hash of 32 bytes",
        "What is no transaction's hash",
        { path: { transaction: "0x17" } },
      ),
    },
  };
}

function signedReceipt(settings: Settings) {
  return {
    format: "eip712",
    payload: {
      version: 1,
      network: Payment.network(settings),
      resourceUrl: `${Payment.resourceUrl(settings, "publisher")}#pressId=${pressId}`,
      payer: getAddress(reader),
      issuedAt: Date.parse(time) / 1000,
      transaction: publisherTx,
    },
    signature: `0x${"1b".repeat(65)}`,
  };
}

function common(settings: Settings, leg: Leg) {
  return {
    tag: "Paying",
    headers,
    query: parametersOf(PayQuery),
    body: "PayInput",
    extensions: { "x-payment-info": paymentInfo(settings, leg) },
  } as const satisfies Partial<Operation>;
}

const noPayment = {
  code: "payment_required",
  error: "Payment required: sign the terms and repeat the request with the payment-signature header.",
};

/** What both legs answer alike. */
function offers(settings: Settings, leg: Leg): Readonly<Record<string, Example>> {
  const needed = `Send a JSON object with pressId as application/json: ${settings.origin}/openapi.json has examples.`;
  const malformed = {
    code: "malformed_payment_header",
    error: "Malformed payment header: it must be base64 of the JSON of an x402 version 2 payment.",
  };
  return {
    terms: {
      summary: "Ask for the terms",
      body: { pressId },
      status: 402,
      answer: terms(settings, leg, noPayment),
    },
    malformedHeader: {
      summary: "A header that is no payment",
      body: { pressId },
      headers: { "payment-signature": "bm90IGEgcGF5bWVudA==" },
      status: 402,
      answer: terms(settings, leg, malformed),
    },
    termsWithoutApproval: {
      summary: "Ask for the terms by EIP-3009: no approval, no ETH",
      query: { method: "eip3009" },
      body: { pressId },
      status: 402,
      answer: terms(settings, leg, noPayment, "eip3009"),
    },
    noBody: refusal(400, "invalid_input", `There is no body. ${needed}`, "A request without a body", {}),
    unknownPress: refusal(404, "unknown_press", "No live press has this pressId.", "No such press", {
      body: { pressId: 4711 },
    }),
  };
}

function paidRequest(settings: Settings, leg: Leg) {
  const { accepts, resource } = paymentRequired(settings, due(settings, leg), noPayment, ticket);
  const [accepted] = accepts;
  if (accepted?.extra.assetTransferMethod !== "permit2") throw new TypeError("Terms offer Permit2 first");
  const payment = {
    x402Version: 2,
    accepted,
    resource,
    payload: {
      signature: `0x${"1b".repeat(65)}`,
      permit2Authorization: {
        permitted: { token: accepted.asset, amount: accepted.amount },
        from: reader,
        spender: accepted.extra.spender,
        nonce: "62514009886607029107290561805838585334079798074568712924583230797734656856475",
        deadline: "1795176300",
        witness: { to: accepted.payTo, validAfter: "0" },
      },
    },
  };
  const header = Buffer.from(JSON.stringify(payment)).toString("base64");
  return { body: { pressId }, headers: { "payment-signature": header } };
}

function terms(
  settings: Settings,
  leg: Leg,
  reason: { readonly code: string; readonly error: string },
  only?: MethodName,
): Json {
  const both = Payment.withBazaar(
    paymentRequired(settings, due(settings, leg), reason, ticket),
    leg,
    pressId,
  );
  return z.json().parse(only === undefined ? both : Payment.offeringOnly(both, only));
}

function due(settings: Settings, leg: Leg) {
  const payTo: Address = leg === "fee" ? settings.treasury : publisher;
  return { leg, amount: Payment.legAmount(leg, BigInt(press.priceUnits)), payTo };
}

/**
 * What directories of paid endpoints read before they ask for terms: `x-payment-info`, in the form with nested `price`
 * and a list of protocols, and with the flat fields of the form before it. The 402 has the last word.
 */
function paymentInfo({ chainId, contracts }: Settings, leg: Leg): Json {
  const min = share(leg, limits.priceUnits.min);
  const max = share(leg, limits.priceUnits.max);
  return {
    authMode: "payment-required",
    price: { mode: "dynamic", currency: "USD", min, max },
    pricingMode: "range",
    minPrice: min,
    maxPrice: max,
    protocols: [...new Set([easiestMethod, ...methodNames])].map((assetTransferMethod) => ({
      x402: {
        version: 2,
        scheme: "exact",
        network: `eip155:${chainId}`,
        asset: getAddress(contracts.usdg),
        assetTransferMethod,
      },
    })),
  };
}

function share(leg: Leg, priceUnits: bigint): string {
  return String(toUsdg(Payment.legAmount(leg, priceUnits)));
}
