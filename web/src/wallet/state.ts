import type { Address } from "../api/request.ts";
import { makeStore, tryStore, useStore } from "../store.ts";
import type { Wallets } from "./wallets.ts";

/** The connected wallet. `name` is the name that the wallet gives itself. */
export type Connection = {
  readonly address: Address;
  readonly chainId: number;
  readonly name: string;
  /** Whether the connected wallet is a purse. A passkey yields the purse's key, and one gesture signs both payments for a press. */
  readonly isPurse: boolean;
};

/**
 * The connected wallet; `undefined` while no wallet is connected. This module is small and always loaded; `loadWallets` loads the code for
 * wallets on demand.
 */
const connected = makeStore<Connection | undefined>(undefined);
export const { get: readWallet, set: setWallet } = connected;

export function useConnection(): Connection | undefined {
  return useStore(connected);
}

/** The key under which the library wagmi stores its state in the browser. The state includes the id of the last connected wallet. */
export const memoryKey = "wallet";

/** Whether a wallet was connected at the last visit. The result is false if the browser cannot store data. */
export function wasConnected(): boolean {
  return tryStore(() => localStorage.getItem(`${memoryKey}.recentConnectorId`)) != null;
}

let opening: Promise<Wallets> | undefined;

/**
 * Loads the code for wallets and the chain (wagmi, viem) at the first call. Rejects with ApiProblem if the chain's data cannot be read.
 * After a failure, the next call loads the data again.
 */
export function loadWallets(): Promise<Wallets> {
  opening ??= import("./wallets.ts")
    .then(({ openWallets }) => openWallets())
    .catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
  return opening;
}

/** Reconnects the wallet of the last visit when the page is idle. */
export function reopenWallet(): void {
  if (!wasConnected()) return;
  const start = () =>
    void loadWallets().catch((error: unknown) =>
      console.warn("The last used wallet could not be reconnected.", error),
    );
  if ("requestIdleCallback" in window) window.requestIdleCallback(start, { timeout: 2_000 });
  else setTimeout(start, 200);
}

// The classes of wallet errors are in this module, so that pages can recognise them before the code for wallets is loaded.

/** The kinds of a wallet's refusal. */
export type WalletAnswer = "rejected" | "busy" | "gone" | "network";

/**
 * A wallet's refusal.
 *
 * - `rejected`: the user declined (EIP-1193 code 4001).
 * - `busy`: another request is open (-32002).
 * - `gone`: the wallet is locked or no longer connected (4100, 4900).
 * - `network`: the wallet is not on the chain of the requested signature, or cannot switch to the service's chain (4901, 4902).
 * - `ether`: the wallet has too little ETH for the transaction; the message says how much ETH is missing, and to which address to send it.
 * - `passkey`: a purse did not sign; the message says why.
 * - `failed`: any other failure, with its cause.
 */
export class WalletProblem extends Error {
  override readonly name = "WalletProblem";
  readonly kind: WalletAnswer | "ether" | "passkey" | "failed";

  constructor(kind: WalletProblem["kind"], message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

/** The error for a chain that did not answer. */
export class ChainSilent extends Error {
  override readonly name = "ChainSilent";
}
