import { getAddress } from "viem/utils";
import * as z from "zod";
import { type Refusal, refusals } from "../../core/catalogue/schema.ts";
import type { Address } from "../../core/chain/hex.ts";
import * as Payment from "../../core/payment/index.ts";
import { type Leg, type MethodName, PayQuery } from "../../core/payment/schema.ts";
import { alreadyUnlocked, paymentRequired } from "../../core/payment/terms.ts";
import type { Settings } from "../../core/port/settings.ts";
import { limits, toUsdg } from "../../core/press/schema.ts";
import { signedReadHeader } from "../browser.ts";
import {
  type DescribedAnswer,
  type Example,
  encodedJson,
  type Json,
  type Operation,
  refTo,
  tagged,
} from "./forms.ts";
import {
  article,
  feeTx,
  nobody,
  nonce,
  press,
  pressId,
  publisher,
  publisherTx,
  reader,
  refusal,
  refusalBody,
  ticket,
  time,
} from "./sample.ts";

/** Both legs of a payment (specification §4.4), and the documents that confirm the payment. */
export const paying = (settings: Settings) =>
  tagged("Paying", {
    "pay-treasury": {
      ...common("fee"),
      summary: "Pay the platform's fee",
      description:
        "First payment, the platform's fee. Ask without a payment for the terms, sign one of them, repeat with payment-signature.",
      answer: { form: "FeePaid", headers: { "payment-response": { ...receipt, always: true } } },
      refusals: [...refusalsOfBoth, "409 press_unlisted"],
      examples: {
        ...offers(settings, "fee"),
        paid: {
          summary: "The signed terms",
          ...paidRequest(settings, "fee"),
          answer: { paid: true, tx: feeTx },
        },
        already: {
          summary: "A wallet that has paid before",
          ...paidRequest(settings, "fee"),
          answer: { paid: true, tx: feeTx, already: true },
        },
      },
    },
    "pay-publisher": {
      ...common("publisher", {
        [signedReadHeader]: z
          .string()
          .describe(
            "x402's sign-in-with-x, base64 JSON: the message of the terms' extension of that name, signed by a wallet that has unlocked the press. It gets the text, and a payment in the same request is ignored. Valid once, for five minutes.",
          )
          .meta(encodedJson),
      }),
      summary: "Pay the publisher and get the text",
      description:
        "Second payment: the rest, to the owner of the press's NFT, or for a wallet that has paid it a signed message (sign-in-with-x). Answers the text and a session cookie. A lost answer is repeated once for the terms' `extra.ticket` or a fresh signature, always for the payment identifier or a sign-in.",
      answer: {
        form: "TextPaid",
        headers: {
          "payment-response": { ...receipt, always: true },
          "set-cookie": {
            description: "A session that may read the text. Absent if the request had a sign-in's session.",
          },
        },
      },
      refusals: [...refusalsOfBoth, "409 fee_first", "409 already_unlocked", "503 text_unavailable"],
      examples: {
        ...offers(settings, "publisher"),
        feeFirst: refusal(
          "409 fee_first",
          "Pay the platform fee first.",
          "Before the fee",
          paidRequest(settings, "publisher"),
        ),
        paid: {
          summary: "The signed terms",
          ...paidRequest(settings, "publisher"),
          answer: { paid: true, tx: publisherTx, body: article.body },
        },
        alreadyUnlocked: {
          summary: "A second purchase",
          ...paidRequest(settings, "publisher"),
          status: 409,
          answer: {
            ...refusalBody("already_unlocked", "You've already unlocked this press."),
            ...alreadyUnlocked(settings, press.slug).details,
          },
        },
      },
    },
    move: {
      summary: "Move a wallet's USDG by its signature",
      description:
        "For wallets without ETH: USDG's transfer by signature (EIP-3009) to any address, sent at our gas for wallets whose fees carry it. Ask without a signature whether yours is one; sign, and repeat with the signature. A wallet has one move under way.",
      body: "MoveInput",
      answer: { form: ["MoveOffer", "Moved"] },
      refusals: [
        "400 authorization_not_valid",
        "401 invalid_signature",
        "409 authorization_used",
        "409 move_refused",
        "409 move_without_credit",
        "503 payments_unavailable",
        "503 chain_unavailable",
        "503 signer_unavailable",
        "503 settlement_pending",
      ],
      examples: {
        expired: refusal(
          "400 authorization_not_valid",
          "The authorization has expired, is about to, is not valid yet, or is good for more than ten minutes. Nothing was moved. Sign a new one with validAfter 0 and validBefore in five minutes.",
          "An authorization that has expired",
          {
            body: {
              authorization: {
                from: reader,
                to: nobody,
                value: "1000000",
                validAfter: "0",
                validBefore: "1700000000",
                nonce: `0x${"1".repeat(64)}`,
              },
            },
          },
        ),
      },
    },
    receipts: {
      summary: "Signed receipts of a transaction",
      description:
        "A receipt for each payment that the transaction settled, by x402's extension offer-receipt (EIP-712). Anybody may ask: payer, payee and amount are public on the chain. /.well-known/x402 names the signer.",
      path: z.object({ transaction: z.string().describe("Hash of a settlement, in any case.") }),
      answer: "ReceiptList",
      refusals: ["404 unknown_receipt", "503 receipt_unavailable"],
      examples: {
        settled: {
          summary: "Of a publisher payment",
          path: { transaction: publisherTx },
          answer: { receipts: [signedReceipt(settings)] },
        },
      },
    },
  });

