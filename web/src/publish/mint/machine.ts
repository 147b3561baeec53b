import * as z from "zod";
import { pressList } from "../../api/press.ts";
import { type Confirmation, confirmMint, dashboard, queryOwnPress } from "../../api/publish.ts";
import { ApiProblem, type Hash, HashForm, isSameAddress, queryClient } from "../../api/request.ts";
import { makeStore, openLocalStore, type Store, tryKeep } from "../../store.ts";
import type { MintProblemCode } from "../../strings/mint.ts";
import type { StepState } from "../../ui/steps.tsx";
import { loadWallets, readWallet, WalletProblem } from "../../wallet/state.ts";

/** The phase of a mint: either a task is running, or the mint waits for the publisher. */
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
  /**
   * Waits for the publisher: a problem stopped the mint. Another try confirms the transaction `tx`, or begins anew if no transaction was
   * sent.
   */
  | { readonly name: "stopped"; readonly problem: MintProblem; readonly tx: Hash | undefined };

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
      return findFailedStep(phase.problem);
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

/** The step at which the mint failed. The next try does not always start at the failed step. */
function findFailedStep({ code }: MintProblem): StepName {
  switch (code) {
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
      return "confirm";
  }
}

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

/**
 * The problem that the page shows if the confirmation of a mint has failed. `RefusalCode` lists the codes with which the service refuses to
 * confirm a mint.
 */
export function readConfirmProblem(error: unknown): MintProblem {
  if (!(error instanceof ApiProblem)) return { code: "unavailable", detail: String(error) };
  const { status, code = "", message: detail, requestId } = error;
  const told = refusals[code];
  if (told !== undefined) return { code: told, requestId };
  if (status === 401) return { code: "signIn" };
  if (status === undefined || status >= 500) return { code: "unavailable", detail, requestId };
  return { code: "refused", detail, requestId };
}

/** The problem that the page shows for an error of the wallet. */
function readWalletProblem(error: unknown): MintProblem {
  if (error instanceof ApiProblem) return { code: "unavailable", detail: error.message };
  if (!(error instanceof WalletProblem)) return { code: "walletFailed", detail: String(error) };
  const code = error.kind === "failed" ? "walletFailed" : error.kind;
  return ["walletFailed", "passkey", "ether"].includes(code) ? { code, detail: error.message } : { code };
}

/**
 * Whether the sent transaction cannot make this press live. If the sent transaction cannot make the press live, another transaction must be
 * sent.
 */
function needsNewMint({ code }: MintProblem): boolean {
  return ["transactionFailed", "wrongSender", "noIdentity", "wrongUri", "used"].includes(code);
}

/** Whether the same confirmation is retried automatically. */
function isTemporaryError(error: unknown): error is ApiProblem {
  return (
    error instanceof ApiProblem &&
    error.code !== "confirmation_timed_out" &&
    (error.status === undefined || error.status >= 500 || error.status === 429)
  );
}

/** The press to mint, and its wallet. */
type MintRecord = { readonly id: number; readonly wallet: string; readonly metaUrl: string };

/** The external functions that a mint uses. */
export type MintPorts = {
  readonly confirm: (id: number, tx: Hash) => Promise<Confirmation>;
  readonly find: () => Promise<string | undefined>;
  readonly enterChain: () => Promise<void>;
  readonly register: (metaUrl: string) => Promise<Hash>;
  readonly wait: (milliseconds: number) => Promise<void>;
};

export type MintProcess = {
  readonly phase: () => MintPhase;
  /** Whether this browser stores a sent transaction. */
  readonly isKept: () => boolean;
  readonly watch: Store<MintPhase>["watch"];
  /** Forgets an earlier transaction, even if no new transaction is sent. Checks the wallet again, and then sends a new transaction. */
  readonly begin: () => Promise<void>;
  /** Asks the service to confirm a transaction that was sent. */
  readonly confirm: (tx: Hash) => Promise<void>;
  readonly retry: () => Promise<void> | undefined;
};

/**
 * The seconds between two tries if the service gives no answer. The first value is the wait after the first try. After each later try, the
 * wait doubles, up to the second value.
 */
const firstPause = 2;
const longestPause = 20;

/**
 * A mint that runs by itself and stops when the publisher must act. The mint stores the hash of a sent transaction before it waits for the
 * service's confirmation.
 */
