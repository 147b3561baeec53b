import { formatUnits } from "viem/utils";
import { type Address, lower } from "../chain/hex.ts";
import type { Settings } from "../port/settings.ts";
import { gasLimit } from "../relayer/index.ts";
import type { Authorization, Method } from "./authorization.ts";
import type { Payment } from "./header.ts";
import type { Funds, Inspection } from "./inspect.ts";
import { methodOf } from "./method.ts";
import { type Due, network, type Reason } from "./offer.ts";
import { longestLife } from "./schema.ts";

/** Seconds that it must still be good for, so that it does not expire on its way to the chain. */
const leastTime = 6n;

const mismatch = (code: string, what: string): Reason => ({
  code,
  error: `The signed payment doesn't match the current price or recipient (${what}). Nothing was charged: sign the fresh terms.`,
});

/** What can be told without the chain: scheme, network, token and spender. Codes are the protocol's. */
export function checkForm(settings: Settings, { accepted, authorization }: Payment): Reason | undefined {
  const { usdg } = settings.contracts;
  const { codes, spender } = methodOf(authorization);
  if (accepted.scheme !== "exact") return mismatch("unsupported_payload_type", "the scheme must be exact");
  if (accepted.network !== network(settings)) {
    return mismatch("invalid_exact_evm_network_mismatch", `the network must be ${network(settings)}`);
  }
  if (!same(accepted.asset, usdg) || authorization.token !== usdg) {
    return mismatch(codes.token, "the token must be USDG");
  }
  if (authorization.spender !== spender(settings)) {
    return mismatch(codes.spender, "the spender must be the one in the terms");
  }
  return undefined;
}

/** Whether the payment is for what is due now: amount and payee, as signed and in the terms it says it accepted. */
export function checkDue(due: Due, { accepted, authorization }: Payment): Reason | undefined {
  const { codes } = methodOf(authorization);
  if (authorization.amount !== due.amount || accepted.amount !== String(due.amount)) {
    return mismatch(codes.amount, "the amount differs");
  }
  if (authorization.to !== due.payTo || !same(accepted.payTo, due.payTo)) {
    return mismatch(codes.recipient, "the recipient differs");
  }
  return undefined;
}

/** Whether it is good now and for long enough. `now` in milliseconds. */
export function checkTimes(authorization: Authorization, now: number): Reason | undefined {
  const { deadline, validAfter } = authorization;
  const { codes } = methodOf(authorization);
  const seconds = BigInt(Math.floor(now / 1000));
  if (deadline < seconds + leastTime) {
    return {
      code: codes.expired,
      error: "The signed payment has expired or is about to. Nothing was charged: sign the fresh terms.",
    };
  }
  if (deadline > seconds + longestLife) {
    return {
      code: codes.tooFar,
      error:
        "The signed payment's deadline is farther than ten minutes ahead. Nothing was charged: sign the fresh terms with a deadline of now plus 300 seconds, by a clock that is right.",
    };
  }
  if (validAfter > seconds) {
    return {
      code: codes.tooEarly,
      error: "The signed payment is not valid yet. Nothing was charged: sign it with validAfter 0.",
    };
  }
  return undefined;
}

/**
 * Whether the chain would let it through as of now. `needed`: base units that the wallet must have for it, which for
 * the fee is the whole price: the fee is not taken where the rest could not be paid (invariant 7).
 */
export function checkChain(
  authorization: Authorization,
  needed: bigint,
  found: Inspection,
): Reason | undefined {
  const method = methodOf(authorization);
  const { codes } = method;
  const hasCode = found.code !== "0x";
  if (hasCode && !found.signedByContract) return invalidSignature(method);
  if (found.nonceSpent) return reasonFor(method, method.spentRevert);
  const lack = lackOf(method, needed, found.funds);
  if (lack !== undefined) return lack;
  if (found.simulation.kind === "reverts") return reasonFor(method, found.simulation.name);
  if (gasLimit(found.simulation.gas) > (hasCode ? contractGas : plainGas)) {
    return {
      code: codes.simulation,
      error: "Checking this wallet's signature takes more gas than a payment may cost. Nothing was charged.",
    };
  }
  if (found.ownerPayable) return undefined;
  return {
    code: codes.simulation,
    error:
      "The press's owner cannot be paid in USDG now, so the fee is not taken either. Nothing was charged: try again later.",
  };
}

/** What the wallet lacks to pay so many base units, if it does. */
export function lackOf(
  { codes }: Pick<Method, "codes">,
  needed: bigint,
  { balance, allowance }: Funds,
): Reason | undefined {
  if (balance < needed) {
    const missing = `it holds ${usdg(balance)} USDG, ${usdg(needed - balance)} USDG too little`;
    return {
      code: codes.balance,
      error: `The wallet needs ${usdg(needed)} USDG for this purchase and ${missing}. Nothing was charged.`,
    };
  }
  if (allowance !== undefined && allowance < needed) {
    return {
      code: codes.allowance,
      error: `Approve the Permit2 contract to spend at least ${usdg(needed)} USDG of the wallet first: now it may spend ${usdg(allowance)} USDG. Nothing was charged. Or pay without an approval: repeat the request with ?method=eip3009, and sign those terms.`,
    };
  }
  return undefined;
}

function usdg(units: bigint): string {
  return formatUnits(units, 6);
}

/**
 * Gas units that a payment of a wallet with code may take. Settling takes about 100,000; the most elaborate signatures
 * that honest wallets check, P-256 in plain Solidity, about 350,000 more.
 */
const contractGas = 600_000n;

/** Gas units that a plain account's payment may take. It runs no code but ours, so only the chain can make it dear. */
const plainGas = 1_875_000n;

export function invalidSignature({ codes }: Pick<Method, "codes">): Reason {
  return {
    code: codes.signature,
    error: "The payment's signature is not the payer's. Nothing was charged.",
  };
}

/** What was first presented for another press or leg, or in other words. */
export function nonceBound({ codes }: Pick<Method, "codes">): Reason {
  return {
    code: codes.nonce,
    error:
      "This signed payment was already presented for something else. Sign the fresh terms with a new nonce.",
  };
}

/** What stands on the chain for everybody to copy, whoever presents it now. */
export function alreadyPublic({ codes }: Pick<Method, "codes">): Reason {
  return {
    code: codes.nonce,
    error:
      "This signed payment was broadcast before and failed. Nothing was charged: sign the fresh terms with a new nonce.",
  };
}

/** The reason behind a revert, given the name of its error. */
export function reasonFor({ codes, reasons }: Method, name: string | undefined): Reason {
  const known = name === undefined ? undefined : reasons[name];
  return (
    known ?? {
      code: codes.simulation,
      error:
        "The token refuses this transfer, as it does while it is paused or a wallet is frozen. Nothing was charged.",
    }
  );
}

/** `accepted` is the payer's own text: anything that is not our address is simply another one. */
function same(text: string, address: Address): boolean {
  return /^0x[0-9a-fA-F]{40}$/.test(text) && lower(`0x${text.slice(2)}`) === address;
}
