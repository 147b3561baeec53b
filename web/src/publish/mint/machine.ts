import * as z from "zod";
import { pressList } from "../../api/press.ts";
import { type Confirmation, confirmMint, dashboard, ownPress } from "../../api/publish.ts";
import { ApiProblem, type Hash, HashForm, queryClient, sameAddress } from "../../api/request.ts";
import { NotKept, openDrawer } from "../../store/kept.ts";
import { makeStore, type Store, useStore } from "../../store/store.ts";
import type { StepState } from "../../ui/steps.tsx";
import { loadWallets, WalletProblem, walletState } from "../../wallet/state.ts";

/** The phase of a mint. Each phase has a task for the runner, or waits for the publisher. */
export type MintPhase =
  | { readonly name: "idle" }
  /** Task: check which wallet is connected. */
  | { readonly name: "finding" }
  /** Waits until the session's wallet is connected. `other`: another wallet that is connected at present. */
  | { readonly name: "connect"; readonly other: string | undefined }
  /** Task: switch the wallet to the service's chain. */
  | { readonly name: "network" }
  /** Task: ask the wallet to send the transaction that registers the press. */
  | { readonly name: "register" }
  /** Task: report the transaction to the service. `asked`: the number of earlier reports. */
  | { readonly name: "confirm"; readonly tx: Hash; readonly asked: number }
  /** Task: wait some seconds, then report the transaction again. */
  | { readonly name: "pause"; readonly tx: Hash; readonly asked: number; readonly after: number }
  /** The end. */
  | { readonly name: "live"; readonly slug: string }
  /** Waits for the publisher: a problem stopped the mint. `back` is the phase where another try continues. */
  | { readonly name: "stopped"; readonly problem: MintProblem; readonly back: MintPhase };

export type MintEvent =
  | { readonly type: "start" | "retry" | "on_chain" | "waited" | "connected" | "another" }
  | { readonly type: "found"; readonly wallet: string | undefined; readonly right: boolean }
  | { readonly type: "sent"; readonly tx: Hash }
  | { readonly type: "pending"; readonly after: number }
  | { readonly type: "live"; readonly slug: string }
  | { readonly type: "failed"; readonly problem: MintProblem };

/** The phase in which a visit begins: the confirmation, if a transaction was sent earlier. */
function findFirstPhase(tx: Hash | undefined): MintPhase {
  return tx === undefined ? { name: "idle" } : { name: "confirm", tx, asked: 0 };
}

/** The next phase. Events that do not belong to the current phase are late and change nothing. */
function advance(phase: MintPhase, event: MintEvent): MintPhase {
  switch (event.type) {
    case "start":
      return phase.name === "idle" ? { name: "finding" } : phase;
    case "found":
      if (phase.name !== "finding") return phase;
      return event.right ? { name: "network" } : { name: "connect", other: event.wallet };
    case "connected":
      return phase.name === "connect" ? { name: "finding" } : phase;
    case "on_chain":
      return phase.name === "network" ? { name: "register" } : phase;
    case "sent":
      return phase.name === "live" ? phase : { name: "confirm", tx: event.tx, asked: 0 };
    case "pending":
      return phase.name === "confirm"
        ? { name: "pause", tx: phase.tx, asked: phase.asked + 1, after: event.after }
        : phase;
    case "waited":
      return phase.name === "pause" ? { name: "confirm", tx: phase.tx, asked: phase.asked } : phase;
    case "live":
      return { name: "live", slug: event.slug };
    case "another":
      return phase.name === "confirm" || phase.name === "pause" ? { name: "finding" } : phase;
    case "retry":
      return phase.name === "stopped" ? phase.back : phase;
    case "failed":
      return hasTask(phase) ? stop(phase, event.problem) : phase;
  }
}

/** Whether the runner has a task in this phase; otherwise the publisher must act. */
function hasTask({ name }: MintPhase): boolean {
  return !["idle", "connect", "live", "stopped"].includes(name);
}

function stop(phase: MintPhase, problem: MintProblem): MintPhase {
  const anew = problem.code === "gone" || needsAnother(problem) || !("tx" in phase);
  return { name: "stopped", problem, back: anew ? { name: "finding" } : phase };
}

