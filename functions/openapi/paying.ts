import * as z from "zod";
import { type Refusal, refusals } from "../../core/catalogue/schema.ts";
import type { Address } from "../../core/chain/hex.ts";
import { AppError } from "../../core/error.ts";
import { makeValidityError } from "../../core/move/index.ts";
import * as Payment from "../../core/payment/index.ts";
import { noPayment } from "../../core/payment/request.ts";
import { type Leg, type MethodName, PayQuery } from "../../core/payment/schema.ts";
import { makeTerms, makeUnlockedError } from "../../core/payment/terms.ts";
import type { Settings } from "../../core/port/settings.ts";
import { limits, toUsdg } from "../../core/press/schema.ts";
import { makeReceiptPayload } from "../../core/receipt/schema.ts";
import { signedReadHeader } from "../browser.ts";
import {
  type AnswerDescription,
  addTag,
  describeBase64Json,
  type Json,
  makeEncodedHeader,
  makeTextHeader,
} from "./forms.ts";
import * as sample from "./sample.ts";

/** The operations for both payments of a purchase (specification §4.4), for a transfer of a wallet's USDG, and for signed receipts. */
export const listPayOperations = (settings: Settings) => {
  const fee = signRequest(settings, "fee");
  const rest = signRequest(settings, "publisher");
  return addTag("Paying", {
    "pay-treasury": {
      ...describeLeg(settings, "fee"),
      description:
        "Pay the platform's fee. First payment, the platform's fee. Send the request without a payment to get the terms, sign one entry of their `accepts`, and repeat the request with the header payment-signature.",
      answer: "FeePaid",
      answerHeaders: { "payment-response": receipt },
      refusals: [...refusalsOfBoth, "409 press_unlisted"],
      examples: {
        ...describeOffers(settings, "fee"),
        paid: { ...fee, answer: { paid: true, tx: sample.feeTx } },
        already: { summary: "Paid before", ...fee, answer: { paid: true, tx: sample.feeTx, already: true } },
      },
    },
    "pay-publisher": {
      ...describeLeg(settings, "publisher", {
        [signedReadHeader]: makeEncodedHeader(
          "x402's sign-in-with-x, base64 JSON: the message of the terms' extension of that name, signed by a wallet that has unlocked the press. It gets the text, and a payment in the same request is ignored. Valid once, for five minutes.",
        ),
      }),
      description:
        "Pay the publisher and get the text. Second payment: the rest of the price, to the owner of the press's NFT. A wallet that has already paid the rest sends a signed message (sign-in-with-x) instead of a payment. The answer contains the text and a session cookie. If an answer is lost, the payment identifier or a sign-in always gets the text; the terms' `extra.ticket` or a fresh signature gets the text only if no answer with the text was sent before.",
      answer: "TextPaid",
      answerHeaders: {
        "payment-response": receipt,
        "set-cookie": makeTextHeader(
          "The cookie of a session that may read the text. There is no cookie if the request had a session from a sign-in, or got the text by sign-in-with-x.",
          false,
        ),
      },
      refusals: [...refusalsOfBoth, "409 fee_first", "409 already_unlocked", "503 text_unavailable"],
      examples: {
        ...describeOffers(settings, "publisher"),
        feeFirst: sample.makeRefusal(
          new AppError("conflict", "fee_first", "Pay the platform fee first."),
          rest,
        ),
        paid: { ...rest, answer: { paid: true, tx: sample.publisherTx, body: sample.article.body } },
        alreadyUnlocked: sample.makeRefusal(makeUnlockedError(settings, sample.slug), rest),
      },
    },
    move: {
      description:
        "Move a wallet's USDG by the wallet's signature. For wallets without ETH: a transfer of USDG to any address by signature (EIP-3009). We pay the gas if the fees that the wallet has paid cover it. Ask first without a signature whether we would pay the gas; then sign, and repeat with the signature. A wallet can have only one move under way at a time.",
      body: "MoveInput",
      answer: ["MoveOffer", "Moved"],
      refusals: [
        "400 authorization_not_valid",
        "401 invalid_signature",
        "409 authorization_used",
        "409 move_refused",
        "409 move_without_credit",
      ],
      example: sample.makeRefusal(makeValidityError(), { body: { authorization: sample.authorization } }),
    },
    receipts: {
      description:
        "Signed receipts of a transaction. A receipt for each payment that the transaction settled, by x402's extension offer-receipt (EIP-712). Anybody may ask: payer, payee and amount are public on the chain. /.well-known/x402 names the signer.",
      answer: "ReceiptList",
      refusals: ["404 unknown_receipt", "503 receipt_unavailable"],
      example: { answer: { receipts: [makeSampleReceipt(settings)] } },
    },
  });
};

