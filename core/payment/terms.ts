import { getAddress, keccak256, stringToHex } from "viem/utils";
import { usdgDomain } from "../chain/deployment.ts";
import { type Address, lower, toAddress } from "../chain/hex.ts";
import { unwrapSignature } from "../chain/signature.ts";
import { AppError, parseJson } from "../error.ts";
import type { Settings } from "../port/settings.ts";
import { payAt, splitPrice } from "../press/schema.ts";
import type { Authorization, Settlement } from "../record/payment.ts";
import { readChallenge } from "../session/index.ts";
import {
  findMethod,
  type Identifier,
  type Payment,
  readAuthorization,
  type SigningDomain,
  type TermsReason,
} from "./method.ts";
import {
  easiestMethod,
  type Leg,
  longestLife,
  type MethodExtra,
  type MethodName,
  methodNames,
  PaymentPayload,
  type PaymentRequired,
  serviceName,
  termsVersion,
} from "./schema.ts";

/**
 * The maximum length of a payment header in bytes. AWS's gateway accepts at most 10,240 bytes for the request line and all headers
 * together. The headers of browsers and of the content network use a part of the gateway's 10,240 bytes. The gateway would refuse a longer
 * request, and would give the payer no explanation.
 */
export const longestHeader = 8_704;

const base64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/**
 * Reads a payment header: the JSON of specification §4.4, encoded in either alphabet of base64. Returns `undefined` if the header does not
 * contain a payment in this form. A payment must be signed for the stage's chain and token.
 */
export function decodePayment(header: string, settings: SigningDomain): Payment | undefined {
  if (!base64.test(header)) return undefined;
  // If the header is not JSON, the parsed value is `undefined`, which the schema refuses like any other wrong content.
  const parsed = PaymentPayload.safeParse(parseJson(Buffer.from(header, "base64").toString("utf8")));
  if (!parsed.success) return undefined;
  const authorization = readAuthorization(parsed.data.payload, settings);
  if (authorization === undefined) return undefined;
  const ticket = parsed.data.accepted.extra?.ticket;
  const { signature } = parsed.data.payload;
  const inner = unwrapSignature(signature);
  return {
    accepted: parsed.data.accepted,
    authorization,
    digest: findMethod(authorization).digest(settings, authorization),
    signature: inner ?? signature,
    wrapped: inner !== undefined,
    ticket: ticket === undefined ? undefined : keccak256(stringToHex(ticket)),
    identifier: readIdentifier(parsed.data),
  };
}

/** Encodes a document of the x402 protocol for a header. */
export function encodeHeader(document: unknown): string {
  return Buffer.from(JSON.stringify(document)).toString("base64");
}

/**
 * Reads the identifier of an attempt to pay, and makes a digest of the parsed payload. Requests with the same identifier and the same
 * payload belong to the same attempt.
 */
function readIdentifier({ accepted, payload, extensions }: PaymentPayload): Identifier | undefined {
  const id = extensions?.["payment-identifier"]?.info.id;
  if (id === undefined) return undefined;
  const text = JSON.stringify([accepted, payload], (_, value) =>
    typeof value === "bigint" ? String(value) : value,
  );
  return { id, digest: keccak256(stringToHex(text)) };
}

/** The maximum duration of a payment in seconds, as stated in the terms (specification §8). */
const maxTimeoutSeconds = 300;

/** The amount of the given leg of a purchase, in base units. */
export function findLegAmount(leg: Leg, priceUnits: bigint): bigint {
  return splitPrice(priceUnits)[leg];
}

/** The amount that a payer must pay now, and the address that receives the amount. */
export type AmountDue = { readonly leg: Leg; readonly amount: bigint; readonly payTo: Address };

/** The x402 network id of the stage's chain (CAIP-2). */
export function makeNetworkId(settings: Pick<Settings, "chainId">): string {
  return `eip155:${settings.chainId}`;
}

/** The URL at which a leg of a purchase is paid, which is the `resource` of the 402 document. */
function makeResourceUrl({ origin }: Pick<Settings, "origin">, leg: Leg): string {
  return origin + payAt[leg];
}

/**
 * The URL at which a leg of a purchase of one press is paid. All presses share the path of the URL, so the part after the # names the
 * press.
 */
