import { getAddress } from "viem/utils";
import * as z from "zod";
import type { Address } from "../../core/chain/hex.ts";
import * as Payment from "../../core/payment/index.ts";
import type { Leg } from "../../core/payment/schema.ts";
import { paymentRequired } from "../../core/payment/terms.ts";
import type { Settings } from "../../core/port/settings.ts";
import { toUsdg } from "../../core/press/price.ts";
import { limits } from "../../core/press/schema.ts";
import type { Answer, Example, Operation, Operations, Parameter, Refusals } from "./operation.ts";
import { article, feeTx, press, pressId, publisher, publisherTx, reader, refused, ticket } from "./sample.ts";
import { type Json, refTo } from "./schemas.ts";

const coded = (name: "PaymentPayload" | "PaymentRequired" | "PaymentReceipt") => ({
  type: "string",
  contentEncoding: "base64",
  contentMediaType: "application/json",
  contentSchema: refTo(name),
});

const headers: Readonly<Record<string, Parameter>> = {
  "payment-signature": {
    description:
      "The signed payment, base64 of its JSON. Without it the answer is the terms. `x-payment` is read as well.",
    schema: coded("PaymentPayload"),
  },
};

const receipt = { description: "The receipt, base64 of its JSON.", schema: coded("PaymentReceipt") };

const termsAnswer: Answer = {
  description:
    "The terms, or a payment that was not taken with the reason in `code`, among them permit2_insufficient_balance, permit2_allowance_required, permit2_amount_mismatch, invalid_permit2_recipient_mismatch, permit2_deadline_expired, permit2_deadline_too_far, permit2_invalid_nonce, invalid_permit2_signature and malformed_payment_header. Nothing was charged.",
  schema: "PaymentRequired",
  headers: {
    "payment-required": {
      description: "The same terms, base64 of their JSON.",
      always: true,
      schema: coded("PaymentRequired"),
    },
    "payment-response": { ...receipt, description: "Given where something was broadcast and failed." },
  },
};

const refusals: Refusals = {
  404: { unknown_press: "No live press has this pressId." },
  409: {
    payment_identifier_conflict: "The payment identifier was used for another payment; nothing was charged.",
  },
  429: {
    wallet_gas_limit:
      "Payments of this contract wallet, or of others with its code, have failed on the chain at our cost, or too many are under way; nothing was charged.",
  },
  503: {
    payments_unavailable: "Payments are temporarily unavailable; nothing was charged.",
    chain_unavailable: "The chain gives no answer; nothing was charged.",
    signer_unavailable: "No relayer can sign right now; nothing was charged.",
    settlement_pending:
      "The payment was sent and waits for the chain: repeat the request, it will not be charged again.",
  },
};

/** Both payments (specification §4.4). */
export function paying(settings: Settings): Pick<Operations, "pay-treasury" | "pay-publisher"> {
  return {
    "pay-treasury": {
      ...common(settings, "fee"),
      summary: "Pay the platform's fee",
      description:
        "The first of two payments: a tenth of priceUnits, rounded down, to the platform. Ask without a payment for the terms, sign them, and repeat the same request with the payment-signature header.",
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
        "The second payment: the rest of priceUnits, to the wallet that owns the press's NFT at this moment. It answers the full text and sets a session cookie for the paying wallet. Where that answer is lost, the text goes once to a repeat with the `extra.ticket` of its terms in `accepted` or with a fresh signature, as often as wanted to a repeat with its payment identifier, and to a sign-in of the wallet: a permit alone is public once it was broadcast, and gets nothing.",
      answers: {
        200: {
          description: "The text.",
          schema: "TextPaid",
          headers: {
            "payment-response": { ...receipt, always: true },
            "set-cookie": {
              description:
                "A session that reads the text again. Left out for a request with the cookie of a sign-in, which stays as it is.",
            },
          },
        },
        402: termsAnswer,
      },
      refusals: {
        ...refusals,
        409: {
          fee_first: "No fee of this wallet for this press is recorded.",
          already_unlocked:
            "This wallet has bought the press; nothing was charged. A sign-in of the wallet reads the text.",
          ...refusals[409],
        },
        503: {
          ...refusals[503],
          text_unavailable: "The payment is settled, the text cannot be read right now.",
        },
      },
      examples: {
        ...offers(settings, "publisher"),
        feeFirst: {
          summary: "Before the fee",
          ...paidRequest(settings, "publisher"),
          status: 409,
          answer: refused("fee_first", "Pay the platform fee first."),
        },
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
          answer: refused("already_unlocked", "You've already unlocked this press."),
        },
      },
    },
  };
}

function common(settings: Settings, leg: Leg) {
  return {
    tag: "Paying",
    headers,
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
  const malformed = {
    code: "malformed_payment_header",
    error: "Malformed payment header: it must be base64 of the JSON of an x402 version 2 payment by Permit2.",
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
    unknownPress: {
      summary: "No such press",
      body: { pressId: 4711 },
      status: 404,
      answer: refused("unknown_press", "No live press has this pressId."),
    },
  };
}

function paidRequest(settings: Settings, leg: Leg) {
  const { accepts, resource } = paymentRequired(settings, due(settings, leg), noPayment, ticket);
  const [accepted] = accepts;
  if (accepted === undefined) throw new TypeError("Terms offer a way to pay");
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
): Json {
  return z.json().parse(paymentRequired(settings, due(settings, leg), reason, ticket));
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
    protocols: [
      {
        x402: {
          version: 2,
          scheme: "exact",
          network: `eip155:${chainId}`,
          asset: getAddress(contracts.usdg),
          assetTransferMethod: "permit2",
        },
      },
    ],
  };
}

function share(leg: Leg, priceUnits: bigint): string {
  return String(toUsdg(Payment.legAmount(leg, priceUnits)));
}
