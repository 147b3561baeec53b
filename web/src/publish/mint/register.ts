import { parseAbi } from "viem";
import { getConnection } from "wagmi/actions";
import type { Hash } from "../../api/request.ts";
import { callContract, enterServiceChain } from "../../wallet/ask.ts";
import { OtherNetwork } from "../../wallet/problem.ts";
import type { Wallets } from "../../wallet/wallets.ts";

/** ERC-8004. The registry mints to its caller. */
export const identity = parseAbi(["function register(string agentURI) returns (uint256 agentId)"]);

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
