import { type Client, encodeFunctionData, formatEther, type Hex } from "viem";
import { estimateGas, getBalance, getCode, getGasPrice } from "viem/actions";
import { sendTransaction } from "wagmi/actions";
import type { Address } from "../api/request.ts";
import { lacksEther } from "../strings/purse.ts";
import { askWallet, type ContractCall, requireConnection } from "./ask.ts";
import { WalletProblem } from "./state.ts";
import type { Wallets } from "./wallets.ts";

/** Percent of the estimate, in case the state changes meanwhile or the price rises. */
const spareGas = 125n;
const sparePrice = 150n;

/** A transaction's gas limit, and its highest cost in wei. */
export function withSpare(estimate: bigint, price: bigint) {
  const gas = (estimate * spareGas) / 100n;
  const maxFeePerGas = (price * sparePrice) / 100n;
  return { gas, maxFeePerGas, most: gas * maxFeePerGas };
}

/** An amount of wei in ETH, rounded up to two significant digits. */
export function ether(wei: bigint): string {
  const digits = String(wei).length;
  const step = 10n ** BigInt(Math.max(0, digits - 2));
  return formatEther(((wei + step - 1n) / step) * step);
}

/** Gas units of a vote or a mint with a reserve. The real registries used 205,105 and 189,838. */
export const usualGas = 250_000n;

export type Call = { readonly to: Address; readonly data: Hex };

/** A transaction's highest cost, the sender's balance, and what is missing, in wei. */
export type EtherNeed = { readonly most: bigint; readonly has: bigint; readonly missing: bigint };

/** The ETH that a transaction needs now. Throws viem's errors if the chain does not answer. */
export async function etherNeed(client: Client, from: Address, call: Call): Promise<EtherNeed> {
  const [estimate, price, has, code] = await Promise.all([
    // Some nodes cannot estimate for an account without ETH.
    estimateGas(client, { account: from, ...call }).catch(() => usualGas),
    getGasPrice(client),
    getBalance(client, { address: from }),
    getCode(client, { address: from }),
  ]);
  const { most } = withSpare(estimate, price);
  // Others may pay the gas of an account with code.
  const isPlain = code === undefined || code === "0x";
  return { most, has, missing: isPlain && most > has ? most - has : 0n };
}

/**
 * Replaces the wallet's or node's message about missing ETH: it says how much is missing, and where to send
 * it.
 */
export function withoutEther(missing: bigint, { name }: { readonly name: string }, from: Address) {
  return new WalletProblem("ether", lacksEther(ether(missing), name, from.toLowerCase()));
}

/**
 * Sends a vote or a mint as the page shows it, because a purse signs only that. Throws WalletProblem, with
 * `ether` before the wallet is asked if it has too little.
 */
export async function sendShown(wallets: Wallets, { to, ...call }: ContractCall): Promise<Hex> {
  const { config, chain, purse } = wallets;
  const { address } = requireConnection(wallets);
  const shown = { to, data: encodeFunctionData(call) };
  const { missing } = await askWallet(() => etherNeed(config.getClient(), address, shown));
  if (missing > 0n) throw withoutEther(missing, chain, address);
  purse.show({ kind: "call", ...shown });
  return askWallet(() => sendTransaction(config, { ...shown, chainId: chain.id }));
}
