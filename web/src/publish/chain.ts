import { encodeFunctionData, parseAbi } from "viem";
import { AddressForm, type Hash } from "../api/request.ts";
import { ether, etherNeed, sendShown } from "../wallet/ether.ts";
import { loadWallets } from "../wallet/state.ts";
import type { Wallets } from "../wallet/wallets.ts";

/** ERC-8004: the registry mints to its caller. */
const identity = parseAbi(["function register(string agentURI) returns (uint256 agentId)"]);

function registration({ service }: Wallets, metaUrl: string) {
  const to = service.erc8004.identityRegistry;
  return { to, abi: identity, functionName: "register", args: [metaUrl] } as const;
}

/** Asks the wallet to register the press's identity. Returns the transaction. Throws WalletProblem. */
export function register(wallets: Wallets, metaUrl: string): Promise<Hash> {
  return sendShown(wallets, registration(wallets, metaUrl));
}

/** The ETH that registering a press needs now, in the amounts' words. Throws the node's error. */
export async function mintNeed(wallet: string, metaUrl: string) {
  const wallets = await loadWallets();
  const address = AddressForm.parse(wallet);
  const { to, ...call } = registration(wallets, metaUrl);
  const registered = { to, data: encodeFunctionData(call) };
  const { most, has, missing } = await etherNeed(wallets.config.getClient(), address, registered);
  const lacks = missing > 0n ? ether(missing) : undefined;
  return { address, most: ether(most), has: ether(has), missing: lacks, chain: wallets.chain.name };
}