export function makeLegUrl(settings: Pick<Settings, "origin">, leg: Leg, pressId: number): string {
  return `${makeResourceUrl(settings, leg)}#pressId=${pressId}`;
}

/** The fields of the terms for each payment method, apart from the ticket. */
const extras: Readonly<Record<MethodName, (settings: Settings) => MethodExtra>> = {
  permit2: ({ contracts }) => ({
    assetTransferMethod: "permit2",
    spender: getAddress(contracts.exactProxy),
    name: "USDG",
  }),
  eip3009: () => ({
    assetTransferMethod: "eip3009",
    ...usdgDomain,
    primaryType: "TransferWithAuthorization",
  }),
};

/** The JSON Schema of the payment-identifier fields that a client may add to `info`. x402 requires a schema for each extension. */
const identifierSchema = {
  type: "object",
  properties: {
    required: { type: "boolean" },
    id: { type: "string", minLength: 16, maxLength: 128, pattern: "^[A-Za-z0-9_-]+$" },
  },
  required: ["required"],
};

/** The texts that API directories and wallets show next to the address at which a leg of a purchase is paid. */
function describeLeg({ origin }: Settings, leg: Leg) {
  return {
    description: leg === "fee" ? "The platform's fee for a news article" : "The text of a news article",
    mimeType: "application/json",
    serviceName,
    tags: ["news", "stocks"],
    iconUrl: `${origin}/favicon.svg`,
  };
}

/**
 * The 402 document with fresh terms (specification §4.4), which have one entry in `accepts` for each payment method. Clients sign the first
 * entry that they support. If a payment was refused or has failed because its payer lacks an allowance for Permit2, the new terms therefore
 * begin with the payment method that needs no allowance. The resource's address in these terms also names the method that needs no
 * allowance. `ticket`: 256 random bits in base64url, different for each 402 document.
 */
export function makeTerms(
  settings: Settings,
  due: AmountDue,
  reason: TermsReason,
  ticket: string,
): PaymentRequired {
  const { contracts } = settings;
  const lacksAllowance = reason.code === findMethod({ method: "permit2" }).codes.allowance;
  const url = makeResourceUrl(settings, due.leg);
  const methods = lacksAllowance ? new Set([easiestMethod, ...methodNames]) : methodNames;
  return {
    x402Version: 2,
    error: reason.error,
    code: reason.code,
    accepts: [...methods].map((method) => ({
      scheme: "exact" as const,
      network: makeNetworkId(settings),
      amount: String(due.amount),
      asset: getAddress(contracts.usdg),
      payTo: getAddress(due.payTo),
      maxTimeoutSeconds,
      extra: { ...extras[method](settings), ticket },
    })),
    resource: {
      url: lacksAllowance ? `${url}?method=${easiestMethod}` : url,
      ...describeLeg(settings, due.leg),
    },
    extensions: {
      "payment-identifier": { info: { required: false }, schema: identifierSchema },
      terms: {
        draft: true,
        info: { format: "uri", terms: `${settings.origin}/terms`, version: termsVersion },
      },
    },
  };
}

/** The 402 document with only one payment method, for clients that always sign the first entry in the list. */
export function keepMethodTerms(terms: PaymentRequired, method: MethodName): PaymentRequired {
  return { ...terms, accepts: terms.accepts.filter(({ extra }) => extra.assetTransferMethod === method) };
}

/**
 * The checks that need no call to the chain: scheme, network, token and spender. The reasons for a refusal have the codes that x402
 * defines.
 */
export function checkForm(settings: Settings, { accepted, authorization }: Payment): TermsReason | undefined {
  const { usdg } = settings.contracts;
  const { codes, spender } = findMethod(authorization);
  if (accepted.scheme !== "exact")
    return makeMismatchReason("unsupported_payload_type", "the scheme must be exact");
  if (accepted.network !== makeNetworkId(settings)) {
    return makeMismatchReason(
      "invalid_exact_evm_network_mismatch",
      `the network must be ${makeNetworkId(settings)}`,
    );
  }
  if (!isAddress(accepted.asset, usdg) || authorization.token !== usdg) {
    return makeMismatchReason(codes.token, "the token must be USDG");
  }
  if (authorization.spender !== spender(settings)) {
    return makeMismatchReason(codes.spender, "the spender must be the one in the terms");
  }
  return undefined;
}

