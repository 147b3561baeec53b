import { type Address, type Hex, isAddress, isAddressEqual, type LocalAccount, zeroAddress } from "viem";
import { MarketError } from "./error.ts";
import { readMember, readText } from "./http.ts";
import { makeAuthorizationData, makePaymentHeader, makePermitData, type TransferTerms } from "./signing.ts";
import type { Place } from "./typed-data.ts";

export type Leg = "fee" | "publisher";
export type Method = "eip3009" | "permit2";

/** One entry of the terms' `accepts`, unchanged. The client must send the entry back to the service with the payment. */
export type AcceptsEntry = { readonly [name: string]: unknown };

/**
 * The values to sign, without the chain and its contracts. `until` is in seconds since the epoch; `until` and `amount` are decimal strings.
 */
export type PayMessage = Pick<TransferTerms, "to" | "amount" | "nonce" | "until">;

/** Terms that match the buyer's expectations, with `amount` in base units. */
export type ValidTerms = {
  readonly entry: AcceptsEntry;
  readonly amount: bigint;
  readonly payTo: Address;
  readonly seconds: number;
};

/**
 * The buyer's expectations of a payment: the exact or the maximum amount, and the payee. If the service may name the payee, `payTo` is
 * `undefined`.
 */
export type WantedTerms = {
  readonly amount: { readonly exactly: bigint } | { readonly atMost: bigint };
  readonly payTo: Address | undefined;
};

/** The maximum validity of a signature in seconds; the service's terms allow at most 300. */
const longestLife = 300;
/** The maximum length, in characters, of an entry of the terms. An entry's length is limited because the entry is sent in a header. */
const longestEntry = 2_000;

/**
 * Finds the entry for a payment method in the terms (status 402) and checks it against the buyer's expectations. Throws `wrong_terms` if
 * the entry does not match; the error names the difference. After `wrong_terms`, the client must not sign anything.
 */
export function checkTerms(terms: unknown, method: Method, expected: WantedTerms, place: Place): ValidTerms {
  const accepts = readMember(terms, "accepts");
  const entries = Array.isArray(accepts) ? accepts.filter(isEntry) : [];
  const entry = entries.find(({ extra }) => readText(extra, "assetTransferMethod") === method);
  if (readMember(terms, "x402Version") !== 2 || entry === undefined)
    throw makeTermsError(`no offer by ${method}`);
  const { scheme, network, asset, payTo, amount, extra, maxTimeoutSeconds } = entry;
  if (scheme !== "exact") throw makeTermsError(`the scheme ${String(scheme)}`);
  if (network !== `eip155:${place.chainId}`) throw makeTermsError(`the chain ${String(network)}`);
  if (!isSameAddress(asset, place.usdg)) throw makeTermsError(`the token ${String(asset)}`);
  const units = typeof amount === "string" && /^\d{1,18}$/.test(amount) ? BigInt(amount) : undefined;
  if (units === undefined || !isAllowedAmount(units, expected.amount))
    throw makeTermsError(describeAmounts(amount, expected));
  if (!isAddressText(payTo) || isAddressEqual(payTo, zeroAddress))
    throw makeTermsError(`the payee ${String(payTo)}`);
  if (expected.payTo !== undefined && !isAddressEqual(payTo, expected.payTo))
    throw makeTermsError(`the payee ${payTo} instead of ${expected.payTo}`);
  if (method === "permit2" && !isSameAddress(readMember(extra, "spender"), place.exactProxy))
    throw makeTermsError(`the spender ${String(readMember(extra, "spender"))}`);
  if (method === "eip3009") {
    const { name, version } = place.usdgDomain;
    if (readText(extra, "name") !== name || readText(extra, "version") !== version)
      throw makeTermsError("another name of the token's domain");
  }
  if (JSON.stringify(entry).length > longestEntry) throw makeTermsError("more than a header can carry");
  const life = typeof maxTimeoutSeconds === "number" ? Math.floor(maxTimeoutSeconds) : longestLife;
  if (!(life >= 30)) throw makeTermsError(`a time of ${life} seconds`);
  return { entry, amount: units, payTo, seconds: Math.min(life, longestLife) };
}

function isAllowedAmount(units: bigint, expected: WantedTerms["amount"]): boolean {
  return "exactly" in expected ? units === expected.exactly : units <= expected.atMost;
}

function describeAmounts(amount: unknown, { amount: expected }: WantedTerms): string {
  const wanted = "exactly" in expected ? expected.exactly : `at most ${expected.atMost}`;
  return `an amount of ${String(amount)} instead of ${wanted}`;
}

function isEntry(value: unknown): value is AcceptsEntry {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isAddressText(value: unknown): value is Address {
  return typeof value === "string" && isAddress(value, { strict: false });
}

const isSameAddress = (value: unknown, other: Address) =>
  isAddressText(value) && isAddressEqual(value, other);

function makeTermsError(what: string): MarketError {
  const message = `The service's terms name ${what}. Nothing was signed or charged now.`;
  return new MarketError("wrong_terms", message);
}

/** Makes the typed data of a payment's message and the payload of the payment's header, for either payment method. */
function makeTypedData(place: Place, from: Address, method: Method, message: PayMessage) {
  const { chainId, usdg: token, usdgDomain, permit2, exactProxy: spender } = place;
  const payment = { ...message, chainId, token, from };
  return method === "eip3009"
    ? makeAuthorizationData({ ...payment, ...usdgDomain })
    : makePermitData({ ...payment, permit2, spender });
}

/** Signs one message by EIP-712: USDG's own TransferWithAuthorization, or a permit for the exact-scheme proxy. */
export function sign(account: LocalAccount, place: Place, method: Method, message: PayMessage): Promise<Hex> {
  const { typed } = makeTypedData(place, account.address, method, message);
  return typed.primaryType === "TransferWithAuthorization"
    ? account.signTypedData(typed)
    : account.signTypedData(typed);
}

/** Makes the `payment-signature` header, which contains a payment's message and the message's signature. */
export function makeHeader(
  place: Place,
  wallet: Address,
  signed: {
    readonly method: Method;
    readonly accepted: AcceptsEntry;
    readonly message: PayMessage;
    readonly identifier: string;
    readonly url: string;
  },
  signature: Hex,
): string {
  const { method, accepted, message, url } = signed;
  const { payload } = makeTypedData(place, wallet, method, message);
  return makePaymentHeader({ accepted, resource: { url } }, { signature, ...payload }, signed);
}
