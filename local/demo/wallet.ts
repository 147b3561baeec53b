import { createClient, defineChain, http, type LocalAccount, maxUint256 } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { readContract, sendTransaction, waitForTransactionReceipt, writeContract } from "viem/actions";
import { parseAbi } from "viem/utils";
import { systemClock } from "../../core/adapter/system.ts";
import { erc20Abi } from "../../core/chain/abi.ts";
import { mainnet } from "../../core/chain/deployment.ts";
import type { Hex } from "../../core/chain/hex.ts";
import { poll } from "../../core/port/clock.ts";
import { testAccount } from "../devnet/accounts.ts";
import type { Place } from "../seed/client.ts";

const transferAbi = parseAbi(["function transfer(address to, uint256 amount) returns (bool)"]);

/** The chain as the service's own relay gives it, so that nobody needs another node, and what stands on it. */
export function relayClient(origin: string, place: Place = mainnet) {
  const url = `${origin}/api/rpc`;
  const chain = defineChain({
    id: place.chainId,
    name: place.name,
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  });
  return createClient({ chain, transport: http(url), pollingInterval: 50 }).extend(() => ({ place }));
}
export type RelayClient = ReturnType<typeof relayClient>;

/** The last of the public accounts pays for the wallets that a demo makes. */
const funder = testAccount(9);
/** Wei: enough for a few transactions. */
const gasMoney = 50_000_000_000_000_000n;

/** A wallet that nobody has used before, with so many base units of USDG, and a little gas unless it has to do without. */
export async function newWallet(
  client: RelayClient,
  usdgUnits: bigint,
  { withGas = true }: { readonly withGas?: boolean } = {},
): Promise<LocalAccount> {
  const account = privateKeyToAccount(generatePrivateKey());
  const gas = { account: funder, to: account.address, value: gasMoney };
  if (withGas) await confirmed(client, await sendTransaction(client, gas));
  if (usdgUnits > 0n) {
    const args = [account.address, usdgUnits] as const;
    const transfer = {
      account: funder,
      address: client.place.contracts.usdg,
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
  const { usdg: address, permit2 } = client.place.contracts;
  const args = [permit2, maxUint256] as const;
  const approval = { account, address, abi: erc20Abi, functionName: "approve", args } as const;
  const hash = await writeContract(client, approval);
  await confirmed(client, hash);
  // A node may show the receipt for seconds before the allowance.
  const owner = account.address;
  const shown = await poll(systemClock, { until: Date.now() + 30_000, pauseMs: 500 }, async () => {
    const question = { address, abi: erc20Abi, functionName: "allowance", args: [owner, permit2] } as const;
    return (await readContract(client, question)) > 0n || undefined;
  });
  if (shown === undefined) throw new Error(`The node shows no allowance 30 s after the approval ${hash}.`);
  return hash;
}

/** USDG base units of a wallet. */
export function usdgOf(client: RelayClient, wallet: Hex): Promise<bigint> {
  const address = client.place.contracts.usdg;
  return readContract(client, { address, abi: erc20Abi, functionName: "balanceOf", args: [wallet] });
}

/** A transaction's receipt, once it is there. Throws an Error where it was reverted. */
export async function confirmed(client: RelayClient, hash: Hex) {
  const receipt = await waitForTransactionReceipt(client, { hash });
  if (receipt.status !== "success") throw new Error(`The transaction ${hash} was reverted.`);
  return receipt;
}

/** How a demo tells what it does: parts with a title, steps with what came of them, and longer texts. */
export type Say = {
  part(title: string): void;
  step(what: string, detail: string): void;
  text(text: string): void;
};

/** Prints to the terminal. */
export const terminal: Say = {
  part: (title) => console.log(`\n${title}\n${"-".repeat(title.length)}`),
  step: (what, detail) => console.log(`  ${`${what}`.padEnd(22)} ${detail}`),
  text: (text) => console.log(text.replace(/^/gm, "  | ")),
};

/** Base units as people write an amount. */
export function usdg(units: bigint): string {
  const digits = String(units).padStart(7, "0");
  const cents = digits.slice(-6).replace(/0{1,4}$/, "");
  return `${digits.slice(0, -6)}.${cents} USDG`;
}
