import { encodeFunctionData, formatUnits } from "viem/utils";
import { erc20Abi } from "../chain/abi.ts";
import { getResult, makeContractCall, Word } from "../chain/call.ts";
import {
  decodeRevert,
  encodeSettleCall,
  encodeStateCall,
  findUsedLogs,
  hashAuthorization,
} from "../chain/eip3009.ts";
import type { Address, Hex } from "../chain/hex.ts";
import { encodeNonceCall, encodeSettle, findRevertName, hashPermit, isNonceSpent } from "../chain/permit2.ts";
import { findPaymentLogs, type Receipt } from "../chain/receipt.ts";
import type { RpcCall, RpcOutcome } from "../port/chain.ts";
import type { Settings } from "../port/settings.ts";
import type { Authorization } from "../record/payment.ts";
import { type MethodName, methodNames, type PaymentPayload } from "./schema.ts";

/** The reason why payment terms are offered: a stable code, and a sentence for people. */
export type TermsReason = { readonly code: string; readonly error: string };

/** The chain and the contracts that a payment is signed for. */
export type SigningDomain = Pick<Settings, "chainId" | "contracts">;

/** The codes of x402 for faults of a payment. Each payment method has its own codes for the same faults. */
export type FaultCodes = {
  readonly [Fault in
    | "token"
    | "spender"
    | "amount"
    | "recipient"
    | "expired"
    | "tooFar"
    | "tooEarly"
    | "balance"
    | "allowance"
    | "nonce"
    | "signature"
    | "simulation"]: string;
};

/** A payment method, either Permit2 or EIP-3009. The type contains all parts of a payment that differ between the two methods. */
export type Method = {
  readonly codes: FaultCodes;
  /** The spender that an authorization must name. */
  spender(settings: Settings): Address;
  /** The authorization in a payload of this method; `undefined` if the payload belongs to another method. */
  read(payload: PaymentPayload["payload"], signedFor: SigningDomain): Authorization | undefined;
  /** The EIP-712 digest that the payer has to sign. */
  digest(signedFor: SigningDomain, authorization: Authorization): Hex;
  /**
   * Whether the wallet's code decides if a signature is valid; otherwise the wallet's key decides. If the wallet's code decides whether the
   * signature is valid, the settlement runs this code.
   */
  asksCode(signedByKey: boolean): boolean;
  /** The call that settles an authorization. Anybody is allowed to send this call. */
  call(authorization: Authorization, signature: Hex): { to: Address; data: Hex };
  /**
   * The call that asks whether the authorization's nonce is spent at a block, and the function that reads the call's answer. Throws
   * `upstream`.
   */
  spentCall(settings: Settings, authorization: Authorization, block?: Hex | "latest"): RpcCall;
  isSpent(authorization: Authorization, outcome: RpcOutcome | undefined): boolean;
  /** The call that asks which amount of USDG a wallet has approved for payments; `undefined` if the payment method needs no approval. */
  makeAllowanceCall(settings: Settings, wallet: Address, block: Hex | "latest"): RpcCall | undefined;
  /**
   * The transfer with which this payment method would pay an address. If a simulation of this transfer succeeds, the address can receive
   * payments.
   */
  makePayoutCall(settings: Settings, from: Address, to: Address, amount: bigint): RpcCall;
  /** The name of the error in a revert's data; `undefined` for an unknown error. */
  revertName(data: Hex | undefined): string | undefined;
  /** The name of the error with which a call reverts if the nonce is already spent. */
  readonly spentRevert: string;
  /** For the name of each error with which the method's call can revert: the reason that is shown to the payer. */
  readonly reasons: Readonly<Record<string, TermsReason | undefined>>;
  /**
   * Finds the logs that show that a transaction has settled an authorization. For Permit2, the logs show this only for the service's own
   * transactions, each of which makes at most one payment per wallet. The result gives each log's index in its block.
   */
  paidBy(authorization: Authorization, receipt: Receipt): readonly number[];
};

const permit2Codes: FaultCodes = {
  token: "permit2_token_mismatch",
  spender: "invalid_permit2_spender",
  amount: "permit2_amount_mismatch",
  recipient: "invalid_permit2_recipient_mismatch",
  expired: "permit2_deadline_expired",
  tooFar: "permit2_deadline_too_far",
  tooEarly: "permit2_not_yet_valid",
  balance: "permit2_insufficient_balance",
  allowance: "permit2_allowance_required",
  nonce: "permit2_invalid_nonce",
  signature: "invalid_permit2_signature",
  simulation: "permit2_simulation_failed",
};

const signedByAnother: TermsReason = {
  code: permit2Codes.signature,
  error: "The payment's signature is not the payer's. Nothing was charged.",
};

