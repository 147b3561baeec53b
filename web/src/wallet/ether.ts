import { type Client, encodeFunctionData, formatEther, type Hex } from "viem";
import { estimateGas, getBalance, getCode, getGasPrice } from "viem/actions";
import { sendTransaction } from "wagmi/actions";
import type { Address } from "../api/request.ts";
import { lacksEther } from "../strings/purse.ts";
import { asked, type ContractCall, connected } from "./ask.ts";
import { WalletProblem } from "./state.ts";
import type { Wallets } from "./wallets.ts";

/** Of the estimate, in percent: gas for a state that changes meanwhile, and a price that rises. */
const spareGas = 125n;
const sparePrice = 150n;

/** What a transaction may use, and the most that it costs, in wei. */
export function withSpare(estimate: bigint, price: bigint) {
  const gas = (estimate * spareGas) / 100n;
  const maxFeePerGas = (price * sparePrice) / 100n;
  return { gas, maxFeePerGas, most: gas * maxFeePerGas };
}

/** An amount of wei in ETH, rounded up to two digits that count. */
export function ether(wei: bigint): string {
  const digits = String(wei).length;
  const step = 10n ** BigInt(Math.max(0, digits - 2));
  return formatEther(((wei + step - 1n) / step) * step);
}

/** Gas units of a vote or a mint, as the real registries took them (205,105 and 189,838), with something to spare. */
export const usualGas = 250_000n;

export type Call = { readonly to: Address; readonly data: Hex };

/** What a transaction takes at most, what its sender has, and what is missing of that, in wei. */
export type EtherNeed = { readonly most: bigint; readonly has: bigint; readonly missing: bigint };

/** What a transaction needs now. Throws viem's errors where the chain gives no answer. */
export async function etherNeed(client: Client, from: Address, call: Call): Promise<EtherNeed> {
  const [estimate, price, has, code] = await Promise.all([
    // Some nodes estimate nothing for an account without ETH.
    estimateGas(client, { account: from, ...call }).catch(() => usualGas),
    getGasPrice(client),
    getBalance(client, { address: from }),
    getCode(client, { address: from }),
  ]);
  const { most } = withSpare(estimate, price);
  // For an account with code somebody else may pay.
  const isPlain = code === undefined || code === "0x";
  return { most, has, missing: isPlain && most > has ? most - has : 0n };
}

/** In place of what a wallet or a node would say of a lack of ETH: how much, and where to send it. */
export function withoutEther(missing: bigint, { name }: { readonly name: string }, from: Address) {
  return new WalletProblem("ether", lacksEther(ether(missing), name, from.toLowerCase()));
}

/**
 * Sends a vote or a mint as the page has put it into words, which is what a purse signs. Throws WalletProblem, `ether` where the
 * wallet has too little for the network: before it is asked.
 */
export async function sendShown(wallets: Wallets, { to, ...call }: ContractCall): Promise<Hex> {
  const { config, chain, purse } = wallets;
  const { address } = connected(wallets);
  const shown = { to, data: encodeFunctionData(call) };
  const { missing } = await asked(() => etherNeed(config.getClient(), address, shown));
  if (missing > 0n) throw withoutEther(missing, chain, address);
  purse.show({ kind: "call", ...shown });
  return asked(() => sendTransaction(config, { ...shown, chainId: chain.id }));
}