const refusalsOfBoth: readonly Refusal[] = [
  "404 unknown_press",
  "409 payment_identifier_conflict",
  "429 wallet_gas_limit",
  "503 price_below_gas",
];

const receipt = makeTextHeader("The receipt as JSON in base64.", true, describeBase64Json("PaymentReceipt"));

const termsAnswer: AnswerDescription = {
  description: `Nothing was charged. \`code\` is the reason: ${Object.keys(refusals[402]).join(", ")}.`,
  form: "PaymentRequired",
  headers: {
    "payment-required": makeTextHeader(
      "The same terms as in the body, as JSON in base64.",
      true,
      describeBase64Json("PaymentRequired"),
    ),
    "payment-response": {
      ...receipt,
      required: false,
      description: "This header is present only after a failed broadcast.",
    },
  },
};

function describeLeg(settings: Settings, leg: Leg, headers: Readonly<Record<string, z.ZodString>> = {}) {
  const told =
    "A signed payment; without a payment, the answer contains the terms. The header `x-payment` works too.";
  const payment = makeEncodedHeader(told, "PaymentPayload");
  return {
    headers: z.object({ "payment-signature": payment, ...headers }),
    query: PayQuery,
    body: "PayInput",
    otherAnswers: { 402: termsAnswer },
    extensions: { "x-payment-info": describePayment(settings, leg) },
  } as const;
}

/** The answers that the operations of both payments have in common. */
function describeOffers(settings: Settings, leg: Leg) {
  const asked = { body: { pressId: sample.pressId }, status: 402 };
  return {
    terms: { ...asked, answer: makeSampleTerms(settings, leg) },
    termsWithoutApproval: {
      summary: "Ask for the terms by EIP-3009, which needs no approval and no ETH",
      ...asked,
      query: { method: "eip3009" },
      answer: makeSampleTerms(settings, leg, "eip3009"),
    },
  };
}

function makeSampleReceipt(settings: Settings) {
  const payload = makeReceiptPayload({
    network: Payment.makeNetworkId(settings),
    resourceUrl: Payment.makeLegUrl(settings, "publisher", sample.pressId),
    wallet: sample.reader,
    txHash: sample.publisherTx,
    settledAt: sample.time,
  });
  return { format: "eip712", payload, signature: sample.signature };
}

/** An example request that pays with EIP-3009. */
function signRequest(settings: Settings, leg: Leg) {
  const { accepts, resource } = Payment.keepMethodTerms(makeLegTerms(settings, leg), "eip3009");
  const [accepted] = accepts;
  const authorization = { ...sample.authorization, to: accepted?.payTo, value: accepted?.amount };
  const payload = { signature: sample.signature, authorization };
  const payment = JSON.stringify({ x402Version: 2, accepted, resource, payload });
  const headers = { "payment-signature": Buffer.from(payment).toString("base64") };
  return { body: { pressId: sample.pressId }, headers };
}

function makeSampleTerms(settings: Settings, leg: Leg, onlyMethod?: MethodName): Json {
  const listed = Payment.addBazaar(makeLegTerms(settings, leg), leg, sample.pressId);
  const clock = { now: () => Date.parse(sample.time) };
  const moment = { clock, ids: { nonce: () => sample.nonce }, settings };
  const both = leg === "publisher" ? Payment.addSignIn(moment, listed, sample.pressId) : listed;
  return z.json().parse(onlyMethod === undefined ? both : Payment.keepMethodTerms(both, onlyMethod));
}

function makeLegTerms(settings: Settings, leg: Leg) {
  const payTo: Address = leg === "fee" ? settings.treasury : sample.publisher;
  const due = { leg, amount: Payment.findLegAmount(leg, BigInt(sample.press.priceUnits)), payTo };
  return makeTerms(settings, due, noPayment, sample.ticket);
}

/**
 * Makes `x-payment-info` as `@agentcash/discovery` 1.7 specifies it: the price range that API directories see before they ask for terms.
 * Only the payment terms in the 402 answer are binding. The payment terms also name the methods by which a payment can be signed.
 */
function describePayment({ minPriceUnits = limits.priceUnits.min }: Settings, leg: Leg): Json {
  const formatShare = (units: bigint) => String(toUsdg(Payment.findLegAmount(leg, units)));
  const [min, max] = [formatShare(minPriceUnits), formatShare(limits.priceUnits.max)];
  return { price: { mode: "dynamic", currency: "USD", min, max }, protocols: [{ x402: {} }] };
}
