import { ApiProblem } from "../../api/request.ts";
import { SignInButton } from "../../session/sign-in.tsx";
import { wallet } from "../../strings/account.ts";
import { editor, assist as words } from "../../strings/publish.ts";
import { isSignInNeeded } from "../gate.tsx";

/** Refusals that say themselves that the try does not count. */
const saysSo = ["model_unavailable", "model_budget_spent"];

type AssistProblemProps = {
  readonly title: string;
  readonly error: Error;
  /** Whether a failure leaves the day's count as it was. */
  readonly counted?: false;
  /** Goes on with what a sign-in was missing for. */
  readonly onSignedIn: () => void;
};

/** Why there are no angles, or no draft. */
export function AssistProblem({ title, error, counted, onSignedIn }: AssistProblemProps) {
  const problem = error instanceof ApiProblem ? error : undefined;
  const none = problem?.code === "generation_limit";
  return (
    <div role="alert" className="grid w-full gap-1 rounded-xl border border-warn bg-warn-soft p-4">
      <p className="font-semibold">{none ? words.noneLeft : title}</p>
      <p>{none ? words.resets(editor.hours(problem.retryAfter ?? 0)) : error.message}</p>
      {isSignInNeeded(error) && <SignInButton onSignedIn={onSignedIn}>{wallet.signIn}</SignInButton>}
      {problem?.status === 503 && counted === false && !saysSo.includes(problem.code ?? "") && (
        <p>{words.notCounted}</p>
      )}
    </div>
  );
}
