import * as z from "zod";
import { AddressInput, HashInput, HexInput, lower } from "../chain/hex.ts";

/** The body of requests to both pay endpoints (specification §4.4). 0 is a valid press id. */
export const PayInput = z.object({ pressId: z.int().nonnegative() });
export type PayInput = z.infer<typeof PayInput>;

export const legNames = ["fee", "publisher"] as const;
export type Leg = (typeof legNames)[number];

/** The ways to sign a payment, in the order in which the terms offer them. */
export const methodNames = ["permit2", "eip3009"] as const;
export type MethodName = (typeof methodNames)[number];

/**
 * The payment method for payers who have only USDG: it needs no approval and no gas from the payer. API directories get the terms of the
 * method that needs only USDG.
 */
export const easiestMethod: MethodName = "eip3009";

/**
 * The maximum number of seconds for which a signed payment may be valid. The time is limited because others can charge a payment as long as
 * it is valid (design §4). Clients sign payments that are valid for 300 seconds.
 */
export const longestLife = 600n;

/**
 * The query of both pay endpoints. The query may name the wallet that asks. The query may also ask for a single payment method, because
 * some clients always sign the first entry of the terms.
 */
export const PayQuery = z.object({
  method: z
    .enum(methodNames)
    .optional()
    .meta({ example: easiestMethod })
    .describe(
      "The terms offer only this payment method. Without this parameter, the terms offer both methods, Permit2 first. eip3009 needs no approval and no ETH.",
    ),
  payer: AddressInput.optional().describe(
    "The wallet that is going to pay. If this wallet has paid the fee, the terms ask for the rest of the price that was valid when the fee was paid.",
  ),
});

const ticket = {
  ticket: z
    .string()
    .describe(
      "A random value for one payment. If the payment's answer is lost, a repeated payment with this value in `accepted` gets the text.",
    ),
};
const permit2Extra = {
  assetTransferMethod: z.literal("permit2"),
  spender: z.string().describe("The permit's spender."),
  name: z.literal("USDG"),
};
const eip3009Extra = {
  assetTransferMethod: z.literal("eip3009"),
  name: z.string().describe("Part of the token's EIP-712 domain."),
  version: z.string().describe("Part of the token's EIP-712 domain."),
  primaryType: z
    .literal("TransferWithAuthorization")
    .describe("The signed message's type, so that clients need not find it in the token's code."),
};
/** The fields of the terms for one method, apart from the ticket. */
export type MethodExtra = Readonly<
  z.infer<z.ZodObject<typeof permit2Extra>> | z.infer<z.ZodObject<typeof eip3009Extra>>
>;

/** One payment method in the terms, in the form of x402 version 2. */
export const PaymentRequirements = z
  .object({
    scheme: z.literal("exact"),
    network: z.string().describe("CAIP-2 id of the chain."),
    amount: z.string().describe("USDG base units."),
    asset: z.string().describe("Address of the token."),
    payTo: z
      .string()
      .describe("The payee, which the payer signs as `to` in the permit's witness or in the authorization."),
    maxTimeoutSeconds: z.int(),
    extra: z
      .discriminatedUnion("assetTransferMethod", [
        z.object({ ...permit2Extra, ...ticket }),
        z.object({ ...eip3009Extra, ...ticket }),
      ])
      .readonly(),
  })
  .readonly();
export type PaymentRequirements = z.infer<typeof PaymentRequirements>;

/** The name of the service as clients and people see it. */
export const serviceName = "Press Market";

/**
 * The date of the terms of use at `/terms`. The date is also the version of the terms of use, and each purchase names the version that
 * applies to the purchase.
 */
export const termsVersion = "2026-11-24";

const Extensions = z
  .object({
    "payment-identifier": z
      .object({
        info: z.object({ required: z.literal(false) }).readonly(),
        schema: z.looseObject({}).readonly(),
      })
      .readonly()
      .describe(
        "A payment may carry an id that the client chooses. A repeated request with the same id gets the same answer.",
      ),
    terms: z
      .object({
        draft: z.literal(true),
        info: z
          .object({ format: z.literal("uri"), terms: z.string(), version: z.literal(termsVersion) })
          .readonly(),
      })
      .readonly()
      .describe("The terms of sale and their version. x402's extension `terms` is a draft."),
    "offer-receipt": z
      .object({
        info: z
          .object({
            offers: z.array(z.looseObject({ signature: z.string() })).readonly(),
            unsigned: z.string().exactOptional().describe("Why there is no offer."),
          })
          .readonly(),
        schema: z.looseObject({}).readonly(),
      })
      .readonly()
      .exactOptional()
      .describe(
        "A signed offer (EIP-712). Requests within the same minute get the same offer. One offer is enough, because the entries of `accepts` differ only in method.",
      ),
    "sign-in-with-x": z
      .object({
        info: z
          .object({
            domain: z.string(),
            uri: z.string().describe("The URL of the paid endpoint, with the press after `#`."),
            version: z.literal("1"),
            nonce: z.string(),
            issuedAt: z.string(),
          })
          .readonly(),
        supportedChains: z.array(z.object({ chainId: z.string(), type: z.literal("eip191") })).readonly(),
        schema: z.looseObject({}).readonly(),
      })
      .readonly()
      .exactOptional()
      .describe(
        "Only at the publisher's leg: a wallet that has unlocked the press signs this message (EIP-4361) instead of a payment, sends it in the sign-in-with-x header, and gets the text. The message is valid once, for five minutes.",
      ),
    bazaar: z
      .object({ info: z.looseObject({}).readonly(), schema: z.looseObject({}).readonly() })
      .readonly()
      .exactOptional()
      .describe(
        "For directories: an example of request and answer, and their schema. Clients need not send this extension back.",
      ),
  })
  .readonly();

