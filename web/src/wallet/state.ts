import { useSyncExternalStore } from "react";
import * as z from "zod";
import { wallet as words } from "../strings/common.ts";
import type { Wallets } from "./wallets.ts";

export type Address = `0x${string}`;

/** Which wallet is connected. `name` is the wallet's own. */
export type Connection = { readonly address: Address; readonly chainId: number; readonly name: string };

/**
 * What this page knows of wallets. This module is light and always there; everything that speaks to wallets is loaded
 * by load.ts when it is needed.
 *
 * - `unknown`: nobody has asked for a wallet yet.
 * - `opening`: the wallet that was used last is being asked for.
 * - `none`: looked, and none is connected.
 */
type WalletState =
  | { readonly kind: "unknown" | "opening" | "none" }
  | { readonly kind: "connected"; readonly connection: Connection };

let state: WalletState = { kind: "unknown" };
const listeners = new Set<() => void>();

/** The wallet as of now, in a component. */
function useWallet(): WalletState {
  return useSyncExternalStore(watchWallet, walletState);
}

/** The connected wallet, if there is one. */
export function useConnection(): Connection | undefined {
  const found = useWallet();
  return found.kind === "connected" ? found.connection : undefined;
}

export function walletState(): WalletState {
  return state;
}

export function setWalletState(next: WalletState): void {
  state = next;
  for (const listener of listeners) listener();
}

function watchWallet(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Where wagmi keeps what it knows; it writes the id of the wallet that was connected last. */
export const memoryKey = "wallet";

/** Whether a wallet was connected when the site was last open. Browsers that keep nothing for us say no. */
export function remembered(): boolean {
  try {
    return localStorage.getItem(`${memoryKey}.recentConnectorId`) !== null;
  } catch {
    return false;
  }
}

let opening: Promise<Wallets> | undefined;

/**
 * Everything that speaks to wallets and to the chain (wagmi, viem), loaded at the first call. Rejects with ApiProblem
 * where the chain's data cannot be read, and may be called again then.
 */
export function loadWallets(): Promise<Wallets> {
  opening ??= open();
  return opening;
}

async function open(): Promise<Wallets> {
  if (walletState().kind === "unknown") setWalletState({ kind: "opening" });
  try {
    const { openWallets } = await import("./wallets.ts");
    return await openWallets();
  } catch (error) {
    opening = undefined;
    setWalletState({ kind: "unknown" });
    throw error;
  }
}

/** Asks for the wallet that was connected when the site was last open, once the page has nothing more urgent to do. */
export function reopenWallet(): void {
  if (!remembered()) return;
  setWalletState({ kind: "opening" });
  const start = () =>
    void loadWallets().catch((error: unknown) => console.warn("The wallet could not be reopened.", error));
  if ("requestIdleCallback" in window) window.requestIdleCallback(start, { timeout: 2_000 });
  else setTimeout(start, 200);
}

// Telling these errors apart takes nothing that speaks to chains or wallets, whose libraries are loaded on demand.

/**
 * What a wallet answered instead of doing what it was asked.
 *
 * - `rejected`: the person declined (EIP-1193 code 4001).
 * - `busy`: it is still asking them something else (-32002).
 * - `gone`: it is locked or no longer connected (4100, 4900, 4901).
 * - `network`: it is on another chain than what it was asked to sign, or cannot be brought to the service's (4902).
 * - `failed`: anything else; the cause says what.
 */
export class WalletProblem extends Error {
  override readonly name = "WalletProblem";
  readonly kind: "rejected" | "busy" | "gone" | "network" | "failed";

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
  4902: "network",
  [-32002]: "busy",
};
const kindsByName: Readonly<Record<string, WalletProblem["kind"]>> = {
  UserRejectedRequestError: "rejected",
  ResourceUnavailableRpcError: "busy",
  ConnectorNotConnectedError: "gone",
  ConnectorAccountNotFoundError: "gone",
  ProviderNotFoundError: "gone",
  ConnectorChainMismatchError: "network",
  ChainMismatchError: "network",
};

/**
 * How wallets say that they are on another chain than what they were asked to sign, in errors without a code of its own:
 * MetaMask (-32603) and Rabby (-32602). Their words are all that tells it; tests/support/browser/answers.ts has the sources.
 */
const otherChain =
  /must match the active chainId|because MetaMask is switching networks|chainId should be same as current chainId/;

const Coded = z.object({ code: z.number() });
const Short = z.object({ shortMessage: z.string() });
const Inner = z.object({ cause: z.unknown(), data: z.unknown(), originalError: z.unknown() }).partial();
const Worded = z.object({ message: z.string() });

/** As deep as errors are looked into: libraries wrap four times, wallets twice. */
const deepest = 12;

/** Reads what a wallet threw, however deep libraries, or it, have wrapped it: in `cause`, `data` or `originalError`. */
export function walletProblem(error: unknown): WalletProblem {
  if (error instanceof WalletProblem) return error;
  let layer: readonly unknown[] = [error];
  for (let depth = 0; layer.length > 0 && depth < deepest; depth += 1) {
    for (const at of layer) {
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

function kindOf(error: unknown): WalletProblem["kind"] | undefined {
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

/** The chain gave no answer. */
export class ChainSilent extends Error {
  override readonly name = "ChainSilent";
}

/** The wallet said that it had switched to the service's chain, and did not. */
export class OtherNetwork extends Error {
  override readonly name = "OtherNetwork";
}