export function makeMint({ id, wallet, metaUrl }: MintRecord, ports: MintPorts): MintProcess {
  const { get: phase, set, watch } = makeStore<MintPhase>({ name: "idle" });
  let keeps = true;

  const stop = (at: MintPhase, error: unknown) => {
    const problem = "tx" in at ? readConfirmProblem(error) : readWalletProblem(error);
    if (needsNewMint(problem)) forgetMint(wallet, id);
    set({ name: "stopped", problem, tx: "tx" in at && !needsNewMint(problem) ? at.tx : undefined });
  };

  /**
   * Sets the phase of the mint, and runs the task of this phase. If the task fails, or if another phase has begun meanwhile, the returned
   * promise stays pending, so the caller does not continue.
   */
  const runPhase = async <Found>(at: MintPhase, task: () => Promise<Found>): Promise<Found> => {
    set(at);
    try {
      const found = await task();
      if (phase() === at) return found;
    } catch (error) {
      if (phase() === at) stop(at, error);
    }
    return new Promise<never>(() => {});
  };

  const begin = async () => {
    if (["finding", "network", "register", "live"].includes(phase().name)) return;
    forgetMint(wallet, id);
    const found = await runPhase({ name: "finding" }, ports.find);
    if (!isSameAddress(found, wallet)) return set({ name: "connect", other: found });
    await runPhase({ name: "network" }, ports.enterChain);
    await confirm(await runPhase({ name: "register" }, () => ports.register(metaUrl)));
  };

  const confirm = async (tx: Hash): Promise<void> => {
    keeps = tryKeep(() => drawer.write(makeKey(wallet, id), { tx }));
    for (let asked = 0; ; asked += 1) {
      const answer = await runPhase({ name: "confirm", tx, asked }, () =>
        ports.confirm(id, tx).catch((error: unknown) => waitOrThrow(error, asked)),
      );
      if (answer.state === "live") {
        forgetMint(wallet, id);
        return set({ name: "live", slug: answer.slug });
      }
      const { after } = answer;
      await runPhase({ name: "pause", tx, asked: asked + 1, after }, () => ports.wait(after * 1000));
    }
  };

  const retry = () => {
    const at = phase();
    if (at.name === "stopped") return at.tx === undefined ? begin() : confirm(at.tx);
  };

  const sent = findSentMint(wallet, id);
  if (sent !== undefined) void confirm(sent);
  return { phase, isKept: () => keeps, watch, begin, confirm, retry };
}

function waitOrThrow(error: unknown, tries: number): Confirmation {
  if (!isTemporaryError(error)) throw error;
  const after = Math.max(error.retryAfter ?? 0, Math.min(longestPause, firstPause * 2 ** tries));
  return { state: "pending", after };
}

/** The mints that run in this tab. A mint continues while the publisher visits other pages. */
const mints = new Map<string, MintProcess>();

export function openMint(record: MintRecord): MintProcess {
  const key = `${record.wallet}:${record.id}`;
  const known = mints.get(key);
  if (known !== undefined) return known;
  const mint = makeMint(record, {
    confirm: confirmMint,
    find: async () => {
      await loadWallets();
      return readWallet()?.address;
    },
    enterChain: async () => (await import("../../wallet/ask.ts")).switchToServiceChain(await loadWallets()),
    register: async (metaUrl) =>
      (await import("../../wallet/ether.ts")).register(await loadWallets(), metaUrl),
    wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  });
  mint.watch(() => mint.phase().name === "live" && dropOldAnswers(record.id));
  mints.set(key, mint);
  return mint;
}

/** Deletes the cached answers from before the press went live, because these answers are out of date. */
function dropOldAnswers(id: number): void {
  queryClient.removeQueries({ queryKey: queryOwnPress(id).queryKey });
  void queryClient.invalidateQueries({ queryKey: dashboard.queryKey });
  void queryClient.invalidateQueries({ queryKey: pressList.queryKey });
}

/** The sent mints of presses that are not live yet, by wallet and press. The mints are stored, so that they continue after a reload. */
const drawer = openLocalStore("mint", z.object({ tx: HashForm }));

const makeKey = (wallet: string, id: number) => `${wallet}:${id}`;

export function findSentMint(wallet: string, id: number): Hash | undefined {
  return drawer.read(makeKey(wallet, id))?.tx;
}

function forgetMint(wallet: string, id: number): void {
  drawer.remove(makeKey(wallet, id));
}