export const stepNames = ["wallet", "network", "register", "confirm", "live"] as const;
export type StepName = (typeof stepNames)[number];

function findStep(phase: MintPhase): StepName {
  switch (phase.name) {
    case "idle":
    case "finding":
    case "connect":
      return "wallet";
    case "network":
    case "register":
      return phase.name;
    case "confirm":
    case "pause":
      return "confirm";
    case "live":
      return "live";
    case "stopped":
      return findFailedStep(phase);
  }
}

/** The state that a step has in a given phase. */
export function findStepState(name: StepName, phase: MintPhase): StepState {
  if (phase.name === "live") return "done";
  const ahead = stepNames.indexOf(name) - stepNames.indexOf(findStep(phase));
  if (ahead !== 0) return ahead < 0 ? "done" : "waiting";
  if (phase.name === "stopped") return "failed";
  return phase.name === "idle" || phase.name === "connect" ? "current" : "busy";
}

/** The step at which the mint failed. The next try may start at another step. */
function findFailedStep({ problem, back }: Extract<MintPhase, { name: "stopped" }>): StepName {
  switch (problem.code) {
    case "rejected":
    case "busy":
    case "walletFailed":
    case "passkey":
    case "ether":
      return "register";
    case "network":
      return "network";
    case "gone":
      return "wallet";
    default:
      return back.name === "finding" || "tx" in back ? "confirm" : findStep(back);
  }
}

export type MintProblemCode =
  | "rejected"
  | "busy"
  | "gone"
  | "walletFailed"
  | "passkey"
  | "ether"
  | "network"
  | "notApproved"
  | "transactionFailed"
  | "wrongSender"
  | "noIdentity"
  | "wrongUri"
  | "used"
  | "notFound"
  | "timedOut"
  | "unavailable"
  | "signIn"
  | "refused";

/** Why a mint stopped. `detail` is the message of the wallet or the service. */
export type MintProblem = {
  readonly code: MintProblemCode;
  readonly detail?: string | undefined;
  readonly requestId?: string | undefined;
};

const refusals: Readonly<Record<string, MintProblemCode>> = {
  not_approved: "notApproved",
  transaction_failed: "transactionFailed",
  wrong_sender: "wrongSender",
  no_identity_minted: "noIdentity",
  wrong_identity_uri: "wrongUri",
  transaction_already_used: "used",
  transaction_not_found: "notFound",
  confirmation_timed_out: "timedOut",
};

/** The problem of a failed confirmation, whose codes are those of the service (`RefusalCode`). */
export function confirmProblem(error: unknown): MintProblem {
  if (!(error instanceof ApiProblem)) return { code: "unavailable", detail: String(error) };
  const { status, code = "", message: detail, requestId } = error;
  const told = refusals[code];
  if (told !== undefined) return { code: told, requestId };
  if (status === 401) return { code: "signIn" };
  if (status === undefined || status >= 500) return { code: "unavailable", detail, requestId };
  return { code: "refused", detail, requestId };
}

/** The problem of a wallet's error. */
function walletMintProblem(error: unknown): MintProblem {
  if (error instanceof ApiProblem) return { code: "unavailable", detail: error.message };
  if (!(error instanceof WalletProblem)) return { code: "walletFailed", detail: String(error) };
  const code = error.kind === "failed" ? "walletFailed" : error.kind;
  return ["walletFailed", "passkey", "ether"].includes(code) ? { code, detail: error.message } : { code };
}

/** Whether the sent transaction has become useless, so that another transaction must be sent. */
function needsAnother({ code }: MintProblem): boolean {
  return ["transactionFailed", "wrongSender", "noIdentity", "wrongUri", "used"].includes(code);
}

/** Whether the same confirmation is retried automatically. */
function isTemporary(error: unknown): error is ApiProblem {
  return (
    error instanceof ApiProblem &&
    error.code !== "confirmation_timed_out" &&
    (error.status === undefined || error.status >= 500 || error.status === 429)
  );
}

/** The press to mint, and its wallet. */
type Minting = { readonly id: number; readonly wallet: string; readonly metaUrl: string };

