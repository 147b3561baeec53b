import { type Abi, type Address, encodeFunctionData, type Hex } from "viem";
import { getTransactionReceipt } from "viem/actions";
import { connect, getConnection, sendTransaction, signMessage, switchChain } from "wagmi/actions";
import * as z from "zod";
import { ApiProblem, type Hash } from "../api/request.ts";
import { wallet as words } from "../strings/common.ts";
import { ChainSilent, type Connection, type WalletAnswer, WalletProblem } from "./state.ts";
import { readConnection, type Wallets } from "./wallets.ts";

/** Connects a wallet by its connector's `uid`. Throws WalletProblem. */
export async function connectWallet({ config }: Pick<Wallets, "config">, uid: string): Promise<Connection> {
  const connector = config.connectors.find((each) => each.uid === uid);
  if (connector === undefined) throw new WalletProblem("gone", words.gone);
  return askWallet(async () => {
    if (getConnection(config).connector?.uid !== uid) await connect(config, { connector });
    return requireConnection({ config });
  });
}

/** Returns the connected wallet. Throws WalletProblem `gone` if no wallet is connected. */
export function requireConnection({ config }: Pick<Wallets, "config">): Connection {
  const connection = readConnection(config);
  if (connection === undefined) throw new WalletProblem("gone", words.gone);
  return connection;
}

/**
 * Switches the wallet to the service's chain, and adds the chain if the wallet does not know it. Throws WalletProblem; its kind is
 * `network` if the wallet reports a switch but is still on another chain.
 */
export async function switchToServiceChain({ config, chain }: Wallets): Promise<void> {
  if (getConnection(config).chainId === chain.id) return;
  await askWallet(() => switchChain(config, { chainId: chain.id }));
  if (getConnection(config).chainId !== chain.id) throw new WalletProblem("network", words.network);
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

/** Sends a transaction from the connected wallet. Returns the transaction's hash. Throws WalletProblem. */
export function callContract({ config, chain }: Wallets, { to, ...call }: ContractCall): Promise<Hex> {
  return askWallet(() => sendTransaction(config, { to, data: encodeFunctionData(call), chainId: chain.id }));
}

/**
 * Reads the outcome of a transaction; `undefined` while the transaction is not mined. Throws viem's errors if the chain does not answer.
 */
async function readOutcome({ config }: Wallets, hash: Hex): Promise<"success" | "reverted" | undefined> {
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
    throw findProblem(error);
  }
}

/** The allowed number of consecutive failed reads; after one more failed read, the chain counts as silent. */
const failuresAllowed = 3;

/**
 * Reads the chain every `interval` milliseconds until a read finds a value; returns `undefined` after `limit` milliseconds. Throws
 * `ChainSilent`.
 */
export async function pollChain<Seen>(
  read: () => Promise<Seen | undefined>,
  interval: number,
  limit: number,
): Promise<Seen | undefined> {
  const until = Date.now() + limit;
  let failures = 0;
  while (Date.now() < until) {
    try {
      const seen = await read();
      if (seen !== undefined) return seen;
      failures = 0;
    } catch (cause) {
      failures += 1;
      if (failures > failuresAllowed) throw new ChainSilent("The chain does not answer.", { cause });
    }
    await new Promise((resolve) => setTimeout(resolve, interval));
  }
  return undefined;
}

/**
 * Waits for a transaction. Returns `slow` if the transaction is not mined after two minutes. If `hasTakenEffect` returns true, the
 * transaction counts as successful. A Safe (a contract wallet) may answer with a hash of its own that no node knows. Throws `ChainSilent`.
 */
export async function waitForOutcome(
  wallets: Wallets,
  tx: Hash,
  hasTakenEffect = async () => false,
): Promise<"success" | "reverted" | "slow"> {
  const look = async () =>
    (await readOutcome(wallets, tx)) ?? ((await hasTakenEffect()) ? "success" : undefined);
  return (await pollChain(look, 300, 120_000)) ?? "slow";
}

const kinds: Readonly<Record<number, WalletAnswer>> = {
  4001: "rejected",
  5000: "rejected",
  4100: "gone",
  4900: "gone",
  4901: "network",
  4902: "network",
  [-32002]: "busy",
};
const kindsByName: Readonly<Record<string, WalletAnswer>> = {
  UserRejectedRequestError: "rejected",
  ResourceUnavailableRpcError: "busy",
  ConnectorNotConnectedError: "gone",
  ConnectorAccountNotFoundError: "gone",
  ProviderNotFoundError: "gone",
  ConnectorChainMismatchError: "network",
  ChainMismatchError: "network",
};

/**
 * Matches the messages by which MetaMask (code -32603) and Rabby (code -32602) say that the wallet is not on the chain of the requested
 * signature. MetaMask and Rabby use the same codes for other errors too, so these messages can be recognised only by their words;
 * tests/support/browser/answers.ts names the sources.
 */
const otherChain =
  /must match the active chainId|because MetaMask is switching networks|chainId should be same as current chainId/;

const Coded = z.object({ code: z.number() });
const Short = z.object({ shortMessage: z.string() });
const Inner = z.object({ cause: z.unknown(), data: z.unknown(), originalError: z.unknown() }).partial();
const Worded = z.object({ message: z.string() });

/**
 * The maximum number of levels of nested errors in which the code searches for the problem. Libraries wrap an error in up to four other
 * errors, and wallets wrap an error in up to two other errors.
 */
const deepest = 12;

/** Finds the problem in a wallet's error, even if the error is wrapped several times in `cause`, `data` or `originalError`. */
export function findProblem(error: unknown): WalletProblem {
  let layer: readonly unknown[] = [error];
  for (let depth = 0; layer.length > 0 && depth < deepest; depth += 1) {
    for (const at of layer) {
      if (at instanceof WalletProblem) return at;
      const kind = findErrorKind(at);
      if (kind !== undefined) return new WalletProblem(kind, words[kind], error);
    }
    layer = [...new Set(layer.flatMap(listInnerErrors))];
  }
  const short = Short.safeParse(error);
  return new WalletProblem(
    "failed",
    short.success ? `${words.failed} ${short.data.shortMessage}` : words.failed,
    error,
  );
}

function findErrorKind(error: unknown): WalletAnswer | undefined {
  const coded = Coded.safeParse(error);
  const byCode = coded.success ? kinds[coded.data.code] : undefined;
  const byName = error instanceof Error ? kindsByName[error.name] : undefined;
  if (byCode !== undefined || byName !== undefined) return byCode ?? byName;
  const worded = Worded.safeParse(error);
  return worded.success && otherChain.test(worded.data.message) ? "network" : undefined;
}

function listInnerErrors(error: unknown): readonly unknown[] {
  const inner = Inner.safeParse(error);
  if (!inner.success) return [];
  const { cause, data, originalError } = inner.data;
  return [cause, data, originalError].filter((each) => typeof each === "object" && each !== null);
}

/** The maximum number of times that a request is sent while its result is not confirmed. */
const repeats = 20;

/**
 * Repeats a request until the service's transaction is confirmed. The service never sends the same transaction twice, so a repeated request
 * is safe. Throws ApiProblem.
 */
export async function retryWhilePending<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (let times = 1; ; times += 1) {
    try {
      return await ask();
    } catch (error) {
      const isPending = error instanceof ApiProblem && error.code === "settlement_pending";
      if (!isPending || times === repeats) throw error;
      await new Promise((resolve) => setTimeout(resolve, (error.retryAfter ?? 2) * 1000));
    }
  }
}
