import type { ReactNode } from "react";
import type { FullReport, Issue } from "../../../../core/audit/schema.ts";
import type { AuditedPress } from "../../api/publish.ts";
import { formatDollars, formatMoment } from "../../format.ts";
import { severityTones } from "../../press/audit.tsx";
import { Checks } from "../../press/checks.tsx";
import { audit as words } from "../../strings/publish.ts";
import { press } from "../../strings/reader.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/page.tsx";
import { Badge, Score } from "../../ui/status.tsx";
import { type DeskState, isUnsaved } from "../editor/desk.ts";
import type { FieldMap } from "../editor/fields.tsx";
import type { Text } from "../editor/text.ts";
import { Disputing } from "./dispute.tsx";
import { jumpTo } from "./jump.ts";
import { placeOf } from "./place.ts";

type ReportProps = {
  readonly audit: FullReport;
  readonly own: AuditedPress;
  readonly state: DeskState;
  readonly fields: FieldMap;
};

const tones = { approve: "accent", revise: "warn", reject: "bad" } as const;

/** The latest audit, each issue with the way to its place in the text. */
export function Report({ audit, own, state, fields }: ReportProps) {
  const { verdict, score, summary, issues, facts, engine, auditedAt } = audit;
  const outdated = isUnsaved(state) || own.press.status === "draft";
  const { symbol, mid } = facts.quote;
  return (
    <Card
      heading={`${words.title}: ${words.verdicts[verdict]}`}
      aside={<Badge tone={tones[verdict]}>{words.verdicts[verdict]}</Badge>}
    >
      <div className="grid gap-4 text-sm">
        {outdated && <p className="rounded-lg bg-warn-soft px-3 py-2 text-warn">{words.outdated}</p>}
        <div role="status" className="flex items-center gap-4">
          <Score score={score} size="large" />
          <p className="min-w-0 flex-1">{summary}</p>
        </div>
        {issues.length === 0 ? (
          <p className="text-quiet">{words.noIssues}</p>
        ) : (
          <div className="grid gap-3">
            <h3 className="font-semibold">{words.issues}</h3>
            <ul className="grid gap-3">
              {issues.map((issue, index) => (
                <Finding
                  key={`${issue.check} ${issue.detail}`}
                  issue={issue}
                  text={state.text}
                  fields={fields}
                >
                  <Disputing
                    id={own.press.id}
                    auditedAt={auditedAt}
                    issue={index}
                    dispute={audit.disputes?.find((dispute) => dispute.issue === index)}
                  />
                </Finding>
              ))}
            </ul>
          </div>
        )}
        <Checks checks={audit.checks} reading={audit.reading} />
        <p className="border-t border-line pt-3 text-xs text-quiet">
          {facts.publisherHolds ? words.holding(symbol) : words.holdingNone(symbol)}{" "}
          {words.quote(`${symbol} ${formatDollars(mid)}`)}. {words.by(engine)},{" "}
          <time dateTime={auditedAt}>{formatMoment(auditedAt)}</time>
        </p>
      </div>
    </Card>
  );
}

type WhereProps = { readonly issue: Issue; readonly text: Text; readonly fields: FieldMap };
type FindingProps = WhereProps & { readonly children: ReactNode };

function Finding({ issue, text, fields, children }: FindingProps) {
  const { severity, check, detail } = issue;
  return (
    <li className="grid justify-items-start gap-1.5 border-t border-line pt-3">
      <span className="flex flex-wrap items-center gap-2">
        <Badge tone={severityTones[severity]}>{press.severities[severity]}</Badge>
        <code className="text-xs text-quiet">{check}</code>
      </span>
      <span className="min-w-0 [overflow-wrap:anywhere]">{detail}</span>
      <Where issue={issue} text={text} fields={fields} />
      {children}
    </li>
  );
}

function Where({ issue, text, fields }: WhereProps) {
  const place = placeOf(issue, text);
  if (place.kind === "whole") return <span className="text-xs text-quiet">{words.whole}</span>;
  const { part } = place;
  const show = () => {
    fields[part].reveal.current();
    jumpTo(fields[part].element(), place.kind === "words" ? place : undefined);
  };
  return (
    <Button size="small" onClick={show}>
      {place.kind === "words" ? words.show(part) : words.goTo(part)}
    </Button>
  );
}
