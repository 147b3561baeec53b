import { encodeFunctionData } from "viem/utils";
import * as z from "zod";
import { erc20Abi, erc1271Abi, identityAbi } from "../chain/abi.ts";
import { answered, Bytes, Quantity, result, unavailable } from "../chain/call.ts";
import { type Address, AddressInput, type Hex, lower } from "../chain/hex.ts";
import { nonceSpent, nonceWordCalldata, permitDigest, revertName, settleCalldata } from "../chain/permit2.ts";
import { serviceTag } from "../chain/tag.ts";
import type { RpcCall, RpcOutcome } from "../port/chain.ts";
import type { Contracts } from "../port/settings.ts";
import type { Payment } from "./header.ts";
import type { PaymentPorts } from "./ports.ts";

/** An account that pays gas, as the chain knows it. Wei. */
export type Relayer = { readonly address: Address; readonly nonce: number; readonly balance: bigint };

/** A payer's USDG and what Permit2 may move of it, in base units. */
export type Funds = { readonly balance: bigint; readonly allowance: bigint };

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
const UintWord = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/)
  .transform(BigInt);

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
  { permit, signature }: Payment,
  relayer: Address,
  ownerPart?: OwnerPart,
): Promise<Inspection> {
  const { contracts, chainId } = settings;
  const { from } = permit;
  const digest = permitDigest({ chainId, permit2: contracts.permit2 }, permit);
  const [owner, code, contractWord, balance, allowance, nonces, gas, gasPrice, block, count, funds, payout] =
    await chain.batch([
      ownerCall(contracts.identityRegistry, pressId),
      { method: "eth_getCode", params: [from, "latest"] },
      call(
        from,
        encodeFunctionData({
          abi: erc1271Abi,
          functionName: "isValidSignature",
          args: [digest, signature],
        }),
      ),
      ...fundsCalls(contracts, from),
      call(contracts.permit2, nonceWordCalldata(from, permit.nonce)),
      {
        method: "eth_estimateGas",
        params: [
          {
            from: relayer,
            to: contracts.exactProxy,
            data: settleCalldata(permit, signature, serviceTag(settings.origin)),
          },
        ],
      },
      { method: "eth_gasPrice", params: [] },
      { method: "eth_blockNumber", params: [] },
      ...relayerCalls(relayer),
      ...(ownerPart === undefined
        ? []
        : [transferCall(contracts, from, ownerPart.expected, ownerPart.amount)]),
    ]);
  const simulation = simulated(gas);
  const ownerNow = ownerIn(owner);
  const sold = ownerPart !== undefined && ownerPart.expected !== ownerNow;
  const [payoutNow] = sold
    ? await chain.batch([transferCall(contracts, from, ownerNow, ownerPart.amount)])
    : [payout];
  return {
    owner: ownerNow,
    code: lower(result(code, Bytes)),
    signedByContract: standsBy(contractWord),
    funds: fundsIn([balance, allowance]),
    // Calls of one batch may reach nodes of different age: the newest word counts.
    nonceSpent:
      nonceSpent(permit.nonce, result(nonces, UintWord)) ||
      (simulation.kind === "reverts" && simulation.name === "InvalidNonce"),
    simulation,
    ownerPayable: ownerPart === undefined || isMoved(payoutNow),
    gasPrice: result(gasPrice, Quantity),
    block: result(block, Quantity),
    relayer: relayerIn(relayer, [count, funds]),
  };
}

/** The calls that ask what a wallet has to pay with, as of the newest block or the one named. */
export function fundsCalls(
  { usdg, permit2 }: Contracts,
  wallet: Address,
  block: Hex | "latest" = "latest",
): readonly RpcCall[] {
  const balance = encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [wallet] });
  const allowance = encodeFunctionData({ abi: erc20Abi, functionName: "allowance", args: [wallet, permit2] });
  return [balance, allowance].map((data) => ({ method: "eth_call", params: [{ to: usdg, data }, block] }));
}

/** The funds in their answers. */
export function fundsIn([balance, allowance]: readonly (RpcOutcome | undefined)[]): Funds {
  return { balance: result(balance, UintWord), allowance: result(allowance, UintWord) };
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

/** The transfer by which Permit2 would pay somebody. */
function transferCall({ usdg, permit2 }: Contracts, from: Address, to: Address, amount: bigint): RpcCall {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "transferFrom", args: [from, to, amount] });
  return { method: "eth_call", params: [{ from: permit2, to: usdg, data }, "latest"] };
}

function isMoved(outcome: RpcOutcome | undefined): boolean {
  return answered(outcome).status === "ok" && result(outcome, UintWord) === 1n;
}

/** A plain account answers nothing, a contract that refuses may revert: neither stands by the signature. */
function standsBy(outcome: RpcOutcome | undefined): boolean {
  if (answered(outcome).status === "reverted") return false;
  return lower(result(outcome, Bytes)).startsWith(magic);
}

function simulated(outcome: RpcOutcome | undefined): Inspection["simulation"] {
  const answer = answered(outcome);
  if (answer.status === "reverted") return { kind: "reverts", name: revertName(answer.data) };
  const gas = Quantity.safeParse(answer.result);
  if (!gas.success) throw unavailable("a gas estimate of unexpected form", gas.error);
  return { kind: "ok", gas: gas.data };
}

function call(to: Address, data: Hex): RpcCall {
  return { method: "eth_call", params: [{ to, data }, "latest"] };
}
