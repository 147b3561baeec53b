import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { AuditedPress } from "../../api/publish.ts";
import { ApiProblem } from "../../api/request.ts";
import { SignInButton } from "../../session/sign-in.tsx";
import { wallet } from "../../strings/account.ts";
import { common } from "../../strings/common.ts";
import { editor, audit as words } from "../../strings/publish.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Card } from "../../ui/page.tsx";
import type { Desk } from "../editor/desk.ts";
import { type DeskState, isUnsaved } from "../editor/desk.ts";
import { copyToNew } from "../editor/desks.ts";
import type { FieldMap } from "../editor/fields.tsx";
import type { FieldName } from "../editor/text.ts";
import { isSignInNeeded } from "../gate.tsx";
import { auditsLeft } from "./left.ts";
import { Progress } from "./progress.tsx";
import { Report } from "./report.tsx";
import { useAudit } from "./use-audit.ts";

type PanelProps = {
  readonly desk: Desk;
  readonly state: DeskState;
  readonly own: AuditedPress | undefined;
  readonly fields: FieldMap;
  /** Shows what a save would refuse, and answers in which fields. */
  readonly onFaults: () => readonly FieldName[];
};

/** The audit beside the text: how to run it, what it found and where. */
export function AuditPanel({ desk, state, own, fields, onFaults }: PanelProps) {
  const { run, error, isPending, elsewhere } = useAudit(desk, own);
  const [missing, setMissing] = useState<readonly FieldName[]>([]);
  const left = auditsLeft(own);
  const running = isPending || state.locked || elsewhere;
  const start = () => {
    const faults = onFaults();
    setMissing(faults);
    if (faults.length === 0) run();
  };
  const approved = own?.press.status === "approved" && !isUnsaved(state);
  return (
    <aside
      aria-label={words.title}
      className="grid min-w-0 content-start gap-5 lg:sticky lg:top-24 lg:max-h-[calc(100dvh-7rem)] lg:self-start lg:overflow-y-auto lg:pb-2"
    >
      <Card heading={words.title} aside={<span className="text-xs text-quiet">{words.left(left)}</span>}>
        <div className="grid gap-4 text-sm">
          <p className="text-quiet">{left === 0 ? words.none : words.lead}</p>
          {approved && !running && (
            <ButtonLink
              look="primary"
              size="large"
              to="/publish/$id/mint"
              params={{ id: String(own.press.id) }}
            >
              {editor.mint}
            </ButtonLink>
          )}
          {running ? (
            <Progress elsewhere={elsewhere} />
          ) : left === 0 ? (
            <AnotherPress state={state} />
          ) : (
            <Button look={approved ? "plain" : "primary"} size="large" onClick={start}>
              {own?.audit == null ? words.run : words.again}
            </Button>
          )}
          {missing.length > 0 && !running && (
            <p role="alert" className="text-bad">
              {words.faults(missing.map((name) => editor.labels[name]))}
            </p>
          )}
          {error !== null && !running && <Refusal error={error} onSignedIn={start} />}
        </div>
      </Card>
      {own?.audit != null && <Report audit={own.audit} own={own} state={state} fields={fields} />}
    </aside>
  );
}

/** What is left to a press without audits. */
function AnotherPress({ state }: { readonly state: DeskState }) {
  const navigate = useNavigate();
  const copy = () => {
    const draft = copyToNew(state.wallet, state.text);
    void navigate({ to: "/publish/edit", search: { draft } });
  };
  return (
    <>
      <p>{words.noneLead}</p>
      <Button onClick={copy}>{words.copy}</Button>
    </>
  );
}

type RefusalProps = { readonly error: Error; readonly onSignedIn: () => void };

function Refusal({ error, onSignedIn }: RefusalProps) {
  const problem = error instanceof ApiProblem ? error : undefined;
  const isSpent = problem?.code === "model_budget_spent";
  const unavailable = !isSpent && (problem?.status === undefined || problem.status >= 500);
  return (
    <div role="alert" className="grid gap-1 rounded-xl border border-warn bg-warn-soft p-4">
      <p className="font-semibold">
        {problem !== undefined && unavailable ? words.unavailableTitle : words.failedTitle}
      </p>
      <p>{problem !== undefined && unavailable ? words.unavailable : error.message}</p>
      {isSignInNeeded(error) && <SignInButton onSignedIn={onSignedIn}>{wallet.signIn}</SignInButton>}
      {problem?.requestId !== undefined && (
        <p className="text-xs text-quiet">
          {common.requestId}: <code>{problem.requestId}</code>
        </p>
      )}
    </div>
  );
}
