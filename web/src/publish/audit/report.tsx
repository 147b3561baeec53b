import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useDeferredValue, useMemo, useState } from "react";
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
import { findPlace, type IssuePlace, makeFix, type TextPart, type WordRange } from "./place.ts";

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
        <Button type="submit" look="secondary" size="small" busy={isPending} disabled={text.trim() === ""}>
          {words.saveDispute}
        </Button>
        <Button look="plain" size="small" onClick={() => setText(undefined)}>
          {common.cancel}
        </Button>
      </span>
    </Form>
  );
}

/**
 * The issues with their places in the text. The places are found after the fields show a change, because the search for places would
 * otherwise delay typing.
 */
export function usePlaces(issues: readonly Issue[], current: DraftText) {
  const text = useDeferredValue(current);
  return useMemo(() => issues.map((issue) => ({ issue, place: findPlace(issue, text) })), [issues, text]);
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
  const places = usePlaces(issues, state.text);
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
            {places.map((found, index) => (
              <OwnFinding
                key={`${found.issue.check} ${found.issue.detail}`}
                {...found}
                draft={draft}
                checks={audit.checks}
                outdated={outdated}
                fields={fields}
                fix={<FixButton {...found} draft={draft} state={state} symbol={symbol} fields={fields} />}
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

type PlaceLinkProps = Pick<ReportProps, "draft" | "fields"> & {
  readonly issue: Issue;
  readonly place: IssuePlace;
};
type OwnFindingProps = PlaceLinkProps & {
  readonly checks: FullReport["checks"];
  /** Whether the text has changed since the audit. */
  readonly outdated: boolean;
  readonly fix: ReactNode;
  readonly children: ReactNode;
};

function OwnFinding({ checks, outdated, fix, children, ...link }: OwnFindingProps) {
  const { issue, place } = link;
  const isThere = place.kind === "words";
  const [wasThere, setWasThere] = useState(isThere);
  if (isThere && !wasThere) setWasThere(true);
  // A finding can also quote words that were never in this article.
  const isGone = outdated && wasThere && !isThere;
  return (
    <Finding issue={issue} checks={checks}>
      {isGone && <span className="text-xs text-warn">{words.gone}</span>}
      <div className="flex w-full flex-wrap items-center gap-2">
        {fix}
        <PlaceLink {...link} />
        {children}
      </div>
    </Finding>
  );
}

type FixProps = PlaceLinkProps & { readonly state: DraftState; readonly symbol: string };

/** The button that fixes a finding with one click and shows the change to the publisher. */
function FixButton({ draft, issue, place, state, symbol, fields }: FixProps) {
  const shown = makeFix(issue, place, state.text, symbol);
  if (shown === undefined || state.locked) return null;
  const apply = () => {
    // The text may have changed since the shown place was found, so the place is found again.
    const { text } = draft.state();
    const fix = makeFix(issue, findPlace(issue, text), text, symbol);
    if (fix === undefined) return;
    draft.edit(fix.changes);
    fields[fix.part].reveal.current();
    // The page jumps to the corrected place only after the field shows the new text.
    requestAnimationFrame(() => jumpTo(fields[fix.part], fix));
  };
  return (
    <Button look="primary" size="small" onClick={apply}>
      {words.fixes[shown.kind]}
    </Button>
  );
}

function PlaceLink({ draft, issue, place, fields }: PlaceLinkProps) {
  if (place.kind === "whole") return <span className="text-xs text-quiet">{words.whole}</span>;
  const { part } = place;
  const show = () => {
    const now = findPlace(issue, draft.state().text);
    fields[part].reveal.current();
    jumpTo(fields[part], now.kind === "words" && now.part === part ? now : undefined);
  };
  return (
    <Button size="small" onClick={show}>
      {place.kind === "words" ? words.show(part) : words.goTo(part)}
    </Button>
  );
}
