import { encodeFunctionData, formatEther, parseAbi } from "viem";
import { estimateGas, getGasPrice, readContract } from "viem/actions";
import { getConnection } from "wagmi/actions";
import { AddressForm, type Hash } from "../api/request.ts";
import { callContract, enterServiceChain } from "../wallet/ask.ts";
import { loadWallets, OtherNetwork } from "../wallet/state.ts";
import type { Wallets } from "../wallet/wallets.ts";

/** ERC-8004. The registry mints to its caller. */
const identity = parseAbi(["function register(string agentURI) returns (uint256 agentId)"]);

/** Brings the wallet to the service's chain. Throws WalletProblem, or `OtherNetwork` where it only says so. */
export async function enterChain(wallets: Wallets): Promise<void> {
  await enterServiceChain(wallets);
  if (getConnection(wallets.config).chainId !== wallets.chain.id) throw new OtherNetwork();
}

/** Has the wallet register the press's identity and answers the transaction. Throws WalletProblem. */
export function register(wallets: Wallets, metaUrl: string): Promise<Hash> {
  return callContract(wallets, {
    to: wallets.service.erc8004.identityRegistry,
    abi: identity,
    functionName: "register",
    args: [metaUrl],
  });
}

/** What registering a press would cost now, in ETH with two digits that count. Throws what the chain's node does. */
export async function mintCost(wallet: string, metaUrl: string): Promise<string> {
  const { config, service } = await loadWallets();
  const client = config.getClient();
  const [gas, price] = await Promise.all([
    estimateGas(client, {
      account: AddressForm.parse(wallet),
      to: service.erc8004.identityRegistry,
      data: encodeFunctionData({ abi: identity, functionName: "register", args: [metaUrl] }),
    }),
    getGasPrice(client),
  ]);
  return Number(Number(formatEther(gas * price)).toPrecision(2))
    .toFixed(18)
    .replace(/\.?0+$/, "");
}

const erc20 = parseAbi(["function balanceOf(address) view returns (uint256)"]);

/** Whether a wallet holds any of a stock token. Throws what the chain's node does. */
export async function isHeld(token: string, wallet: string): Promise<boolean> {
  const { config } = await loadWallets();
  const balance = await readContract(config.getClient(), {
    address: AddressForm.parse(token),
    abi: erc20,
    functionName: "balanceOf",
    args: [AddressForm.parse(wallet)],
  });
  return balance > 0n;
}
