import { useSyncExternalStore } from "react";

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
export type WalletState =
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
