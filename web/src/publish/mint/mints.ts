import { useSyncExternalStore } from "react";
import { queryClient } from "../../api/client.ts";
import { pressList } from "../../api/press.ts";
import { confirmMint, dashboard, ownPress } from "../../api/publish.ts";
import { loadWallets } from "../../wallet/load.ts";
import { walletState } from "../../wallet/state.ts";
import type { MintPhase } from "./machine.ts";
import { type Mint, type Minting, makeMint } from "./runner.ts";

/** The mints of this page: they go on while the publisher looks at something else. */
const mints = new Map<string, Mint>();

export function mintOf(minting: Minting): Mint {
  const key = `${minting.wallet}:${minting.id}`;
  const known = mints.get(key);
  if (known !== undefined) return known;
  const mint = makeMint(minting, {
    confirm: confirmMint,
    find,
    enterChain: async () => (await import("./register.ts")).enterChain(await loadWallets()),
    register: async (metaUrl) => (await import("./register.ts")).register(await loadWallets(), metaUrl),
    wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  });
  mint.watch(() => mint.phase().name === "live" && forgetOldReads(minting.id));
  mints.set(key, mint);
  return mint;
}

/** A mint's phase, in a component. */
export function useMint(mint: Mint): MintPhase {
  return useSyncExternalStore(mint.watch, mint.phase);
}

async function find(): Promise<string | undefined> {
  await loadWallets();
  const wallet = walletState();
  return wallet.kind === "connected" ? wallet.connection.address : undefined;
}

/** What was read before the press went live is not so any more. */
function forgetOldReads(id: number): void {
  queryClient.removeQueries({ queryKey: ownPress(id).queryKey });
  void queryClient.invalidateQueries({ queryKey: dashboard.queryKey });
  void queryClient.invalidateQueries({ queryKey: pressList.queryKey });
}
