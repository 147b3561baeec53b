import { remembered } from "./memory.ts";
import { setWalletState, walletState } from "./state.ts";
import type { Wallets } from "./wallets.ts";

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
