import { problems } from "../strings/purse.ts";
import { WalletProblem } from "../wallet/state.ts";

/**
 * Why a purse did not do what it was asked. In none of these cases anything was signed.
 *
 * - `cancelled`: the person declined, took too long, or there is no passkey for it: browsers do not say which.
 * - `noSecret`: the passkey, or the browser, yields no secret bytes (WebAuthn's PRF).
 * - `unsteady`: two questions yielded two secrets.
 * - `other`: another passkey answered than that of this purse.
 * - `gone`: this browser knows of no purse.
 * - `refused`: it is not on the list of what a purse signs.
 * - `failed`: anything else; the cause says what.
 */
export type PurseProblemKind = keyof typeof problems;

export class PurseProblem extends WalletProblem {
  constructor(kind: PurseProblemKind, { cause }: { readonly cause?: unknown } = {}) {
    super("passkey", problems[kind], cause);
  }
}
