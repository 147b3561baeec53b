import { encodeFunctionData, erc20Abi, type Hex, hashTypedData, isHex, toFunctionSelector } from "viem";
import { parseSiweMessage } from "viem/siwe";
import * as z from "zod";
import { authorizationTypes } from "../../../client/signing.ts";
import { type Address, AddressForm, computeServiceTime, isSameAddress, UnitsForm } from "../api/request.ts";
import { PurseProblem } from "./passkey.ts";

/**
 * Lists the messages that a purse signs: this site's sign-in message, the payments and the transfer of all USDG that the page has just
 * shown, a vote, and the registration of a press. A purse refuses every message that is not in this list, before the purse asks for the
 * passkey.
 */
export type SigningRules = {
  readonly address: Address;
  readonly chainId: number;
  /** The address of the token USDG. */
  readonly token: Address;
  readonly identityRegistry: Address;
  readonly reputationRegistry: Address;
  /** The origin of this page: `https://HOST`. */
  readonly origin: string;
};

/** The payment that the page has shown to the person: amounts in base units, as decimal integers. */
export type ShownRequest =
  | {
      readonly kind: "payments";
      /** At most two payments: one for the platform, and one for the publisher. */
      readonly payments: readonly { readonly to: string; readonly amount: string }[];
      /** The service's time, in seconds since the epoch. */
      readonly now: number;
    }
  | { readonly kind: "move"; readonly to: string; readonly amount: string }
  /** The transaction of a vote or a mint. */
  | { readonly kind: "call"; readonly to: string; readonly data: Hex };

/** The maximum validity of a signed payment, in seconds; the service's terms allow five minutes. */
const longestLife = 15 * 60;

function refuse(cause: string): never {
  throw new PurseProblem("refused", { cause });
}

/** Allows only this site's sign-in message, for this purse and chain, with a short validity. */
export function allowSignIn(
  message: string,
  { address, chainId, origin }: SigningRules,
  now = computeServiceTime() * 1000,
): void {
  const read = parseSiweMessage(message);
  const isOwn =
    read.domain === new URL(origin).host &&
    (read.scheme === undefined || `${read.scheme}:` === new URL(origin).protocol) &&
    read.uri !== undefined &&
    hasOrigin(read.uri, origin) &&
    read.chainId === chainId &&
    read.version === "1" &&
    read.nonce !== undefined &&
    isSameAddress(read.address, address) &&
    message.startsWith(
      `${read.scheme === undefined ? "" : `${read.scheme}://`}${read.domain} wants you to sign in`,
    );
  if (!isOwn) refuse("This is not a sign-in message of this site.");
  const until = read.expirationTime?.getTime();
  if (until === undefined || until > now + signInLife) refuse("The sign-in message is valid for too long.");
}

/**
 * The maximum validity of a sign-in message, in milliseconds: the service's limit of ten minutes plus a margin, because two clocks may
 * differ.
 */
const signInLife = 60 * 60_000;

function hasOrigin(uri: string, origin: string): boolean {
  return URL.canParse(uri) && new URL(uri).origin === origin;
}

const Transfer = z.object({
  domain: z.object({
    name: z.string(),
    version: z.string(),
    chainId: z.coerce.number(),
    verifyingContract: AddressForm,
  }),
  primaryType: z.literal("TransferWithAuthorization"),
  types: z.looseObject({
    TransferWithAuthorization: z.array(z.object({ name: z.string(), type: z.string() })),
  }),
  message: z.object({
    from: AddressForm,
    to: AddressForm,
    value: z.coerce.string().pipe(UnitsForm),
    validAfter: z.coerce.string().pipe(UnitsForm),
    validBefore: z.coerce.string().pipe(UnitsForm),
    nonce: z.custom<Hex>((value) => isHex(value) && value.length === 66),
  }),
});

/** Allows only a transfer of USDG by signature (EIP-3009) on this chain, exactly as the page has shown it. Returns the digest to sign. */
export function allowTransfer(typedData: unknown, rules: SigningRules, shown: ShownRequest | undefined): Hex {
  const read = Transfer.safeParse(typedData);
  if (!read.success || shown === undefined) return refuse("The page has not shown this payment.");
  const { domain, message } = read.data;
  const isOwn =
    domain.chainId === rules.chainId &&
    isSameAddress(domain.verifyingContract, rules.token) &&
    isSameAddress(message.from, rules.address) &&
    message.validAfter === "0";
  if (!isOwn) refuse("This is not a transfer of this purse's USDG on this chain.");
  const wanted = shown.kind === "move" ? [shown] : shown.kind === "payments" ? shown.payments : [];
  const isShown = wanted.some(({ to, amount }) => isSameAddress(to, message.to) && amount === message.value);
  if (!isShown || wanted.length > 2) refuse("The page has not shown this amount with this recipient.");
  if (shown.kind === "payments" && BigInt(message.validBefore) > BigInt(shown.now + longestLife)) {
    refuse("The payment is valid for too long.");
  }
  const { value, validBefore } = message;
  // The digest is made from the types in this file, because a request may contain other types with the same names.
  return hashTypedData({
    domain,
    types: authorizationTypes,
    primaryType: "TransferWithAuthorization",
    message: { ...message, value: BigInt(value), validAfter: 0n, validBefore: BigInt(validBefore) },
  });
}

const register = toFunctionSelector("register(string)");
const giveFeedback = toFunctionSelector(
  "giveFeedback(uint256,int128,uint8,string,string,string,string,bytes32)",
);

const Call = z.object({
  to: AddressForm,
  data: z.custom<Hex>((value) => isHex(value)),
  value: z
    .string()
    .optional()
    .transform((value) => BigInt(value ?? "0x0")),
});
export type AllowedCall = { readonly to: Address; readonly data: Hex };

/**
 * Allows only a transaction that the page has shown and that sends no ETH: a vote, the registration of a press, or the transfer of all
 * USDG.
 */
export function allowCall(
  request: unknown,
  rules: SigningRules,
  shown: ShownRequest | undefined,
): AllowedCall {
  const read = Call.safeParse(request);
  if (!read.success || read.data.value !== 0n) return refuse("A purse does not send this transaction.");
  const { to, data } = read.data;
  const selector = data.slice(0, 10);
  const isCall = shown?.kind === "call" && isSameAddress(to, shown.to) && data === shown.data;
  const isVote = isCall && isSameAddress(to, rules.reputationRegistry) && selector === giveFeedback;
  const isMint = isCall && isSameAddress(to, rules.identityRegistry) && selector === register;
  const isMove =
    shown?.kind === "move" && isSameAddress(to, rules.token) && data === encodeMove(shown.to, shown.amount);
  if (!isVote && !isMint && !isMove)
    refuse("The transaction is neither a vote, nor a mint, nor the move that was shown.");
  return { to, data };
}

/** The calldata of USDG's transfer, for a purse that pays the gas itself. */
export function encodeMove(to: string, amount: string): Hex {
  const args = [AddressForm.parse(to), BigInt(amount)] as const;
  return encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args });
}