/** A mint's ports. */
export type MintPorts = {
  readonly confirm: (id: number, tx: Hash) => Promise<Confirmation>;
  readonly find: () => Promise<string | undefined>;
  readonly enterChain: () => Promise<void>;
  readonly register: (metaUrl: string) => Promise<Hash>;
  readonly wait: (milliseconds: number) => Promise<void>;
};

export type Mint = {
  readonly phase: () => MintPhase;
  /** Whether this browser stores a sent transaction. */
  readonly isKept: () => boolean;
  readonly watch: Store<MintPhase>["watch"];
  /** Tells the mint about an action of the publisher. */
  readonly tell: (event: MintEvent) => void;
};

/** The waits between two tries without an answer, in seconds: the first wait is doubled with each try, up to the second value. */
const firstPause = 2;
const longestPause = 20;

/** A mint that runs by itself and stops when the publisher must act. A sent transaction is stored before the mint waits for its result. */
export function makeMint({ id, wallet, metaUrl }: Minting, ports: MintPorts): Mint {
  const { get: phase, set, watch } = makeStore(findFirstPhase(findSentMint(wallet, id)));
  let keeps = true;

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
        const answer = await ports.confirm(id, at.tx).catch((error: unknown) => makePending(error, at.asked));
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
    // A sent transaction counts even if the publisher has left the page meanwhile.
    if (phase() === at || event.type === "sent") tell(event);
  };

  const tell = (event: MintEvent): void => {
    const before = phase();
    const next = advance(before, event);
    if (next === before) return;
    if (event.type === "sent") keeps = keepMint(wallet, id, event.tx);
    if (event.type === "another" || isOver(next)) forgetMint(wallet, id);
    set(next);
    if (hasTask(next)) void run(next);
  };

  if (hasTask(phase())) void run(phase());
  return { phase, isKept: () => keeps, watch, tell };
}

/** Whether the mint has ended: the press is live, or the sent transaction has become useless. */
function isOver(phase: MintPhase): boolean {
  return phase.name === "live" || (phase.name === "stopped" && needsAnother(phase.problem));
}

function makePending(error: unknown, asked: number): Confirmation {
  if (!isTemporary(error)) throw error;
  const after = Math.max(error.retryAfter ?? 0, Math.min(longestPause, firstPause * 2 ** asked));
  return { state: "pending", after };
}

/** The mints that run in this tab. A mint continues while the publisher visits other pages. */
const mints = new Map<string, Mint>();

export function openMint(minting: Minting): Mint {
  const key = `${minting.wallet}:${minting.id}`;
  const known = mints.get(key);
  if (known !== undefined) return known;
  const mint = makeMint(minting, {
    confirm: confirmMint,
    find,
    enterChain: async () => (await import("../../wallet/ask.ts")).enterServiceChain(await loadWallets()),
    register: async (metaUrl) =>
      (await import("../../wallet/ether.ts")).register(await loadWallets(), metaUrl),
    wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  });
  mint.watch(() => mint.phase().name === "live" && forgetOldReads(minting.id));
  mints.set(key, mint);
  return mint;
}

export function useMint({ phase, watch }: Mint): MintPhase {
  return useStore({ get: phase, watch });
}

async function find(): Promise<string | undefined> {
  await loadWallets();
  const wallet = walletState();
  return wallet.kind === "connected" ? wallet.connection.address : undefined;
}

/** Drops the answers that were cached before the press went live, because they are out of date. */
function forgetOldReads(id: number): void {
  queryClient.removeQueries({ queryKey: ownPress(id).queryKey });
  void queryClient.invalidateQueries({ queryKey: dashboard.queryKey });
  void queryClient.invalidateQueries({ queryKey: pressList.queryKey });
}

/** Sent mints whose press is not live yet, by wallet and press, so that a reload continues them. */
const drawer = openDrawer("mint", z.object({ tx: HashForm }));

const keyOf = (wallet: string, id: number) => `${wallet}:${id}`;

export function findSentMint(wallet: string, id: number): Hash | undefined {
  return drawer.read(keyOf(wallet, id))?.tx;
}

/** Stores a sent transaction, and returns whether this browser allows it. */
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
