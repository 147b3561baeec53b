import { type Abi, type Address, encodeFunctionData, type Hex } from "viem";
import { getTransactionReceipt } from "viem/actions";
import { connect, getConnection, sendTransaction, signMessage, switchChain } from "wagmi/actions";
import * as z from "zod";
import type { Hash } from "../api/request.ts";
import { wallet as words } from "../strings/account.ts";
import type { Connection } from "./state.ts";
import { connectionOf, type Wallets } from "./wallets.ts";

/** Connects a wallet by its connector's id (`choicesOf`). Throws WalletProblem. */
export async function connectWallet({ config, chain }: Wallets, uid: string): Promise<Connection> {
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

type ContractCall = {
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
const pause = 300;
const patience = 120_000;
const failuresAllowed = 3;

/** Waits for a transaction; `slow` where it is not mined after two minutes. Throws `ChainSilent`. */
export async function waitForOutcome(wallets: Wallets, tx: Hash): Promise<"success" | "reverted" | "slow"> {
  const until = Date.now() + patience;
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
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  return "slow";
}

/** The chain gave no answer. A module of its own: telling this error apart takes nothing that speaks to chains. */
export class ChainSilent extends Error {
  override readonly name = "ChainSilent";
}

/**
 * What a wallet answered instead of doing what it was asked.
 *
 * - `rejected`: the person declined (EIP-1193 code 4001).
 * - `busy`: it is still asking them something else (-32002).
 * - `gone`: it is locked or no longer connected (4100, 4900, 4901).
 * - `failed`: anything else; the cause says what.
 */
export class WalletProblem extends Error {
  override readonly name = "WalletProblem";
  readonly kind: "rejected" | "busy" | "gone" | "failed";

  constructor(kind: WalletProblem["kind"], message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

const kinds: Readonly<Record<number, WalletProblem["kind"]>> = {
  4001: "rejected",
  5000: "rejected",
  4100: "gone",
  4900: "gone",
  4901: "gone",
  [-32002]: "busy",
};
const kindsByName: Readonly<Record<string, WalletProblem["kind"]>> = {
  UserRejectedRequestError: "rejected",
  ResourceUnavailableRpcError: "busy",
  ConnectorNotConnectedError: "gone",
  ConnectorAccountNotFoundError: "gone",
  ProviderNotFoundError: "gone",
};

const Coded = z.object({ code: z.number() });
const Short = z.object({ shortMessage: z.string() });

/** Reads what a wallet threw, however deep libraries have wrapped it. */
export function walletProblem(error: unknown): WalletProblem {
  if (error instanceof WalletProblem) return error;
  for (let at = error; typeof at === "object" && at !== null; at = causeOf(at)) {
    const coded = Coded.safeParse(at);
    const kind = (coded.success && kinds[coded.data.code]) || (at instanceof Error && kindsByName[at.name]);
    if (kind) return new WalletProblem(kind, words[kind], error);
  }
  const short = Short.safeParse(error);
  return new WalletProblem(
    "failed",
    short.success ? `${words.failed} ${short.data.shortMessage}` : words.failed,
    error,
  );
}

function causeOf(error: object): unknown {
  return "cause" in error ? error.cause : undefined;
}
