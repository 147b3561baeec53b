import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { type Dispute, type FullReport, type Issue, longestDispute } from "../../../../core/audit/schema.ts";
import { type AuditedPress, disputeFinding, queryOwnPress } from "../../api/publish.ts";
import { queryClient } from "../../api/request.ts";
import { formatDollars, formatToMinute } from "../../format.ts";
import { DisputeText, Finding, FoldedChecks } from "../../press/audit.tsx";
import { common } from "../../strings/common.ts";
import { audit as words } from "../../strings/editor.ts";
import { press } from "../../strings/reader.ts";
import { Button } from "../../ui/button.tsx";
import { Field, Form, TextArea } from "../../ui/field.tsx";
import { Card } from "../../ui/page.tsx";
import { Alert, Score } from "../../ui/status.tsx";
import { type Draft, type DraftState, isUnsaved } from "../editor/draft.ts";
import type { FieldMap } from "../editor/fields.tsx";
import type { DraftText } from "../editor/text.ts";
import { findPlace, makeFix, type TextPart, type WordRange } from "./place.ts";

/**
 * Shows the publisher certain words in a field: selects the words, scrolls to them and focuses the field. After the jump, the arrow keys
 * move the caret from the selected words. If no words are given, the function only focuses the field.
 */
function jumpTo(handle: FieldMap[TextPart], words?: WordRange): void {
  const { current: show } = handle.show;
  if (show !== undefined) {
    show(words);
    return;
  }
  const field = handle.element();
  if (field === null) return;
  if (words !== undefined && (field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement)) {
    // A browser scrolls to the selection of a field that gets the focus.
    field.blur();
    field.setSelectionRange(words.from, words.to);
  }
  field.focus();
}

type DisputeFormProps = {
  readonly id: number;
  readonly auditedAt: string;
  readonly issue: number;
  readonly dispute: Dispute | undefined;
};

/** The form in which a publisher adds, changes or withdraws the dispute of a finding. */
function DisputeForm({ id, auditedAt, issue, dispute }: DisputeFormProps) {
  const [text, setText] = useState<string>();
  const { mutate, error, isPending } = useMutation({
    mutationFn: (answer: string | null) => disputeFinding({ id, auditedAt, issue, text: answer }),
    onSuccess: ({ disputes }) => {
      queryClient.setQueryData(queryOwnPress(id).queryKey, (known) =>
        known?.audit?.auditedAt === auditedAt ? { ...known, audit: { ...known.audit, disputes } } : known,
      );
      setText(undefined);
    },
  });
  const submit = () => {
    if (text !== undefined && text.trim() !== "" && !isPending) mutate(text);
  };
  if (text === undefined && dispute === undefined) {
    return (
      <Button size="small" onClick={() => setText("")}>
        {words.dispute}
      </Button>
    );
  }
  if (text === undefined) {
    return (
      <div className="grid basis-full justify-items-start gap-1.5">
        {dispute !== undefined && <DisputeText text={dispute.text} />}
        <span className="flex flex-wrap gap-2">
          <Button size="small" onClick={() => setText(dispute?.text ?? "")}>
            {words.changeDispute}
          </Button>
          <Button size="small" busy={isPending} onClick={() => mutate(null)}>
            {words.endDispute}
          </Button>
        </span>
        <Alert>{error?.message}</Alert>
      </div>
    );
  }
  return (
    <Form onSubmit={submit} className="grid w-full gap-2">
      <Field label={words.disputeLabel} hint={words.disputeHint} error={error?.message}>
        <TextArea value={text} rows={3} maxLength={longestDispute} onValueChange={setText} />
      </Field>
      <span className="flex flex-wrap gap-2">
        <Button type="submit" look="secondary" size="small" busy={isPending}>
          {words.saveDispute}
        </Button>
        <Button look="plain" size="small" onClick={() => setText(undefined)}>
          {common.cancel}
        </Button>
      </span>
    </Form>
  );
}

type ReportProps = {
  readonly draft: Draft;
  readonly audit: FullReport;
  readonly own: AuditedPress;
  readonly state: DraftState;
  readonly fields: FieldMap;
};

