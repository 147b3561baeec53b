import { formatUnits } from "viem/utils";
import { type Address, lower } from "../chain/hex.ts";
import type { Settings } from "../port/settings.ts";
import { gasLimit } from "../relayer/index.ts";
import { contractGas } from "./gas-budget.ts";
import type { Payment } from "./header.ts";
import type { Funds, Inspection } from "./inspect.ts";
import { type Due, network, type Reason } from "./terms.ts";

/** Seconds that a permit may be good for at most: others can charge it for as long (design §4). Clients sign for 300. */
export const longestLife = 600n;

/** Seconds that a permit must still be good for, so that it does not expire on its way to the chain. */
const leastTime = 6n;

const mismatch = (code: string, what: string): Reason => ({
  code,
  error: `The signed payment doesn't match the current price or recipient (${what}). Nothing was charged: sign the fresh terms.`,
});

/** What can be told without the chain: scheme, network, token and spender. Codes are the protocol's. */
export function checkForm(settings: Settings, { accepted, permit }: Payment): Reason | undefined {
  const { usdg, exactProxy } = settings.contracts;
  if (accepted.scheme !== "exact") return mismatch("unsupported_payload_type", "the scheme must be exact");
  if (accepted.network !== network(settings)) {
    return mismatch("invalid_exact_evm_network_mismatch", `the network must be ${network(settings)}`);
  }
  if (!same(accepted.asset, usdg) || permit.token !== usdg) {
    return mismatch("permit2_token_mismatch", "the token must be USDG");
  }
  if (permit.spender !== exactProxy) {
    return mismatch("invalid_permit2_spender", "the spender must be the one in the terms");
  }
  return undefined;
}

/** Whether the payment is for what is due now: amount and payee, in the permit and in the terms it says it accepted. */
export function checkDue(due: Due, { accepted, permit }: Payment): Reason | undefined {
  if (permit.amount !== due.amount || accepted.amount !== String(due.amount)) {
    return mismatch("permit2_amount_mismatch", "the amount differs");
  }
  if (permit.to !== due.payTo || !same(accepted.payTo, due.payTo)) {
    return mismatch("invalid_permit2_recipient_mismatch", "the recipient differs");
  }
  return undefined;
}

/** Whether the permit is good now and for long enough. `now` in milliseconds. */
export function checkTimes({ permit }: Payment, now: number): Reason | undefined {
  const seconds = BigInt(Math.floor(now / 1000));
  if (permit.deadline < seconds + leastTime) {
    return {
      code: "permit2_deadline_expired",
      error: "The signed payment has expired or is about to. Nothing was charged: sign the fresh terms.",
    };
  }
  if (permit.deadline > seconds + longestLife) {
    return {
      code: "permit2_deadline_too_far",
      error:
        "The signed payment's deadline is farther than ten minutes ahead. Nothing was charged: sign the fresh terms with a deadline of now plus 300 seconds, by a clock that is right.",
    };
  }
  if (permit.validAfter > seconds) {
    return {
      code: "permit2_not_yet_valid",
      error: "The signed payment is not valid yet. Nothing was charged: sign it with validAfter 0.",
    };
  }
  return undefined;
}

/**
 * Whether the chain would let it through as of now. `needed`: base units that the wallet must have for it, which for
 * the fee is the whole price: the fee is not taken where the rest could not be paid (invariant 7).
 */
export function checkChain(needed: bigint, found: Inspection): Reason | undefined {
  const hasCode = found.code !== "0x";
  if (hasCode && !found.signedByContract) return invalidSignature;
  if (found.nonceSpent) return reasons.InvalidNonce;
  const lack = lackOf(needed, found.funds);
  if (lack !== undefined) return lack;
  if (found.simulation.kind === "reverts") return reasonFor(found.simulation.name);
  if (gasLimit(found.simulation.gas) > (hasCode ? contractGas : plainGas)) return tooMuchGas;
  return found.ownerPayable ? undefined : ownerNotPayable;
}

/** What the wallet lacks to pay so many base units, if it does. */
export function lackOf(needed: bigint, { balance, allowance }: Funds): Reason | undefined {
  if (balance < needed) {
    const missing = `it holds ${usdg(balance)} USDG, ${usdg(needed - balance)} USDG too little`;
    return {
      code: "permit2_insufficient_balance",
      error: `The wallet needs ${usdg(needed)} USDG for this purchase and ${missing}. Nothing was charged.`,
    };
  }
  if (allowance < needed) {
    return {
      code: "permit2_allowance_required",
      error: `Approve the Permit2 contract to spend at least ${usdg(needed)} USDG of the wallet first: now it may spend ${usdg(allowance)} USDG. Nothing was charged.`,
    };
  }
  return undefined;
}

function usdg(units: bigint): string {
  return formatUnits(units, 6);
}

/** Gas units that a plain account's payment may take. It runs no code but ours, so only the chain can make it dear. */
const plainGas = 1_875_000n;

const tooMuchGas: Reason = {
  code: "permit2_simulation_failed",
  error: "Checking this wallet's signature takes more gas than a payment may cost. Nothing was charged.",
};
const ownerNotPayable: Reason = {
  code: "permit2_simulation_failed",
  error:
    "The press's owner cannot be paid in USDG now, so the fee is not taken either. Nothing was charged: try again later.",
};
export const invalidSignature: Reason = {
  code: "invalid_permit2_signature",
  error: "The payment's signature is not the payer's. Nothing was charged.",
};
export const nonceBound: Reason = {
  code: "permit2_invalid_nonce",
  error:
    "This signed payment was already presented for something else. Sign the fresh terms with a new nonce.",
};

/** A permit that stands on the chain for everybody to copy, whoever presents it now. */
export const alreadyPublic: Reason = {
  code: "permit2_invalid_nonce",
  error:
    "This signed payment was broadcast before and failed. Nothing was charged: sign the fresh terms with a new nonce.",
};

/** Reverts of Permit2 and the proxy in the protocol's codes. */
const reasons = {
  InvalidNonce: {
    code: "permit2_invalid_nonce",
    error: "The payment's nonce is spent. Sign the fresh terms with a new nonce.",
  },
  SignatureExpired: { code: "permit2_deadline_expired", error: "The signed payment has expired." },
  PaymentTooEarly: { code: "permit2_payment_too_early", error: "The signed payment is not valid yet." },
  InvalidSigner: invalidSignature,
  InvalidSignature: invalidSignature,
  InvalidSignatureLength: invalidSignature,
  InvalidContractSignature: invalidSignature,
  InvalidAmount: { code: "permit2_invalid_amount", error: "Permit2 refuses the amount." },
  InvalidDestination: { code: "permit2_invalid_destination", error: "The payment names no recipient." },
  InvalidOwner: { code: "permit2_invalid_owner", error: "The payment names no payer." },
} as const satisfies Readonly<Record<string, Reason>>;

const knownReasons: Readonly<Record<string, Reason | undefined>> = reasons;

/** The reason behind a revert, given the name of its error. */
export function reasonFor(name: string | undefined): Reason {
  const known = name === undefined ? undefined : knownReasons[name];
  return (
    known ?? {
      code: "permit2_simulation_failed",
      error:
        "The token refuses this transfer, as it does while it is paused or a wallet is frozen. Nothing was charged.",
    }
  );
}

/** `accepted` is the payer's own text: anything that is not our address is simply another one. */
function same(text: string, address: Address): boolean {
  return /^0x[0-9a-fA-F]{40}$/.test(text) && lower(`0x${text.slice(2)}`) === address;
}