const refusalsOfBoth: readonly Refusal[] = [
  "400 invalid_input",
  "404 unknown_press",
  "409 payment_identifier_conflict",
  "429 wallet_gas_limit",
  "503 price_below_gas",
  "503 payments_unavailable",
  "503 chain_unavailable",
  "503 signer_unavailable",
  "503 settlement_pending",
];

const encodedForm = (name: "PaymentPayload" | "PaymentRequired" | "PaymentReceipt") => ({
  ...encodedJson,
  contentSchema: refTo(name),
});

const receipt = {
  description: "The receipt, base64 of its JSON.",
  schema: { type: "string", ...encodedForm("PaymentReceipt") },
};

const termsAnswer: DescribedAnswer = {
  description: `Nothing was charged. \`code\` is the reason: ${Object.keys(refusals[402]).join(", ")}.`,
  form: "PaymentRequired",
  headers: {
    "payment-required": {
      description: "The same terms, base64 JSON.",
      always: true,
      schema: { type: "string", ...encodedForm("PaymentRequired") },
    },
    "payment-response": { ...receipt, description: "Only after a failed broadcast." },
  },
};

function common(leg: Leg, headers: Readonly<Record<string, z.ZodString>> = {}) {
  return {
    headers: z.object({
      "payment-signature": z
        .string()
        .describe("Signed payment, base64 JSON; without it the answer is the terms. `x-payment` works too.")
        .meta(encodedForm("PaymentPayload")),
      ...headers,
    }),
    query: PayQuery,
    body: "PayInput",
    otherAnswers: { 402: termsAnswer },
    extensions: { "x-payment-info": paymentInfo(leg) },
  } as const satisfies Partial<Operation>;
}

const noPayment = {
  code: "payment_required",
  error: "Payment required: sign the terms and repeat the request with the payment-signature header.",
};

/** The answers that both legs of a payment share. */
function offers(settings: Settings, leg: Leg): Readonly<Record<string, Example>> {
  const asked = { body: { pressId }, status: 402 };
  return {
    terms: { summary: "Ask for the terms", ...asked, answer: terms(settings, leg) },
    termsWithoutApproval: {
      summary: "Ask for the terms by EIP-3009: no approval, no ETH",
      ...asked,
      query: { method: "eip3009" },
      answer: terms(settings, leg, "eip3009"),
    },
  };
}

function signedReceipt(settings: Settings) {
  return {
    format: "eip712",
    payload: {
      version: 1,
      network: Payment.network(settings),
      resourceUrl: Payment.legUrl(settings, "publisher", pressId),
      payer: getAddress(reader),
      issuedAt: Date.parse(time) / 1000,
      transaction: publisherTx,
    },
    signature: `0x${"1b".repeat(65)}`,
  };
}

function paidRequest(settings: Settings, leg: Leg) {
  const { accepts, resource } = paymentRequired(settings, computeDue(settings, leg), noPayment, ticket);
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

function terms(settings: Settings, leg: Leg, only?: MethodName): Json {
  const asked = paymentRequired(settings, computeDue(settings, leg), noPayment, ticket);
  const listed = Payment.addBazaar(asked, leg, pressId);
  const moment = { clock: { now: () => Date.parse(time) }, ids: { nonce: () => nonce }, settings };
  const both = leg === "publisher" ? Payment.withSignIn(moment, listed, pressId) : listed;
  return z.json().parse(only === undefined ? both : Payment.offeringOnly(both, only));
}

function computeDue(settings: Settings, leg: Leg) {
  const payTo: Address = leg === "fee" ? settings.treasury : publisher;
  return { leg, amount: Payment.legAmount(leg, BigInt(press.priceUnits)), payTo };
}

/**
 * Makes `x-payment-info` as `@agentcash/discovery` 1.7 specifies it: the price range that directories see before they ask for terms. The
 * terms in the 402 answer are binding, and name the ways to sign a payment.
 */
function paymentInfo(leg: Leg): Json {
  const { min, max } = limits.priceUnits;
  const price = { mode: "dynamic", currency: "USD", min: share(leg, min), max: share(leg, max) };
  return { price, protocols: [{ x402: {} }] };
}

function share(leg: Leg, priceUnits: bigint): string {
  return String(toUsdg(Payment.legAmount(leg, priceUnits)));
}
