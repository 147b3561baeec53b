import { SignInCard } from "../../session/gate.tsx";
import { common } from "../../strings/common.ts";
import { publish } from "../../strings/publish.ts";
import { mint as words } from "../../strings/publish-mint.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import type { MintPhase } from "./machine.ts";
import type { Mint } from "./runner.ts";

type TroubleProps = {
  readonly phase: Extract<MintPhase, { name: "stopped" }>;
  readonly id: number;
  readonly tell: Mint["tell"];
};

/** Why a mint stopped, and the next thing to do. */
export function MintTrouble({ phase: { problem }, id, tell }: TroubleProps) {
  const { title, text, action } = words.problems[problem.code];
  const retry = () => tell({ type: "retry" });
  if (problem.code === "signIn") return <SignInCard lead={publish.signInAgain} onSignedIn={retry} />;
  return (
    <div
      role="alert"
      className="grid justify-items-start gap-3 rounded-2xl border border-warn bg-warn-soft p-4 text-sm"
    >
      <p className="text-base font-semibold">{title}</p>
      <p>{text}</p>
      {problem.detail !== undefined && (
        <p className="text-quiet [overflow-wrap:anywhere]">{problem.detail}</p>
      )}
      {problem.requestId !== undefined && (
        <p className="text-quiet">
          {common.requestId}: <code>{problem.requestId}</code>
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        <Button look="primary" onClick={retry}>
          {action}
        </Button>
        {problem.code === "notApproved" && (
          <ButtonLink to="/publish/edit" search={{ id: String(id) }}>
            {words.toEditor}
          </ButtonLink>
        )}
      </div>
    </div>
  );
}
