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
  return asked(async () => {
    if (getConnection(config).connector?.uid !== uid) await connect(config, { connector });
    return connected({ config, chain });
  });
}

/** The connected wallet. Throws WalletProblem `gone` where there is none. */
export function connected({ config }: Pick<Wallets, "config" | "chain">): Connection {
  const connection = connectionOf(config);
  if (connection === undefined) throw new WalletProblem("gone", words.gone);
  return connection;
}

/** Brings the wallet to the service's chain, adding the chain where the wallet does not know it. Throws WalletProblem. */
export async function enterServiceChain({ config, chain }: Wallets): Promise<void> {
  if (getConnection(config).chainId === chain.id) return;
  await asked(() => switchChain(config, { chainId: chain.id }));
}

/** Signs a text (personal_sign). Throws WalletProblem. */
export function signText({ config }: Wallets, message: string): Promise<Hex> {
  return asked(() => signMessage(config, { message }));
}

export type ContractCall = {
  readonly to: Address;
  readonly abi: Abi;
  readonly functionName: string;
  readonly args: readonly unknown[];
};

/** Sends a transaction from the connected wallet and answers its hash, once the wallet has taken it. Throws WalletProblem. */
export function callContract({ config, chain }: Wallets, { to, ...call }: ContractCall): Promise<Hex> {
  return asked(() => sendTransaction(config, { to, data: encodeFunctionData(call), chainId: chain.id }));
}

/** How a transaction ended, or `undefined` while it is not mined. Throws viem's errors where the chain gives no answer. */
async function outcomeOf({ config }: Wallets, hash: Hex): Promise<"success" | "reverted" | undefined> {
  try {
    return (await getTransactionReceipt(config.getClient(), { hash })).status;
  } catch (error) {
    if (error instanceof Error && error.name === "TransactionReceiptNotFoundError") return undefined;
    throw error;
  }
}

/** Turns whatever a wallet throws into a WalletProblem. */
export async function asked<T>(question: () => Promise<T>): Promise<T> {
  try {
    return await question();
  } catch (error) {
    throw walletProblem(error);
  }
}

/** Milliseconds between looks at a transaction, how long they go on, and how many in a row may fail. */
const pollInterval = 300;
const longestWait = 120_000;
const failuresAllowed = 3;

/** Waits for a transaction; `slow` where it is not mined after two minutes. Throws `ChainSilent`. */
export async function waitForOutcome(wallets: Wallets, tx: Hash): Promise<"success" | "reverted" | "slow"> {
  const until = Date.now() + longestWait;
  let failures = 0;
  while (Date.now() < until) {
    try {
      const outcome = await outcomeOf(wallets, tx);
      if (outcome !== undefined) return outcome;
      failures = 0;
    } catch (cause) {
      failures += 1;
      if (failures > failuresAllowed) throw new ChainSilent("The chain gives no answer.", { cause });
    }
    await new Promise((resolve) => setTimeout(resolve, pollInterval));
  }
  return "slow";
}
