import type { Address, Hex } from "../chain/hex.ts";
import type { Receipt } from "../chain/receipt.ts";
import type { RpcCall, RpcOutcome } from "../port/chain.ts";
import type { Settings } from "../port/settings.ts";
import type { Reason } from "./offer.ts";
import type { PaymentPorts } from "./ports.ts";
import type { MethodName, PaymentPayload } from "./schema.ts";

/** What a payer has signed, in the words that all methods share. */
export type Authorization = {
  readonly method: MethodName;
  readonly chainId: number;
  /** The payer. */
  readonly from: Address;
  readonly token: Address;
  /** Whom the payer lets move the token: the exact proxy, or the token itself. */
  readonly spender: Address;
  /** Token base units. */
  readonly amount: bigint;
  /** Unordered: any 256-bit number that the payer has not used with this method. */
  readonly nonce: bigint;
  /** Seconds since the epoch: the last in which it can be charged, and the first. */
  readonly deadline: bigint;
  readonly validAfter: bigint;
  /** The payee. */
  readonly to: Address;
};

/** The chain and the contracts that a payment is signed for. */
export type SignedFor = Pick<Settings, "chainId" | "contracts">;

/** The transfer that paid a leg. */
export type Proof = { readonly txHash: string; readonly logIndex: number };

/** What the chain says of an authorization whose nonce is spent. */
export type Search =
  /** It was settled, by one of these transfers. None of them has paid for another leg. */
  | { readonly kind: "paid"; readonly proofs: readonly Proof[] }
  /** Its nonce was spent otherwise: it has moved nothing, and never will. */
  | { readonly kind: "unpaid" }
  /** The chain cannot tell now, so that nothing may be charged in its place. */
  | { readonly kind: "unclear" };

export type SearchPorts = Pick<PaymentPorts, "chain" | "settings" | "table">;

/** The protocol's codes, which name the method, for what may be wrong with a payment. */
export type Codes = {
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

/** All that is peculiar to one way to sign. */
export type Method = {
  readonly codes: Codes;
  /** Whom an authorization must name as its spender. */
  spender(settings: Settings): Address;
  /** What a payload of this method says, `undefined` for a payload of another one. */
  read(payload: PaymentPayload["payload"], signedFor: SignedFor): Authorization | undefined;
  /** The EIP-712 digest that the payer signs. */
  digest(settings: Settings, authorization: Authorization): Hex;
  /** The call that settles it, which anybody may send. */
  call(authorization: Authorization, signature: Hex): { to: Address; data: Hex };
  /** The call that asks whether its nonce is spent, as of a block, and what the answer says. Throws `upstream`. */
  spentCall(settings: Settings, authorization: Authorization, block?: Hex | "latest"): RpcCall;
  isSpent(authorization: Authorization, outcome: RpcOutcome | undefined): boolean;
  /** The call that asks how much may be moved for a wallet, `undefined` where nothing has to be approved. */
  allowanceCall(settings: Settings, wallet: Address, block: Hex | "latest"): RpcCall | undefined;
  /** The transfer by which this way would pay somebody: it succeeds when he can be paid. */
  payoutCall(settings: Settings, from: Address, to: Address, amount: bigint): RpcCall;
  /** The name of the error in a revert's data, `undefined` for one that is not known. */
  revertName(data: Hex | undefined): string | undefined;
  /** The name of the revert that says that the nonce is spent. */
  readonly spentRevert: string;
  /** The reasons behind its reverts, by the names of their errors. */
  readonly reasons: Readonly<Record<string, Reason | undefined>>;
  /** The logs of one of our own transactions by which it was paid, as indexes in their block. */
  paidBy(settings: Settings, authorization: Authorization, receipt: Receipt): readonly number[];
  /**
   * How it was spent, whoever spent it and through whatever contract (invariant 1). `since` is a block before it was
   * presented first, `undefined` when it is presented now. Throws `upstream` for a node that gives no answer.
   */
  search(ports: SearchPorts, authorization: Authorization, since: bigint | undefined): Promise<Search>;
};