/** The x402 scheme "exact" by Permit2 and the x402 proxy (specification §4.4). A payer approves Permit2 once. */
const permit2: Method = {
  codes: permit2Codes,
  spender: ({ contracts }) => contracts.exactProxy,
  read(payload, { chainId }) {
    if (!("permit2Authorization" in payload)) return undefined;
    const signed = payload.permit2Authorization;
    return {
      method: "permit2",
      chainId,
      from: signed.from,
      token: signed.permitted.token,
      amount: signed.permitted.amount,
      spender: signed.spender,
      nonce: signed.nonce,
      deadline: signed.deadline,
      validAfter: signed.witness.validAfter,
      to: signed.witness.to,
    };
  },
  digest: ({ contracts }, permit) =>
    hashPermit({ chainId: permit.chainId, permit2: contracts.permit2 }, permit),
  // If a wallet has code, even delegated code (EIP-7702), Permit2 asks only this code whether a signature is valid, and ignores the
  // wallet's key.
  asksCode: () => true,
  call: (permit, signature) => ({
    to: permit.spender,
    data: encodeSettle(permit, signature),
  }),
  spentCall: ({ contracts }, { from, nonce }, block) =>
    makeContractCall(contracts.permit2, encodeNonceCall(from, nonce), block),
  isSpent: ({ nonce }, outcome) => isNonceSpent(nonce, getResult(outcome, Word)),
  makeAllowanceCall({ contracts }, wallet, block) {
    const args = [wallet, contracts.permit2] as const;
    const data = encodeFunctionData({ abi: erc20Abi, functionName: "allowance", args });
    return makeContractCall(contracts.usdg, data, block);
  },
  makePayoutCall({ contracts }, from, to, amount) {
    const args = [from, to, amount] as const;
    const data = encodeFunctionData({ abi: erc20Abi, functionName: "transferFrom", args });
    return { method: "eth_call", params: [{ from: contracts.permit2, to: contracts.usdg, data }, "latest"] };
  },
  revertName: findRevertName,
  spentRevert: "InvalidNonce",
  reasons: {
    InvalidNonce: {
      code: permit2Codes.nonce,
      error: "The payment's nonce is spent. Sign the fresh terms with a new nonce.",
    },
    SignatureExpired: { code: permit2Codes.expired, error: "The signed payment has expired." },
    PaymentTooEarly: { code: "permit2_payment_too_early", error: "The signed payment is not valid yet." },
    InvalidSigner: signedByAnother,
    InvalidSignature: signedByAnother,
    InvalidSignatureLength: signedByAnother,
    InvalidContractSignature: signedByAnother,
    InvalidAmount: { code: "permit2_invalid_amount", error: "Permit2 refuses the amount." },
    InvalidDestination: {
      code: "permit2_invalid_destination",
      error: "The payment names no recipient.",
    },
    InvalidOwner: { code: "permit2_invalid_owner", error: "The payment names no payer." },
  },
  paidBy: (permit, receipt) => findPaymentLogs(receipt, permit),
};

/** Codes for faults of a payment, taken from x402 where x402 has a code for the fault. */
const eip3009Codes: FaultCodes = {
  token: "invalid_exact_evm_token_mismatch",
  spender: "invalid_exact_evm_token_mismatch",
  amount: "invalid_exact_evm_payload_authorization_value_mismatch",
  recipient: "invalid_exact_evm_recipient_mismatch",
  expired: "invalid_exact_evm_payload_authorization_valid_before",
  tooFar: "invalid_exact_evm_payload_authorization_valid_before_too_far",
  tooEarly: "invalid_exact_evm_payload_authorization_valid_after",
  balance: "invalid_exact_evm_insufficient_balance",
  // A payment by EIP-3009 needs no approval.
  allowance: "invalid_exact_evm_transaction_simulation_failed",
  nonce: "invalid_exact_evm_nonce_already_used",
  signature: "invalid_exact_evm_signature",
  simulation: "invalid_exact_evm_transaction_simulation_failed",
};

const wrongSignature: TermsReason = {
  code: eip3009Codes.signature,
  error:
    "USDG does not accept the payment's signature. Nothing was charged. A contract wallet whose signatures USDG does not check can pay by Permit2.",
};

/**
 * The name of the token's event for a used nonce. The token has no error for a spent nonce, because a call with a spent nonce does not
 * revert (see Paxos's source).
 */
const spentName = "AuthorizationAlreadyUsed";

