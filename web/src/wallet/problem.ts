import * as z from "zod";
import { wallet as words } from "../strings/common.ts";
import { type WalletAnswer, WalletProblem } from "./state.ts";

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
 * The messages of wallets that are on another chain than the requested signature's, for errors without their
 * own code: MetaMask (-32603) and Rabby (-32602). Only the words tell them apart;
 * tests/support/browser/answers.ts has the sources.
 */
const otherChain =
  /must match the active chainId|because MetaMask is switching networks|chainId should be same as current chainId/;

const Coded = z.object({ code: z.number() });
const Short = z.object({ shortMessage: z.string() });
const Inner = z.object({ cause: z.unknown(), data: z.unknown(), originalError: z.unknown() }).partial();
const Worded = z.object({ message: z.string() });

/** The most levels of an error that are searched. Libraries wrap four times, wallets twice. */
const deepest = 12;

/**
 * Finds the problem in a wallet's error, however often it is wrapped in `cause`, `data` or `originalError`.
 */
export function walletProblem(error: unknown): WalletProblem {
  let layer: readonly unknown[] = [error];
  for (let depth = 0; layer.length > 0 && depth < deepest; depth += 1) {
    for (const at of layer) {
      if (at instanceof WalletProblem) return at;
      const kind = kindOf(at);
      if (kind !== undefined) return new WalletProblem(kind, words[kind], error);
    }
    layer = [...new Set(layer.flatMap(innerOf))];
  }
  const short = Short.safeParse(error);
  return new WalletProblem(
    "failed",
    short.success ? `${words.failed} ${short.data.shortMessage}` : words.failed,
    error,
  );
}

function kindOf(error: unknown): WalletAnswer | undefined {
  const coded = Coded.safeParse(error);
  const byCode = coded.success ? kinds[coded.data.code] : undefined;
  const byName = error instanceof Error ? kindsByName[error.name] : undefined;
  if (byCode !== undefined || byName !== undefined) return byCode ?? byName;
  const worded = Worded.safeParse(error);
  return worded.success && otherChain.test(worded.data.message) ? "network" : undefined;
}

function innerOf(error: unknown): readonly unknown[] {
  const inner = Inner.safeParse(error);
  if (!inner.success) return [];
  const { cause, data, originalError } = inner.data;
  return [cause, data, originalError].filter((each) => typeof each === "object" && each !== null);
}
