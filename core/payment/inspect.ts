import { encodeFunctionData } from "viem/utils";
import { erc20Abi, erc1271Abi, identityAbi } from "../chain/abi.ts";
import { answered, Bytes, Quantity, result, unavailable, Word } from "../chain/call.ts";
import { type Address, AddressInput, type Hex, lower } from "../chain/hex.ts";
import type { RpcCall, RpcOutcome } from "../port/chain.ts";
import type { Settings } from "../port/settings.ts";
import type { Method } from "./authorization.ts";
import type { Payment } from "./header.ts";
import { methodOf } from "./method.ts";
import type { PaymentPorts } from "./ports.ts";

/** An account that pays gas, as the chain knows it. Wei. */
export type Relayer = { readonly address: Address; readonly nonce: number; readonly balance: bigint };

/** A payer's USDG and what may be moved of it, in base units: `undefined` where nothing has to be approved. */
export type Funds = { readonly balance: bigint; readonly allowance: bigint | undefined };

/** What the chain says of a payment, as of one round trip. */
export type Inspection = {
  /** Owner of the press's NFT. */
  readonly owner: Address;
  /** The payer's code, `0x` for none. Where there is some, delegated code (EIP-7702) too, Permit2 asks that, and no key counts. */
  readonly code: Hex;
  /** Whether the payer's own contract stands by the signature (EIP-1271); `false` for plain accounts. */
  readonly signedByContract: boolean;
  readonly funds: Funds;
  readonly nonceSpent: boolean;
  /** Gas units that settling takes, or why it reverts: the error's name where it is known. */
  readonly simulation:
    | { readonly kind: "ok"; readonly gas: bigint }
    | { readonly kind: "reverts"; readonly name: string | undefined };
  /** Whether the press's owner could be paid the part that was asked about; `true` where none was. */
  readonly ownerPayable: boolean;
  /** Wei a gas unit. */
  readonly gasPrice: bigint;
  /** The account that would send it. */
  readonly relayer: Relayer;
  /** The newest block's number. */
  readonly block: bigint;
};

/** EIP-1271's yes as a word: the four bytes alone would also begin the answer of a contract that echoes its input. */
const magic = `0x1626ba7e${"0".repeat(56)}`;
const OwnerWord = Bytes.transform((word) => `0x${word.slice(26)}`).pipe(AddressInput);

const headCall = { method: "eth_blockNumber", params: [] } as const;

/** The call that asks who owns a press now. */
export function ownerCall(registry: Address, pressId: number): RpcCall {
  return call(
    registry,
    encodeFunctionData({ abi: identityAbi, functionName: "ownerOf", args: [BigInt(pressId)] }),
  );
}

/** The owner in its answer. A registry that cannot say is a fault of ours, not of the payer: `upstream`. */
export function ownerIn(outcome: RpcOutcome | undefined): Address {
  return lower(result(outcome, OwnerWord));
}

/** USDG base units that the owner is to be paid later, and who that is as far as we know. */
export type OwnerPart = { readonly amount: bigint; readonly expected: Address };

/**
 * Reads all that a verdict needs in one JSON-RPC batch, and in a second one where the press was sold. `relayer` is the
 * account that would send the settlement.
 */
