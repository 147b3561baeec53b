import { type Abi, type Address, encodeFunctionData, type Hex } from "viem";
import { getTransactionReceipt } from "viem/actions";
import { connect, getConnection, sendTransaction, signMessage, switchChain } from "wagmi/actions";
import type { Hash } from "../api/request.ts";
import { wallet as words } from "../strings/common.ts";
import { walletProblem } from "./problem.ts";
import { ChainSilent, type Connection, WalletProblem } from "./state.ts";
import { connectionOf, type Wallets } from "./wallets.ts";

/** Connects a wallet by its connector's id (`choicesOf`). Throws WalletProblem. */
export async function connectWallet(
  { config, chain }: Pick<Wallets, "config" | "chain">,
  uid: string,
): Promise<Connection> {
  const connector = config.connectors.find((each) => each.uid === uid);
  if (connector === undefined) throw new WalletProblem("gone", words.gone);
  return askWallet(async () => {
    if (getConnection(config).connector?.uid !== uid) await connect(config, { connector });
    return requireConnection({ config, chain });
  });
}

/** The connected wallet. Throws WalletProblem `gone` if there is none. */
export function requireConnection({ config }: Pick<Wallets, "config" | "chain">): Connection {
  const connection = connectionOf(config);
  if (connection === undefined) throw new WalletProblem("gone", words.gone);
  return connection;
}

/**
 * Switches the wallet to the service's chain, and adds the chain if the wallet does not know it. Throws
 * WalletProblem.
 */
export async function enterServiceChain({ config, chain }: Wallets): Promise<void> {
  if (getConnection(config).chainId === chain.id) return;
  await askWallet(() => switchChain(config, { chainId: chain.id }));
}

/** Signs a text (personal_sign). Throws WalletProblem. */
export function signText({ config }: Wallets, message: string): Promise<Hex> {
  return askWallet(() => signMessage(config, { message }));
}

export type ContractCall = {
  readonly to: Address;
  readonly abi: Abi;
  readonly functionName: string;
  readonly args: readonly unknown[];
};

/** Sends a transaction from the connected wallet. Returns its hash. Throws WalletProblem. */
export function callContract({ config, chain }: Wallets, { to, ...call }: ContractCall): Promise<Hex> {
  return askWallet(() => sendTransaction(config, { to, data: encodeFunctionData(call), chainId: chain.id }));
}

/**
 * The outcome of a transaction; `undefined` while it is not mined. Throws viem's errors if the chain does not
 * answer.
 */
async function outcomeOf({ config }: Wallets, hash: Hex): Promise<"success" | "reverted" | undefined> {
  try {
    return (await getTransactionReceipt(config.getClient(), { hash })).status;
  } catch (error) {
    if (error instanceof Error && error.name === "TransactionReceiptNotFoundError") return undefined;
    throw error;
  }
}

/** Turns a wallet's error into a WalletProblem. */
export async function askWallet<T>(question: () => Promise<T>): Promise<T> {
  try {
    return await question();
  } catch (error) {
    throw walletProblem(error);
  }
}

/**
 * Milliseconds between two polls of a transaction, their time limit, and the failures in a row that stop
 * them.
 */
const pollInterval = 300;
const longestWait = 120_000;
const failuresAllowed = 3;

/**
 * Waits for a transaction. Returns `slow` if it is not mined after two minutes. `hasTakenEffect` counts as success, because a
 * Safe may answer with a hash of its own, which no node knows. Throws `ChainSilent`.
 */
export async function waitForOutcome(
  wallets: Wallets,
  tx: Hash,
  hasTakenEffect = async () => false,
): Promise<"success" | "reverted" | "slow"> {
  const until = Date.now() + longestWait;
  let failures = 0;
  while (Date.now() < until) {
    try {
      const outcome = await outcomeOf(wallets, tx);
      if (outcome !== undefined) return outcome;
      if (await hasTakenEffect()) return "success";
      failures = 0;
    } catch (cause) {
      failures += 1;
      if (failures > failuresAllowed) throw new ChainSilent("The chain does not answer.", { cause });
    }
    await new Promise((resolve) => setTimeout(resolve, pollInterval));
  }
  return "slow";
}
