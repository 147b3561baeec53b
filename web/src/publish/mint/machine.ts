import { ApiProblem, type Hash } from "../../api/request.ts";
import type { StepState } from "../../ui/status.tsx";
import { OtherNetwork, WalletProblem } from "../../wallet/problem.ts";

/** Where a mint stands. Each phase either has a task, which the runner does, or waits for the person. */
export type MintPhase =
  /** Waits: nothing was begun. */
  | { readonly name: "idle" }
  /** Task: look which wallet is connected. */
  | { readonly name: "finding" }
  /** Waits for the wallet of the session. `other`: the one that is connected instead. */
  | { readonly name: "connect"; readonly other: string | undefined }
  /** Task: bring the wallet to the service's chain. */
  | { readonly name: "network" }
  /** Task: have the wallet send the registration. */
  | { readonly name: "register" }
  /** Task: tell the service. `asked`: how often it has been told before. */
  | { readonly name: "confirm"; readonly tx: Hash; readonly asked: number }
  /** Task: wait so many seconds, then tell it again. */
  | { readonly name: "pause"; readonly tx: Hash; readonly asked: number; readonly after: number }
  /** The end. */
  | { readonly name: "live"; readonly slug: string }
  /** Waits: something is in the way. `back` is where another try goes on. */
  | { readonly name: "stopped"; readonly problem: MintProblem; readonly back: MintPhase };

export type MintEvent =
  | { readonly type: "start" | "retry" | "on_chain" | "waited" | "connected" | "another" }
  | { readonly type: "found"; readonly wallet: string | undefined; readonly right: boolean }
  | { readonly type: "sent"; readonly tx: Hash }
  | { readonly type: "pending"; readonly after: number }
  | { readonly type: "live"; readonly slug: string }
  | { readonly type: "failed"; readonly problem: MintProblem };

/** Where a visit begins: with the confirmation, where a transaction was sent before. */
export function begin(tx: Hash | undefined): MintPhase {
  return tx === undefined ? { name: "idle" } : { name: "confirm", tx, asked: 0 };
}

/** The next phase. Events that do not belong to the phase change nothing: they are late. */
export function advance(phase: MintPhase, event: MintEvent): MintPhase {
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
      return hasTask(phase) ? stopped(phase, event.problem) : phase;
  }
}

/** Whether the runner has something to do, or the person has. */
export function hasTask({ name }: MintPhase): boolean {
  return !["idle", "connect", "live", "stopped"].includes(name);
}

function stopped(phase: MintPhase, problem: MintProblem): MintPhase {
  const anew = problem.code === "gone" || needsAnother(problem) || !("tx" in phase);
  return { name: "stopped", problem, back: anew ? { name: "finding" } : phase };
}

export const stepNames = ["wallet", "network", "register", "confirm", "live"] as const;
export type StepName = (typeof stepNames)[number];

/** The step that a phase belongs to. */
function stepOf(phase: MintPhase): StepName {
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
      return stoppedAt(phase);
  }
}

/** How a step is shown while a mint is in a phase. */
export function stateOf(name: StepName, phase: MintPhase): StepState {
  if (phase.name === "live") return "done";
  const ahead = stepNames.indexOf(name) - stepNames.indexOf(stepOf(phase));
  if (ahead !== 0) return ahead < 0 ? "done" : "waiting";
  if (phase.name === "stopped") return "failed";
  return phase.name === "idle" || phase.name === "connect" ? "current" : "busy";
}

/** Where it stopped, which is not always where another try goes on. */
function stoppedAt({ problem, back }: Extract<MintPhase, { name: "stopped" }>): StepName {
  switch (problem.code) {
    case "rejected":
    case "busy":
    case "walletFailed":
      return "register";
    case "network":
      return "network";
    case "gone":
      return "wallet";
    default:
      return back.name === "finding" || "tx" in back ? "confirm" : stepOf(back);
  }
}

export type MintProblemCode =
  | "rejected"
  | "busy"
  | "gone"
  | "walletFailed"
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

/** Why a mint stopped. `detail` is what wallet or service said of it. */
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

/** What a confirmation's failure says; codes are the service's (`RefusalCode`). */
export function confirmProblem(error: unknown): MintProblem {
  if (!(error instanceof ApiProblem)) return { code: "unavailable", detail: String(error) };
  const { status, code = "", message: detail, requestId } = error;
  const told = refusals[code];
  if (told !== undefined) return { code: told, requestId };
  if (status === 401) return { code: "signIn" };
  if (status === undefined || status >= 500) return { code: "unavailable", detail, requestId };
  return { code: "refused", detail, requestId };
}

/** What a wallet's failure says. */
export function walletMintProblem(error: unknown): MintProblem {
  if (error instanceof ApiProblem) return { code: "unavailable", detail: error.message };
  if (error instanceof OtherNetwork) return { code: "network" };
  if (!(error instanceof WalletProblem)) return { code: "walletFailed", detail: String(error) };
  return error.kind === "failed" ? { code: "walletFailed", detail: error.message } : { code: error.kind };
}

/** Whether the transaction is of no use any more, so that another one has to be sent. */
export function needsAnother({ code }: MintProblem): boolean {
  return ["transactionFailed", "wrongSender", "noIdentity", "wrongUri", "used"].includes(code);
}

/** Whether the same confirmation is asked for again by itself. */
export function isPassing(error: unknown): error is ApiProblem {
  return (
    error instanceof ApiProblem &&
    error.code !== "confirmation_timed_out" &&
    (error.status === undefined || error.status >= 500 || error.status === 429)
  );
}
