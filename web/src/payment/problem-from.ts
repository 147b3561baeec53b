import { ApiProblem } from "../api/request.ts";
import { NotKept } from "../store/kept.ts";
import { ChainSilent, WalletProblem } from "../wallet/problem.ts";
import type { Problem } from "./problem.ts";

/** A problem that a task found by itself, as an error. */
export class PaymentStop extends Error {
  override readonly name = "PaymentStop";
  readonly problem: Problem;

  constructor(problem: Problem, cause?: unknown) {
    super(problem.code, { cause });
    this.problem = problem;
  }
}

/** What an error of a task means to the payer. What nobody expected is reported with its cause. */
export function problemFrom(error: unknown): Problem {
  if (error instanceof PaymentStop) return error.problem;
  if (error instanceof NotKept) return { code: "notKept" };
  if (error instanceof ChainSilent) return { code: "chain" };
  if (error instanceof WalletProblem) {
    if (error.kind !== "failed") return { code: error.kind };
    return { code: "walletFailed", detail: error.message };
  }
  if (error instanceof ApiProblem) {
    const code = error.kind === "unreachable" ? "unreachable" : "refused";
    return { code, detail: error.message, requestId: error.requestId };
  }
  console.error("A payment met an unexpected error.", error);
  return { code: "unreachable" };
}
