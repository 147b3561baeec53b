import { createClient, defineChain, http, type LocalAccount, maxUint256 } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { readContract, sendTransaction, waitForTransactionReceipt, writeContract } from "viem/actions";
import { parseAbi } from "viem/utils";
import { erc20Abi } from "../../core/chain/abi.ts";
import { mainnet } from "../../core/chain/deployment.ts";
import type { Hex } from "../../core/chain/hex.ts";
import { testAccount } from "../devnet/accounts.ts";

const { usdg, permit2 } = mainnet.contracts;
const transferAbi = parseAbi(["function transfer(address to, uint256 amount) returns (bool)"]);

/** The chain as the service's own relay gives it: nobody needs another node. */
export function relayClient(origin: string) {
  const url = `${origin}/api/rpc`;
  const chain = defineChain({
    id: mainnet.chainId,
    name: mainnet.name,
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  });
  return createClient({ chain, transport: http(url), pollingInterval: 50 });
}
export type RelayClient = ReturnType<typeof relayClient>;

/** The last of the public accounts pays for the wallets that a demo makes. */
const funder = testAccount(9);
/** Wei: enough for a few transactions. */
const gasMoney = 50_000_000_000_000_000n;

/** A wallet that nobody has used before, with a little gas and so many base units of USDG. */
export async function newWallet(client: RelayClient, usdgUnits: bigint): Promise<LocalAccount> {
  const account = privateKeyToAccount(generatePrivateKey());
  const gas = { account: funder, to: account.address, value: gasMoney };
  await confirmed(client, await sendTransaction(client, gas));
  if (usdgUnits > 0n) {
    const args = [account.address, usdgUnits] as const;
    const transfer = {
      account: funder,
      address: usdg,
      abi: transferAbi,
      functionName: "transfer",
      args,
    } as const;
    await confirmed(client, await writeContract(client, transfer));
  }
  return account;
}

/** Lets Permit2 move the wallet's USDG: the one transaction that a reader ever sends (specification §4.4). */
export async function approvePermit2(client: RelayClient, account: LocalAccount): Promise<Hex> {
  const args = [permit2, maxUint256] as const;
  const approval = { account, address: usdg, abi: erc20Abi, functionName: "approve", args } as const;
  const hash = await writeContract(client, approval);
  await confirmed(client, hash);
  return hash;
}

/** USDG base units of a wallet. */
export function usdgOf(client: RelayClient, wallet: Hex): Promise<bigint> {
  return readContract(client, { address: usdg, abi: erc20Abi, functionName: "balanceOf", args: [wallet] });
}

/** A transaction's receipt, once it is there. Throws an Error where it was reverted. */
export async function confirmed(client: RelayClient, hash: Hex) {
  const receipt = await waitForTransactionReceipt(client, { hash });
  if (receipt.status !== "success") throw new Error(`The transaction ${hash} was reverted.`);
  return receipt;
}
