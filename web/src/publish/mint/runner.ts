import { useSyncExternalStore } from "react";
import * as z from "zod";
import { pressList } from "../../api/press.ts";
import { type Confirmation, confirmMint, dashboard, ownPress } from "../../api/publish.ts";
import { type Hash, HashForm, queryClient, sameAddress } from "../../api/request.ts";
import { kept, NotKept } from "../../store/kept.ts";
import { loadWallets, walletState } from "../../wallet/state.ts";
import {
  advance,
  begin,
  confirmProblem,
  hasTask,
  isPassing,
  type MintEvent,
  type MintPhase,
  needsAnother,
  walletMintProblem,
} from "./machine.ts";

/** What is minted, by whom. */
type Minting = { readonly id: number; readonly wallet: string; readonly metaUrl: string };

/** What a mint needs of the world around it. */
export type MintPorts = {
  readonly confirm: (id: number, tx: Hash) => Promise<Confirmation>;
  /** The connected wallet's address. */
  readonly find: () => Promise<string | undefined>;
  readonly enterChain: () => Promise<void>;
  readonly register: (metaUrl: string) => Promise<Hash>;
  readonly wait: (milliseconds: number) => Promise<void>;
};

export type Mint = {
  readonly phase: () => MintPhase;
  /** Whether this browser keeps a transaction that was sent. */
  readonly isKept: () => boolean;
  readonly watch: (listener: () => void) => () => void;
  /** Tells what the person did. */
  readonly tell: (event: MintEvent) => void;
};

/** Seconds between two tries where there was no answer: doubled each time, up to the second. */
const firstPause = 2;
const longestPause = 20;

/** A mint that goes on by itself and stops where a person has to do something. A transaction is kept before anything is waited for. */
export function makeMint({ id, wallet, metaUrl }: Minting, ports: MintPorts): Mint {
  let phase = begin(sentMint(wallet, id));
  let keeps = true;
  const listeners = new Set<() => void>();

  const perform = async (at: MintPhase): Promise<MintEvent> => {
    switch (at.name) {
      case "finding": {
        const found = await ports.find();
        return { type: "found", wallet: found, right: sameAddress(found, wallet) };
      }
      case "network":
        await ports.enterChain();
        return { type: "on_chain" };
      case "register":
        return { type: "sent", tx: await ports.register(metaUrl) };
      case "pause":
        await ports.wait(at.after * 1000);
        return { type: "waited" };
      case "confirm": {
        const answer = await ports.confirm(id, at.tx).catch((error: unknown) => postponed(error, at.asked));
        return answer.state === "live"
          ? { type: "live", slug: answer.slug }
          : { type: "pending", after: answer.after };
      }
      default:
        throw new Error(`A mint has nothing to do while it is ${at.name}.`);
    }
  };

  const run = async (at: MintPhase) => {
    const event = await perform(at).catch((error: unknown): MintEvent => {
      const problem = "tx" in at ? confirmProblem(error) : walletMintProblem(error);
      return { type: "failed", problem };
    });
    // A transaction that was sent counts, wherever its sender has gone meanwhile.
    if (phase === at || event.type === "sent") tell(event);
  };

  const tell = (event: MintEvent): void => {
    const before = phase;
    phase = advance(before, event);
    if (phase === before) return;
    if (event.type === "sent") keeps = keepMint(wallet, id, event.tx);
    if (event.type === "another" || isOver(phase)) forgetMint(wallet, id);
    for (const listener of listeners) listener();
    if (hasTask(phase)) void run(phase);
  };

  if (hasTask(phase)) void run(phase);
  return {
    phase: () => phase,
    isKept: () => keeps,
    watch: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    tell,
  };
}

/** Whether nothing is left to be confirmed. */
function isOver(phase: MintPhase): boolean {
  return phase.name === "live" || (phase.name === "stopped" && needsAnother(phase.problem));
}

function postponed(error: unknown, asked: number): Confirmation {
  if (!isPassing(error)) throw error;
  const after = Math.max(error.retryAfter ?? 0, Math.min(longestPause, firstPause * 2 ** asked));
  return { state: "pending", after };
}

/** The mints of this page: they go on while the publisher looks at something else. */
const mints = new Map<string, Mint>();

export function mintOf(minting: Minting): Mint {
  const key = `${minting.wallet}:${minting.id}`;
  const known = mints.get(key);
  if (known !== undefined) return known;
  const mint = makeMint(minting, {
    confirm: confirmMint,
    find,
    enterChain: async () => (await import("../chain.ts")).enterChain(await loadWallets()),
    register: async (metaUrl) => (await import("../chain.ts")).register(await loadWallets(), metaUrl),
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

/** Mints that were sent and whose press is not live yet, by wallet and press: a reload goes on with them. */
const drawer = kept("mint", z.object({ tx: HashForm }));

const keyOf = (wallet: string, id: number) => `${wallet}:${id}`;

export function sentMint(wallet: string, id: number): Hash | undefined {
  return drawer.read(keyOf(wallet, id))?.tx;
}

/** Answers whether this browser keeps it. */
function keepMint(wallet: string, id: number, tx: Hash): boolean {
  try {
    drawer.write(keyOf(wallet, id), { tx });
    return true;
  } catch (error) {
    if (error instanceof NotKept) return false;
    throw error;
  }
}

function forgetMint(wallet: string, id: number): void {
  drawer.remove(keyOf(wallet, id));
}
