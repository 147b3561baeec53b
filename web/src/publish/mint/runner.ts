import { type Hash, sameAddress } from "../../api/form.ts";
import type { Confirmation } from "../../api/publish.ts";
import { advance, begin, hasTask, type MintEvent, type MintPhase } from "./machine.ts";
import { confirmProblem, isPassing, needsAnother, walletMintProblem } from "./problem.ts";
import { forgetMint, keepMint, sentMint } from "./record.ts";

/** What is minted, by whom. */
export type Minting = { readonly id: number; readonly wallet: string; readonly metaUrl: string };

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
