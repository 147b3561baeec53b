import { useSyncExternalStore } from "react";
import type { Wallets } from "./wallets.ts";

export type Address = `0x${string}`;

/** Which wallet is connected. `name` is the wallet's own. */
export type Connection = {
  readonly address: Address;
  readonly chainId: number;
  readonly name: string;
  /** Whether it is a purse: its key comes of a passkey, and signs both payments of a press at one gesture. */
  readonly isPurse: boolean;
};

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

// The errors are here, so that pages can tell them apart; what reads them out of what wallets throw comes with the wallets.

/** What a wallet may answer of its own. */
export type WalletAnswer = "rejected" | "busy" | "gone" | "network";

/**
 * What a wallet answered instead of doing what it was asked.
 *
 * - `rejected`: the person declined (EIP-1193 code 4001).
 * - `busy`: it is still asking them something else (-32002).
 * - `gone`: it is locked or no longer connected (4100, 4900).
 * - `network`: it is on another chain than what it was asked to sign, or cannot be brought to the service's (4901, 4902).
 * - `ether`: it has too little ETH for the transaction; the message says how much, and where to send it.
 * - `passkey`: a purse did not sign; the message says why.
 * - `failed`: anything else; the cause says what.
 */
export class WalletProblem extends Error {
  override readonly name = "WalletProblem";
  readonly kind: WalletAnswer | "ether" | "passkey" | "failed";

  constructor(kind: WalletProblem["kind"], message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

/** The chain gave no answer. */
export class ChainSilent extends Error {
  override readonly name = "ChainSilent";
}

/** The wallet said that it had switched to the service's chain, and did not. */
export class OtherNetwork extends Error {
  override readonly name = "OtherNetwork";
}