const makeMismatchReason = (code: string, what: string): TermsReason => ({
  code,
  error: `The signed payment doesn't match the current price or recipient (${what}). Nothing was charged: sign the fresh terms.`,
});

/** The minimum number of seconds for which a payment must still be valid, so that it does not expire on its way to the chain. */
const leastTime = 6n;

/**
 * Whether the payment has the right amount and the right payee, both in the signed message and in the accepted terms that the payment
 * repeats.
 */
export function checkAmountAndPayee(
  due: AmountDue,
  { accepted, authorization }: Payment,
): TermsReason | undefined {
  const { codes } = findMethod(authorization);
  if (authorization.amount !== due.amount || accepted.amount !== String(due.amount)) {
    return makeMismatchReason(codes.amount, "the amount differs");
  }
  if (authorization.to !== due.payTo || !isAddress(accepted.payTo, due.payTo)) {
    return makeMismatchReason(codes.recipient, "the recipient differs");
  }
  return undefined;
}

/** Whether the payment is valid now and stays valid for long enough. `now`: the present time in milliseconds. */
export function checkTimes(authorization: Authorization, now: number): TermsReason | undefined {
  const { deadline, validAfter } = authorization;
  const { codes } = findMethod(authorization);
  const seconds = BigInt(Math.floor(now / 1000));
  if (deadline < seconds + leastTime) {
    return {
      code: codes.expired,
      error: "The signed payment has expired or expires too soon. Nothing was charged: sign the fresh terms.",
    };
  }
  if (deadline > seconds + longestLife) {
    return {
      code: codes.tooFar,
      error:
        "The signed payment's deadline is more than ten minutes in the future. Nothing was charged: sign the fresh terms with a deadline 300 seconds from now, and check that your clock is right.",
    };
  }
  if (validAfter > seconds) {
    return {
      code: codes.tooEarly,
      error: "The signed payment is not valid yet. Nothing was charged: sign a payment with validAfter 0.",
    };
  }
  return undefined;
}

/**
 * Whether the payee in the payment's field `accepted` is the expected address. The payer may have written anything into `accepted`, so a
 * payee that is not even an address counts as a wrong payee.
 */
function isAddress(text: string, address: Address): boolean {
  return /^0x[0-9a-fA-F]{40}$/.test(text) && lower(`0x${text.slice(2)}`) === address;
}

/**
 * The refusal of a second purchase by the same wallet. Nothing is charged for the second purchase (specification §4.4). `read` contains two
 * addresses for the wallet that has paid for the text. `sign-in-with-x` is the press's URL, which answers one signed request with the text.
 * `sign-in` is the address where the sign-in for a session begins.
 */
export function makeUnlockedError({ origin }: Pick<Settings, "origin">, slug: string): AppError {
  const read = { "sign-in-with-x": `${origin}/api/presses/${slug}`, "sign-in": `${origin}/api/auth/nonce` };
  return new AppError("conflict", "already_unlocked", "You've already unlocked this press.", {
    details: { read },
  });
}

/**
 * The refusal of a request while the outcome of an earlier payment is not known yet. `txHash`: the transaction that the service has
 * broadcast. If `txHash` is missing, somebody else has spent the payment's nonce, and the chain does not show yet how the nonce was spent.
 */
export function makeSettlementPendingError(txHash: string | undefined): AppError {
  if (txHash === undefined) {
    return new AppError(
      "upstream",
      "settlement_pending",
      "This payment's nonce was used, and the chain does not show yet by whom. Repeat this request: it charges nothing more.",
      { retryAfter: 5 },
    );
  }
  return new AppError(
    "upstream",
    "settlement_pending",
    "The payment was sent and waits for the chain. Repeat this request: you will not be charged again.",
    { retryAfter: 1, details: { transaction: txHash } },
  );
}

/** The amount that is due for one leg of a purchase. If the payer has already paid the fee, this fee determines the rest of the price. */
export function computeAmountDue(
  settings: Settings,
  leg: Leg,
  {
    priceUnits,
    fee,
    owner,
  }: { readonly priceUnits: string; readonly fee: Settlement | undefined; readonly owner: Address },
): AmountDue {
  const price = findCurrentPrice(priceUnits, fee);
  const paid = fee?.state === "settled" ? BigInt(fee.signed.amount) : findLegAmount("fee", price);
  const amount = leg === "fee" ? paid : price - paid;
  return { leg, amount, payTo: leg === "fee" ? settings.treasury : owner };
}