/** The 402 document (specification §4.4, design §2). `code` is stable; `error` is for people. */
export const PaymentRequired = z
  .object({
    x402Version: z.literal(2),
    error: z.string().describe("For people."),
    code: z.string().describe("A stable code that says why the terms are offered."),
    accepts: z.array(PaymentRequirements).readonly(),
    resource: z
      .object({
        url: z.string(),
        description: z.string(),
        mimeType: z.string(),
        serviceName: z.string(),
        tags: z.array(z.string()).readonly(),
        iconUrl: z.string(),
      })
      .readonly(),
    extensions: Extensions,
  })
  .readonly();
export type PaymentRequired = z.infer<typeof PaymentRequired>;

/** The content of the `payment-response` header. */
export const PaymentReceipt = z
  .object({
    success: z.boolean(),
    transaction: z.string().describe("The text is empty when nothing was broadcast."),
    network: z.string(),
    payer: z.string(),
    errorReason: z.string().exactOptional().describe("The reason of a failure, as a protocol code."),
    extensions: z
      .object({
        "offer-receipt": z
          .object({
            info: z
              .object({
                receipt: z.looseObject({ signature: z.string() }).exactOptional(),
                unsigned: z
                  .string()
                  .exactOptional()
                  .describe(
                    "The address at which the client gets the receipt, if the receipt could not be signed in time.",
                  ),
              })
              .readonly(),
            schema: z.looseObject({}).readonly(),
          })
          .readonly(),
      })
      .readonly()
      .exactOptional()
      .describe("The signed receipt (EIP-712) of a settled payment, in the form that /api/receipts returns."),
  })
  .readonly();
export type PaymentReceipt = z.infer<typeof PaymentReceipt>;

const paid = { paid: z.literal(true), tx: z.string().describe("The transaction that paid.") };

/** The answer after the platform's fee is paid (specification §4.4). */
export const FeePaid = z.object({
  ...paid,
  already: z.literal(true).optional().describe("The leg had been paid before; nothing was settled again."),
});

/** The answer after the publisher is paid. The answer contains the text of the press. */
export const TextPaid = z.object({ ...paid, body: z.string().describe("The full text, in Markdown.") });

const Uint256 = z
  .string()
  .regex(/^[0-9]{1,78}$/, "must be a decimal integer")
  .transform((text) => BigInt(text))
  .refine((value) => value < 2n ** 256n, "must be below 2^256");
const Account = AddressInput.transform(lower);

/** The payer's own identifier for this attempt (x402's payment-identifier extension). */
const PaymentId = z.string().regex(/^[A-Za-z0-9_-]{16,128}$/);

/**
 * The ticket of the terms, as clients send it back. A client that omits the ticket, or sends another value, counts as a client without a
 * ticket.
 */
const Extra = z
  .object({ ticket: z.string().regex(/^[A-Za-z0-9_-]{43}$/) })
  .optional()
  .catch(undefined);

/**
 * The signature of a contract wallet may have more than 65 bytes. A payment header also repeats the terms, so the space for a signature is
 * limited. In the payment header, terms for a named payer leave 2 kB for the signature, which is enough for a wallet with thirty owners.
 * Terms for an unnamed payer leave 1.25 kB for the signature.
 */
const Signature = HexInput.refine(({ length }) => length <= 4098, "is too long");

/** USDG's own transfer by signature (EIP-3009), as written in JSON. Times are in seconds since the Unix epoch. */
export const TransferAuthorization = z.object({
  from: Account,
  to: Account,
  value: Uint256,
  validAfter: Uint256,
  validBefore: Uint256,
  nonce: HashInput.transform(lower),
});

/**
 * A payer's message: the accepted terms, and the signed authorization of either payment method. Unknown fields of the message are left
 * unchanged.
 */
export const PaymentPayload = z.object({
  x402Version: z.literal(2),
  accepted: z.object({
    scheme: z.string(),
    network: z.string(),
    amount: z.string(),
    asset: z.string(),
    payTo: z.string(),
    extra: Extra,
  }),
  payload: z.union([
    z.object({
      signature: Signature,
      permit2Authorization: z.object({
        permitted: z.object({ token: Account, amount: Uint256 }),
        from: Account,
        spender: Account,
        nonce: Uint256,
        deadline: Uint256,
        witness: z.object({ to: Account, validAfter: Uint256 }),
      }),
    }),
    z.object({
      signature: Signature,
      authorization: TransferAuthorization,
    }),
  ]),
  extensions: z
    .object({
      "payment-identifier": z.object({ info: z.object({ id: PaymentId.optional() }) }).optional(),
    })
    .nullish(),
});
export type PaymentPayload = z.infer<typeof PaymentPayload>;
