import type { ReactNode } from "react";
import { SignInCard } from "../../session/gate.tsx";
import { common } from "../../strings/common.ts";
import { publish } from "../../strings/publish.ts";
import { editor as words } from "../../strings/publish-editor.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { isSignInNeeded } from "../gate.tsx";
import { Conflict } from "./conflict.tsx";
import type { Desk } from "./desk.ts";
import type { DeskState } from "./desk-state.ts";

type SaveTroubleProps = { readonly desk: Desk; readonly state: DeskState };

/** Why a draft is not saved, and what to do. What is said of fields stands beside them. */
export function SaveTrouble({ desk, state }: SaveTroubleProps) {
  const { phase } = state;
  if (phase.name === "conflict") return <Conflict desk={desk} state={state} theirs={phase.theirs} />;
  if (phase.name !== "waiting" && phase.name !== "refused") return null;
  const { problem } = phase;
  if (isSignInNeeded(problem)) {
    return (
      <div role="alert">
        <SignInCard lead={publish.signInAgain} onSignedIn={desk.retry} />
      </div>
    );
  }
  if (phase.name === "waiting") {
    return (
      <Trouble title={words.waitingTitle} text={words.waiting}>
        <p className="text-sm text-quiet">{problem.message}</p>
        <Button onClick={desk.retry}>{common.retry}</Button>
      </Trouble>
    );
  }
  if (problem.code === "draft_limit") {
    const hours = words.hours(problem.retryAfter ?? 0);
    return <Trouble title={words.draftLimitTitle} text={words.draftLimit(hours)} />;
  }
  return (
    <Trouble title={words.refusedTitle} text={words.refused}>
      <p className="text-sm">{problem.message}</p>
      {problem.requestId !== undefined && (
        <p className="text-sm text-quiet">
          {common.requestId}: <code>{problem.requestId}</code>
        </p>
      )}
      <Button onClick={desk.retry}>{common.retry}</Button>
    </Trouble>
  );
}

type TroubleProps = { readonly title: string; readonly text: string; readonly children?: ReactNode };

function Trouble({ title, text, children }: TroubleProps) {
  return (
    <div role="alert">
      <Notice heading={title} tone="warn">
        <p>{text}</p>
        {children}
      </Notice>
    </div>
  );
}
