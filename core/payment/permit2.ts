import { encodeFunctionData } from "viem/utils";
import { erc20Abi } from "../chain/abi.ts";
import { result, Word } from "../chain/call.ts";
import { nonceSpent, nonceWordCalldata, permitDigest, revertName, settleCalldata } from "../chain/permit2.ts";
import { paymentLogs } from "../chain/receipt.ts";
import type { Codes, Method } from "./authorization.ts";
import type { Reason } from "./offer.ts";
import { searchSettlement } from "./permit2-search.ts";

const codes: Codes = {
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

const invalidSignature: Reason = {
  code: codes.signature,
  error: "The payment's signature is not the payer's. Nothing was charged.",
};

/** The exact scheme by Permit2 and the x402 proxy (specification §4.4). A payer approves Permit2 once. */
export const permit2: Method = {
  codes,
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
    permitDigest({ chainId: permit.chainId, permit2: contracts.permit2 }, permit),
  call: (permit, signature) => ({
    to: permit.spender,
    data: settleCalldata(permit, signature),
  }),
  spentCall: ({ contracts }, { from, nonce }, block = "latest") => ({
    method: "eth_call",
    params: [{ to: contracts.permit2, data: nonceWordCalldata(from, nonce) }, block],
  }),
  isSpent: ({ nonce }, outcome) => nonceSpent(nonce, result(outcome, Word)),
  allowanceCall({ contracts }, wallet, block) {
    const args = [wallet, contracts.permit2] as const;
    const data = encodeFunctionData({ abi: erc20Abi, functionName: "allowance", args });
    return { method: "eth_call", params: [{ to: contracts.usdg, data }, block] };
  },
  payoutCall({ contracts }, from, to, amount) {
    const args = [from, to, amount] as const;
    const data = encodeFunctionData({ abi: erc20Abi, functionName: "transferFrom", args });
    return { method: "eth_call", params: [{ from: contracts.permit2, to: contracts.usdg, data }, "latest"] };
  },
  revertName,
  spentRevert: "InvalidNonce",
  reasons: {
    InvalidNonce: {
      code: codes.nonce,
      error: "The payment's nonce is spent. Sign the fresh terms with a new nonce.",
    },
    SignatureExpired: { code: codes.expired, error: "The signed payment has expired." },
    PaymentTooEarly: { code: "permit2_payment_too_early", error: "The signed payment is not valid yet." },
    InvalidSigner: invalidSignature,
    InvalidSignature: invalidSignature,
    InvalidSignatureLength: invalidSignature,
    InvalidContractSignature: invalidSignature,
    InvalidAmount: { code: "permit2_invalid_amount", error: "Permit2 refuses the amount." },
    InvalidDestination: {
      code: "permit2_invalid_destination",
      error: "The payment names no recipient.",
    },
    InvalidOwner: { code: "permit2_invalid_owner", error: "The payment names no payer." },
  },
  paidBy: (_, permit, receipt) => paymentLogs(receipt, permit),
  search: searchSettlement,
};