/** The x402 scheme "exact" by EIP-3009, USDG's own transfer by signature. The payer needs USDG, but neither approval nor ETH. */
const eip3009: Method = {
  codes: eip3009Codes,
  // In EIP-3009, the spender of an authorization is the token itself.
  spender: ({ contracts }) => contracts.usdg,
  read(payload, { chainId, contracts }) {
    if (!("authorization" in payload)) return undefined;
    const { from, to, value, validAfter, validBefore, nonce } = payload.authorization;
    return {
      method: "eip3009",
      chainId,
      from,
      token: contracts.usdg,
      spender: contracts.usdg,
      amount: value,
      nonce: BigInt(nonce),
      // On the chain, an authorization is valid neither in the first nor in the last second of its period. In our own
      // form, which is the same for every payment method, the first and the last second belong to the period.
      deadline: validBefore - 1n,
      validAfter: validAfter + 1n,
      to,
    };
  },
  digest: (_, authorization) => hashAuthorization(authorization.chainId, toEip3009(authorization)),
  // The token first checks whether the wallet's key has signed; if so, the token does not ask the wallet's code. An account with delegated
  // code (EIP-7702) counts as a plain account if its own key has signed.
  asksCode: (signedByKey) => !signedByKey,
  call: (authorization, signature) => ({
    to: authorization.token,
    data: encodeSettleCall(toEip3009(authorization), signature),
  }),
  spentCall: (_, { token, from, nonce }, block) =>
    makeContractCall(token, encodeStateCall(from, nonce), block),
  isSpent: (_, outcome) => getResult(outcome, Word) === 1n,
  makeAllowanceCall: () => undefined,
  makePayoutCall({ contracts }, from, to, amount) {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [to, amount] });
    return { method: "eth_call", params: [{ from, to: contracts.usdg, data }, "latest"] };
  },
  revertName: decodeRevert,
  spentRevert: spentName,
  reasons: {
    [spentName]: {
      code: eip3009Codes.nonce,
      error:
        "The payment's nonce was already used for another payment, or was cancelled. Nothing was charged: sign the fresh terms with a new nonce.",
    },
    AuthorizationExpired: { code: eip3009Codes.expired, error: "The signed payment has expired." },
    AuthorizationInvalid: { code: eip3009Codes.tooEarly, error: "The signed payment is not valid yet." },
    InvalidSignature: wrongSignature,
    InvalidValueS: wrongSignature,
    InvalidECRecoverSignature: wrongSignature,
    // An older version of USDG accepts only signatures of 65 bytes, the length of a key's signature.
    FacetNotFound: wrongSignature,
  },
  paidBy: (authorization, receipt) => findUsedLogs(receipt, toEip3009(authorization)),
};

const methods: Readonly<Record<MethodName, Method>> = { permit2, eip3009 };

/** A payment exactly as the payer sent it, not yet verified. */
export type Payment = {
  readonly accepted: PaymentPayload["accepted"];
  readonly authorization: Authorization;
  /** The EIP-712 digest that the payer has signed. */
  readonly digest: Hex;
  /**
   * The signature exactly as it was received. Only a key's signature may be normalized, because a wallet's contract reads every byte of its
   * signature.
   */
  readonly signature: Hex;
  /**
   * Whether the payer's key has signed the payment. The field `byKey` is missing until the signature is checked. If the key has not signed
   * the payment, the wallet's code must be asked whether the signature is valid.
   */
  readonly byKey?: boolean;
  /** Whether the signature was wrapped (EIP-6492) for a wallet whose contract may not be on the chain yet. */
  readonly wrapped?: boolean;
  /**
   * The payer's identifier for this attempt (x402 extension payment-identifier), and a digest of the payload to which the identifier
   * belongs.
   */
  readonly identifier: Identifier | undefined;
  /** The hash of the ticket in the payment terms, if the payer has sent the ticket back. The ticket is never written to the chain. */
  readonly ticket: Hex | undefined;
};

/** The fields that are needed to settle a payment. A payment that is tried again has only the fields of `SignedPayment`. */
export type SignedPayment = Pick<Payment, "authorization" | "digest" | "signature" | "byKey">;

export type Identifier = { readonly id: string; readonly digest: string };

/** Finds the payment method of an authorization. */
export function findMethod({ method }: { readonly method: MethodName }): Method {
  return methods[method];
}

/** The authorization in a payload of Permit2 or of EIP-3009. */
export function readAuthorization(
  payload: PaymentPayload["payload"],
  signingDomain: SigningDomain,
): Authorization | undefined {
  for (const name of methodNames) {
    const authorization = methods[name].read(payload, signingDomain);
    if (authorization !== undefined) return authorization;
  }
  return undefined;
}

/** The query string with which an HTTP request asks for terms that offer only EIP-3009. */
const byQuery = "?method=eip3009";