/** The report of the latest audit. Each issue links to its place in the text. */
export function Report({ draft, audit, own, state, fields }: ReportProps) {
  const { verdict, score, summary, issues, facts, engine, auditedAt } = audit;
  const outdated = isUnsaved(state) || own.press.status === "draft";
  const { symbol, mid } = facts.quote;
  return (
    <Card heading={`${words.title}: ${press.verdicts[verdict]}`} className="text-sm">
      {outdated && <p className="rounded-lg bg-warn-soft px-3 py-2 text-warn">{words.outdated}</p>}
      <div role="status" className="flex items-center gap-4">
        <Score score={score} verdict={verdict} size="large" />
        <p className="min-w-0 flex-1">{summary}</p>
      </div>
      {issues.length === 0 ? (
        <p className="text-quiet">{press.noIssues}</p>
      ) : (
        <div className="grid gap-3">
          <h3 className="font-semibold">{words.issues}</h3>
          <ul className="grid gap-3">
            {issues.map((issue, index) => (
              <OwnFinding
                key={`${issue.check} ${issue.detail}`}
                issue={issue}
                checks={audit.checks}
                text={state.text}
                outdated={outdated}
                fields={fields}
                fix={<FixButton draft={draft} issue={issue} state={state} symbol={symbol} fields={fields} />}
              >
                <DisputeForm
                  id={own.press.id}
                  auditedAt={auditedAt}
                  issue={index}
                  dispute={audit.disputes?.find((dispute) => dispute.issue === index)}
                />
              </OwnFinding>
            ))}
          </ul>
        </div>
      )}
      <FoldedChecks checks={audit.checks} reading={audit.reading} />
      <p className="border-t border-line pt-3 text-xs text-quiet">
        {facts.publisherHolds ? words.holding(symbol) : words.holdingNone(symbol)}{" "}
        {words.quote(`${symbol} ${formatDollars(mid)}`)}. {words.by(engine)},{" "}
        <time dateTime={auditedAt}>{formatToMinute(auditedAt)}</time>
      </p>
    </Card>
  );
}

type PlaceLinkProps = { readonly issue: Issue; readonly text: DraftText; readonly fields: FieldMap };
type OwnFindingProps = PlaceLinkProps & {
  readonly checks: FullReport["checks"];
  /** Whether the text has changed since the audit. */
  readonly outdated: boolean;
  readonly fix: ReactNode;
  readonly children: ReactNode;
};

function OwnFinding({ issue, checks, text, outdated, fields, fix, children }: OwnFindingProps) {
  const isThere = findPlace(issue, text).kind === "words";
  const [wasThere, setWasThere] = useState(isThere);
  if (isThere && !wasThere) setWasThere(true);
  // A finding may also quote words from elsewhere, which were never in this article.
  const isGone = outdated && wasThere && !isThere;
  return (
    <Finding issue={issue} checks={checks}>
      {isGone && <span className="text-xs text-warn">{words.gone}</span>}
      <div className="flex w-full flex-wrap items-center gap-2">
        {fix}
        <PlaceLink issue={issue} text={text} fields={fields} />
        {children}
      </div>
    </Finding>
  );
}

type FixProps = Pick<ReportProps, "draft" | "state" | "fields"> & {
  readonly issue: Issue;
  readonly symbol: string;
};

/** The button that fixes a finding with one click and shows the change to the publisher. */
function FixButton({ draft, issue, state, symbol, fields }: FixProps) {
  const fix = makeFix(issue, findPlace(issue, state.text), state.text, symbol);
  if (fix === undefined || state.locked) return null;
  const apply = () => {
    draft.edit(fix.changes);
    fields[fix.part].reveal.current();
    // The page jumps to the corrected place only after the field shows the new text.
    requestAnimationFrame(() => jumpTo(fields[fix.part], fix));
  };
  return (
    <Button look="primary" size="small" onClick={apply}>
      {words.fixes[fix.kind]}
    </Button>
  );
}

function PlaceLink({ issue, text, fields }: PlaceLinkProps) {
  const place = findPlace(issue, text);
  if (place.kind === "whole") return <span className="text-xs text-quiet">{words.whole}</span>;
  const { part } = place;
  const show = () => {
    fields[part].reveal.current();
    jumpTo(fields[part], place.kind === "words" ? place : undefined);
  };
  return (
    <Button size="small" onClick={show}>
      {place.kind === "words" ? words.show(part) : words.goTo(part)}
    </Button>
  );
}
