import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { auditLimit } from "../../../../core/audit/schema.ts";
import { type AuditedPress, auditPress, dashboard, queryOwnPress } from "../../api/publish.ts";
import { ApiProblem, isSignInNeeded, queryClient } from "../../api/request.ts";
import { SignInButton } from "../../session/sign-in.tsx";
import { wallet } from "../../strings/common.ts";
import { editor, audit as words } from "../../strings/editor.ts";
import { Button, ButtonLink, Spinner } from "../../ui/button.tsx";
import { Card } from "../../ui/page.tsx";
import { Alert, RequestId } from "../../ui/status.tsx";
import { Problem } from "../../ui/steps.tsx";
import { requestGeneration } from "../assist/assist.tsx";
import { type Draft, type DraftState, isUnsaved } from "../editor/draft.ts";
import type { FieldMap } from "../editor/fields.tsx";
import { copyToNewDraft } from "../editor/open-drafts.ts";
import type { FieldName } from "../editor/text.ts";
import { Report } from "./report.tsx";

/**
 * The number of audits that are still allowed for a press (specification §8). A press that is not saved yet has used none of its audits.
 */
export function countAuditsLeft(own: Pick<AuditedPress, "auditCount"> | undefined): number {
  return Math.max(0, auditLimit - (own?.auditCount ?? 0));
}

/** The text cannot be audited now, because it could not be saved, or because an AI draft will replace it. */
class NotAudited extends Error {
  override readonly name = "NotAudited";
}

/** Milliseconds between two polls for the result of an audit that another tab has begun. */
const lookEvery = 2_500;

/** Runs audits of a draft; the draft cannot be edited while an audit runs. */
function useAudit(draft: Draft, own: AuditedPress | undefined) {
  const elsewhere = useOtherAudit(own);
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => runAudit(draft),
    onError: (problem) => {
      if (problem instanceof ApiProblem && problem.code === "audit_running") elsewhere.wait();
    },
  });
  return {
    run: () => mutate(),
    error: elsewhere.waiting ? null : error,
    isPending,
    elsewhere: elsewhere.waiting,
  };
}

/** Throws NotAudited and ApiProblem. */
export async function runAudit(draft: Draft): Promise<void> {
  await draft.flush();
  const { id } = draft.state();
  if (id === undefined || isUnsaved(draft.state())) throw new NotAudited(words.unsaved);
  if (queryClient.isMutating(requestGeneration(draft)) > 0) throw new NotAudited(words.generating);
  draft.lock(true);
  try {
    const { status, audit, metaUrl } = await auditPress(id);
    queryClient.setQueryData(queryOwnPress(id).queryKey, (known) =>
      known === undefined
        ? undefined
        : {
            ...known,
            audit,
            metaUrl: status === "approved" ? metaUrl : null,
            auditCount: known.auditCount + 1,
            press: { ...known.press, status, auditScore: audit.score },
          },
    );
  } finally {
    draft.lock(false);
    // If the answer to an audit was lost, the service may still have stored the audit's report, so the page reads the press again.
    void queryClient.invalidateQueries({ queryKey: queryOwnPress(id).queryKey });
    void queryClient.invalidateQueries({ queryKey: dashboard.queryKey });
  }
}

/** Polls for the result of an audit that was begun in another tab, or in this tab before a reload. */
function useOtherAudit(own: AuditedPress | undefined) {
  const [since, setSince] = useState<string>();
  const id = own?.press.id;
  // The number of audits does not show that a result exists: an audit counts as soon as the model is asked.
  const latest = own?.audit?.auditedAt ?? "none";
  const waiting = since === latest;
  useQuery({ ...queryOwnPress(id ?? 0), enabled: waiting, refetchInterval: lookEvery });
  useEffect(() => {
    if (!waiting) return;
    // No audit takes longer than 40 seconds, so an audit without a result after this time has failed.
    const timer = setTimeout(() => setSince(undefined), 40_000);
    return () => clearTimeout(timer);
  }, [waiting]);
  return { waiting, wait: () => setSince(latest) };
}