/**
 * The price of both legs together in base units: the press's present price, or the price at the time of the fee if the fee is settled. If
 * the fee percentage or the price changes between a payer's two payments, the sum of both payments stays the same.
 */
export function findCurrentPrice(priceUnits: string, fee: Settlement | undefined): bigint {
  return BigInt(fee?.state === "settled" ? fee.priceUnits : priceUnits);
}

/**
 * The refusal of a request because the service is busy. The refusal says that nothing was charged, and that another attempt may succeed
 * after the given number of seconds.
 */
export function makeBusyError(cause?: unknown, retryAfter = 1): AppError {
  const message = "Payments are temporarily unavailable. Nothing was charged.";
  return new AppError("upstream", "payments_unavailable", message, { retryAfter, cause });
}

/**
 * The refusal of a request because a text that was paid for cannot be delivered now. The payer gets the text by repeating the request, and
 * is not charged again.
 */
export function makeTextError(): AppError {
  return new AppError(
    "upstream",
    "text_unavailable",
    "The text cannot be read right now. Repeat this request: you will not be charged twice. To read it later, you can also sign in with the wallet that paid.",
    { retryAfter: 1 },
  );
}

/**
 * The terms for one leg of a purchase as API directories show them, with the price of one press as an example. Only the terms of the
 * payment endpoint are binding.
 */
export function makeDirectoryTerms(
  settings: Settings,
  leg: Leg,
  press: { readonly pressId: number; readonly priceUnits: string; readonly publisher: string },
): PaymentRequired {
  const owner = toAddress(press.publisher);
  const due = computeAmountDue(settings, leg, { priceUnits: press.priceUnits, fee: undefined, owner });
  const terms = makeTerms(settings, due, { code: "payment_required", error: "Payment required" }, "");
  return addBazaar(terms, leg, press.pressId);
}

/**
 * Adds x402's sign-in-with-x to the terms of the payment to the publisher: a wallet that has unlocked the press signs a sign-in message
 * instead of a payment, and gets the text.
 */
export function addSignIn(
  ports: Parameters<typeof readChallenge>[0],
  terms: PaymentRequired,
  pressId: number,
): PaymentRequired {
  const challenge = readChallenge(ports, makeLegUrl(ports.settings, "publisher", pressId));
  return { ...terms, extensions: { ...terms.extensions, "sign-in-with-x": challenge } };
}

/** The answer to each leg's payment (specification §4.4). */
const bazaarAnswers: Readonly<Record<Leg, object>> = {
  fee: { paid: true, tx: "0x..." },
  publisher: { paid: true, tx: "0x...", body: "The text, in Markdown." },
};

/**
 * The JSON Schema of `info` in x402's bazaar extension. Clients repeat the schema in a payment header, whose size is limited. To keep the
 * header small, the schema has few fields beyond those that the extension requires for a request with a body.
 */
const bazaarSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  properties: {
    input: {
      type: "object",
      properties: {
        type: { const: "http" },
        method: { enum: ["POST"] },
        body: {
          type: "object",
          properties: { pressId: { type: "integer", minimum: 0 } },
          required: ["pressId"],
        },
      },
      required: ["type", "method", "bodyType", "body"],
    },
    output: { type: "object", properties: { example: { type: "object" } } },
  },
  required: ["input"],
};

/**
 * The terms with x402's bazaar extension, from which API directories learn the form of the request and of the answer. The example of a
 * request body names the requested press. If an API directory sends the example as a test, it gets the terms of the payment method that
 * every wallet with USDG can use. Clients repeat the extension in the payment header, whose size is limited (`longestHeader`). The service
 * ignores the extension that clients send back.
 */
export function addBazaar(terms: PaymentRequired, leg: Leg, pressId: number): PaymentRequired {
  const queryParams = { method: easiestMethod };
  const input = { type: "http", method: "POST", queryParams, bodyType: "json", body: { pressId } };
  const output = { type: "json", example: bazaarAnswers[leg] };
  const bazaar = { info: { input, output }, schema: bazaarSchema };
  return { ...terms, extensions: { ...terms.extensions, bazaar } };
}