/** Rewords the reason of a refusal for callers whose requests have arguments instead of a query string. */
export function rewordForArguments(error: string): string {
  return error.replaceAll(byQuery, 'the argument method "eip3009"');
}

/**
 * The reason for refusing an invalid signature. Some clients sign EIP-3009's message with the terms of Permit2, because Permit2's terms
 * come first in the list. A signature that mixes the two methods is invalid, because the methods use different EIP-712 domains.
 */
export function makeSignatureReason({ codes }: Pick<Method, "codes">, isUndeployed = false): TermsReason {
  if (isUndeployed) {
    return {
      code: codes.signature,
      error:
        "The wallet's contract is not on the chain yet, so nobody can check its signature there. Nothing was charged: send any transaction with the wallet to create its contract on the chain, and pay again.",
    };
  }
  const hint =
    codes === eip3009Codes
      ? ` An EIP-3009 client that always signs the first entry of the terms must ask for the terms with ${byQuery}.`
      : "";
  return {
    code: codes.signature,
    error: `The payment's signature is not the payer's. Nothing was charged.${hint}`,
  };
}

/** The reason for refusing a nonce that was first presented for another press or leg, or with other content. */
export function makeBoundReason({ codes }: Pick<Method, "codes">): TermsReason {
  return {
    code: codes.nonce,
    error:
      "This signed payment was already presented for something else. Sign the fresh terms with a new nonce.",
  };
}

/** The reason for refusing a payment that anybody can copy from the chain. */
export function makePublicReason({ codes }: Pick<Method, "codes">): TermsReason {
  return {
    code: codes.nonce,
    error:
      "This signed payment was broadcast before and failed. Nothing was charged: sign the fresh terms with a new nonce.",
  };
}

/** Returns the reason to show for a revert, given the name of its error. */
export function findReason({ codes, reasons }: Method, name: string | undefined): TermsReason {
  const known = name === undefined ? undefined : reasons[name];
  return (
    known ?? {
      code: codes.simulation,
      error:
        "The token refuses this transfer; it may be paused, or a wallet may be frozen. Nothing was charged.",
    }
  );
}

/** The reason for a refusal if the wallet's balance or approved amount is less than `needed`, in base units. */
export function findLack(
  { codes }: Pick<Method, "codes">,
  needed: bigint,
  { balance, allowance }: Funds,
): TermsReason | undefined {
  if (balance < needed) {
    const missing = `it holds ${formatUnitsAsUsdg(balance)} USDG, ${formatUnitsAsUsdg(needed - balance)} USDG too little`;
    return {
      code: codes.balance,
      error: `The wallet needs ${formatUnitsAsUsdg(needed)} USDG for this purchase and ${missing}. Nothing was charged.`,
    };
  }
  if (allowance !== undefined && allowance < needed) {
    return {
      code: codes.allowance,
      error: `First approve the Permit2 contract to spend at least ${formatUnitsAsUsdg(needed)} USDG of the wallet: now it may spend only ${formatUnitsAsUsdg(allowance)} USDG. Nothing was charged. Or pay without an approval: repeat the request with ${byQuery}, and sign the new terms.`,
    };
  }
  return undefined;
}

function formatUnitsAsUsdg(units: bigint): string {
  return formatUnits(units, 6);
}

/** A payer's USDG balance and approved amount, in base units; the approved amount is `undefined` if the method needs no approval. */
export type Funds = { readonly balance: bigint; readonly allowance: bigint | undefined };

/** The calls that read a wallet's funds at the newest block or at the given block. */
export function makeFundsCalls(
  settings: Settings,
  method: Method,
  wallet: Address,
  block: Hex | "latest" = "latest",
): readonly RpcCall[] {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [wallet] });
  const allowance = method.makeAllowanceCall(settings, wallet, block);
  return [
    makeContractCall(settings.contracts.usdg, data, block),
    ...(allowance === undefined ? [] : [allowance]),
  ];
}

/** Reads the funds from the answers to the calls of `makeFundsCalls`. */
export function parseFunds([balance, allowance]: readonly (RpcOutcome | undefined)[]): Funds {
  return {
    balance: getResult(balance, Word),
    allowance: allowance === undefined ? undefined : getResult(allowance, Word),
  };
}

/**
 * An authorization with the field names of EIP-3009. In the form of EIP-3009, an authorization is valid neither in the first nor in the
 * last second of its period.
 */
export function toEip3009({ from, token, amount, to, validAfter, deadline, nonce }: Authorization) {
  return { from, token, amount, to, nonce, validAfter: validAfter - 1n, validBefore: deadline + 1n };
}
