import { encodeFunctionData, parseAbi } from "viem";
import { readContract } from "viem/actions";
import { getConnection } from "wagmi/actions";
import { AddressForm, type Hash } from "../api/request.ts";
import { enterServiceChain } from "../wallet/ask.ts";
import { ether, etherNeed, sendShown } from "../wallet/ether.ts";
import { loadWallets, OtherNetwork } from "../wallet/state.ts";
import type { Wallets } from "../wallet/wallets.ts";

/** ERC-8004. The registry mints to its caller. */
const identity = parseAbi(["function register(string agentURI) returns (uint256 agentId)"]);

/** Brings the wallet to the service's chain. Throws WalletProblem, or `OtherNetwork` where it only says so. */
export async function enterChain(wallets: Wallets): Promise<void> {
  await enterServiceChain(wallets);
  if (getConnection(wallets.config).chainId !== wallets.chain.id) throw new OtherNetwork();
}

function registration({ service }: Wallets, metaUrl: string) {
  const to = service.erc8004.identityRegistry;
  return { to, abi: identity, functionName: "register", args: [metaUrl] } as const;
}

/** Has the wallet register the press's identity and answers the transaction. Throws WalletProblem. */
export function register(wallets: Wallets, metaUrl: string): Promise<Hash> {
  return sendShown(wallets, registration(wallets, metaUrl));
}

/** What registering a press would need of a wallet's ETH now, in words for amounts. Throws what the chain's node does. */
export async function mintNeed(wallet: string, metaUrl: string) {
  const wallets = await loadWallets();
  const address = AddressForm.parse(wallet);
  const { to, ...call } = registration(wallets, metaUrl);
  const registered = { to, data: encodeFunctionData(call) };
  const { most, has, missing } = await etherNeed(wallets.config.getClient(), address, registered);
  const lacks = missing > 0n ? ether(missing) : undefined;
  return { address, most: ether(most), has: ether(has), missing: lacks, chain: wallets.chain.name };
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