export async function inspect(
  { chain, settings }: Pick<PaymentPorts, "chain" | "settings">,
  pressId: number,
  { authorization, signature }: Payment,
  relayer: Address,
  ownerPart?: OwnerPart,
): Promise<Inspection> {
  const method = methodOf(authorization);
  const { from } = authorization;
  const digest = method.digest(settings, authorization);
  const payoutTo = (to: Address) =>
    ownerPart === undefined ? [] : [method.payoutCall(settings, from, to, ownerPart.amount)];
  const asksFunds = fundsCalls(settings, method, from);
  const [owner, code, contractWord, nonces, gas, gasPrice, block, count, gasFunds, ...others] =
    await chain.batch([
      ownerCall(settings.contracts.identityRegistry, pressId),
      { method: "eth_getCode", params: [from, "latest"] },
      call(
        from,
        encodeFunctionData({
          abi: erc1271Abi,
          functionName: "isValidSignature",
          args: [digest, signature],
        }),
      ),
      method.spentCall(settings, authorization),
      {
        method: "eth_estimateGas",
        params: [{ from: relayer, ...method.call(authorization, signature) }],
      },
      { method: "eth_gasPrice", params: [] },
      headCall,
      ...relayerCalls(relayer),
      ...asksFunds,
      ...(ownerPart === undefined ? [] : payoutTo(ownerPart.expected)),
    ]);
  const [payout] = others.slice(asksFunds.length);
  const simulation = simulated(method, gas);
  const ownerNow = ownerIn(owner);
  const sold = ownerPart !== undefined && ownerPart.expected !== ownerNow;
  const [payoutNow] = sold ? await chain.batch(payoutTo(ownerNow)) : [payout];
  return {
    owner: ownerNow,
    code: lower(result(code, Bytes)),
    signedByContract: standsBy(contractWord),
    funds: fundsIn(others.slice(0, asksFunds.length)),
    // Calls of one batch may reach nodes of different age: the newest word counts.
    nonceSpent:
      method.isSpent(authorization, nonces) ||
      (simulation.kind === "reverts" && simulation.name === method.spentRevert),
    simulation,
    ownerPayable: ownerPart === undefined || isMoved(payoutNow),
    gasPrice: result(gasPrice, Quantity),
    block: result(block, Quantity),
    relayer: relayerIn(relayer, [count, gasFunds]),
  };
}

/** The calls that ask what a wallet has to pay with, as of the newest block or the one named. */
export function fundsCalls(
  settings: Settings,
  method: Method,
  wallet: Address,
  block: Hex | "latest" = "latest",
): readonly RpcCall[] {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [wallet] });
  const allowance = method.allowanceCall(settings, wallet, block);
  return [
    { method: "eth_call", params: [{ to: settings.contracts.usdg, data }, block] },
    ...(allowance === undefined ? [] : [allowance]),
  ];
}

/** The funds in their answers. */
export function fundsIn([balance, allowance]: readonly (RpcOutcome | undefined)[]): Funds {
  return {
    balance: result(balance, Word),
    allowance: allowance === undefined ? undefined : result(allowance, Word),
  };
}

/** The calls that ask for a relayer's next nonce and gas. */
export function relayerCalls(address: Address): readonly RpcCall[] {
  return [
    { method: "eth_getTransactionCount", params: [address, "latest"] },
    { method: "eth_getBalance", params: [address, "latest"] },
  ];
}

/** The relayer in their answers. */
export function relayerIn(address: Address, [count, balance]: readonly (RpcOutcome | undefined)[]): Relayer {
  return { address, nonce: Number(result(count, Quantity)), balance: result(balance, Quantity) };
}

function isMoved(outcome: RpcOutcome | undefined): boolean {
  return answered(outcome).status === "ok" && result(outcome, Word) === 1n;
}

/** A plain account answers nothing, a contract that refuses may revert: neither stands by the signature. */
function standsBy(outcome: RpcOutcome | undefined): boolean {
  if (answered(outcome).status === "reverted") return false;
  return lower(result(outcome, Bytes)).startsWith(magic);
}

function simulated({ revertName }: Method, outcome: RpcOutcome | undefined): Inspection["simulation"] {
  const answer = answered(outcome);
  if (answer.status === "reverted") return { kind: "reverts", name: revertName(answer.data) };
  const gas = Quantity.safeParse(answer.result);
  if (!gas.success) throw unavailable("a gas estimate of unexpected form", gas.error);
  return { kind: "ok", gas: gas.data };
}

function call(to: Address, data: Hex): RpcCall {
  return { method: "eth_call", params: [{ to, data }, "latest"] };
}