/** The progress of a running audit, with the seconds since its start. */
function Progress({ elsewhere }: { readonly elsewhere: boolean }) {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const start = Date.now();
    const timer = setInterval(() => setSeconds(Math.floor((Date.now() - start) / 1000)), 1_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <div className="grid gap-1 rounded-xl bg-sunk p-4">
      <div className="flex items-center gap-3 font-medium text-accent">
        <Spinner />
        <p role="status" className="flex-1">
          {words.running}
        </p>
        <span aria-hidden="true" className="figure text-quiet">
          {words.seconds(seconds)}
        </span>
      </div>
      <p className="text-quiet">
        {elsewhere ? words.elsewhere : `${words.runningLead} ${editor.auditLocked}`}
      </p>
    </div>
  );
}

type PanelProps = {
  readonly draft: Draft;
  readonly state: DraftState;
  readonly own: AuditedPress | undefined;
  readonly fields: FieldMap;
  /** Shows the faults for which the service would refuse to save the text. Returns the fields that have at least one fault. */
  readonly onFaults: () => readonly FieldName[];
};

/**
 * The audit panel beside the text: the button that runs an audit, and the audit's findings with links to the words that the findings
 * concern.
 */
export function AuditPanel({ draft, state, own, fields, onFaults }: PanelProps) {
  const { run, error, isPending, elsewhere } = useAudit(draft, own);
  const [missing, setMissing] = useState<readonly FieldName[]>([]);
  const panel = useRef<HTMLElement>(null);
  const left = countAuditsLeft(own);
  const running = isPending || state.locked || elsewhere;
  const found = own?.audit?.issues.length ?? 0;
  const toPanel = () => panel.current?.scrollIntoView({ block: "start" });
  const start = () => {
    const faults = onFaults();
    setMissing(faults);
    // On a phone, the panel is below the text, but the button for the audit is always visible. When the publisher clicks the button for the
    // audit, the page therefore scrolls to the audit panel.
    panel.current?.scrollIntoView({ block: "nearest" });
    if (faults.length === 0) run();
  };
  const approved = own?.press.status === "approved" && !isUnsaved(state);
  return (
    <aside
      ref={panel}
      aria-label={words.title}
      className="grid min-w-0 content-start gap-5 lg:sticky lg:top-24 lg:max-h-[calc(100dvh-7rem)] lg:self-start lg:overflow-y-auto lg:pb-2"
    >
      <Card
        heading={words.title}
        aside={<span className="text-xs text-quiet">{words.left(left)}</span>}
        className="text-sm lg:sticky lg:top-0 lg:z-10"
      >
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
          <NewPressHint state={state} />
        ) : (
          <div className={approved ? "contents" : "in-reach flex gap-3"}>
            {!approved && found > 0 && (
              <Button size="large" className="lg:hidden" onClick={toPanel}>
                {words.findings(found)}
              </Button>
            )}
            <Button
              look={approved ? "plain" : "primary"}
              size="large"
              className={approved ? undefined : "flex-1"}
              onClick={start}
            >
              {own?.audit == null ? words.run : words.again}
            </Button>
          </div>
        )}
        {missing.length > 0 && !running && (
          <Alert>{words.faults(missing.map((name) => editor.labels[name]))}</Alert>
        )}
        {error !== null && !running && <Refusal error={error} onSignedIn={start} />}
      </Card>
      {own?.audit != null && (
        <Report draft={draft} audit={own.audit} own={own} state={state} fields={fields} />
      )}
    </aside>
  );
}

/** Tells publishers how to continue if no audits are left for their press. */
function NewPressHint({ state }: { readonly state: DraftState }) {
  const navigate = useNavigate();
  const copy = () => {
    const draft = copyToNewDraft(state.wallet, state.text);
    void navigate({ to: "/publish/edit", search: { draft } });
  };
  return (
    <>
      <p>{words.noneLead}</p>
      <Button onClick={copy}>{words.copy}</Button>
    </>
  );
}

function Refusal({ error, onSignedIn }: { readonly error: Error; readonly onSignedIn: () => void }) {
  const problem = error instanceof ApiProblem ? error : undefined;
  const isSpent = problem?.code === "model_budget_spent";
  const unavailable = !isSpent && (problem?.status === undefined || problem.status >= 500);
  return (
    <Problem title={problem !== undefined && unavailable ? words.unavailableTitle : words.failedTitle}>
      {/* After any other failure, the run may have counted. */}
      <p>{problem?.code === "audit_unavailable" ? words.unavailable : error.message}</p>
      {isSignInNeeded(error) && <SignInButton onSignedIn={onSignedIn}>{wallet.signIn}</SignInButton>}
      <RequestId id={problem?.requestId} />
    </Problem>
  );
}
