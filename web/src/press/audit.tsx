import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { FullReport, Issue } from "../../../core/audit/schema.ts";
import type { AuditSummary, Press } from "../../../core/press/schema.ts";
import { queryAuditReport } from "../api/press.ts";
import { formatToMinute } from "../format.ts";
import { common } from "../strings/common.ts";
import { press as words } from "../strings/reader.ts";
import { Button } from "../ui/button.tsx";
import { Card, TextSkeleton } from "../ui/page.tsx";
import { Badge, Score, type Tone } from "../ui/status.tsx";

/** The checks of an audit, which are hidden until the reader opens the list. Older reports have no list of checks. */
export function FoldedChecks({ checks, reading }: Pick<FullReport, "checks" | "reading">) {
  if (checks === undefined) return null;
  return (
    <details className="border-t border-line pt-3">
      <summary className="cursor-pointer font-medium">{words.checks(checks.length)}</summary>
      <div className="grid gap-3 pt-3">
        <Checks checks={checks} reading={reading} />
      </div>
    </details>
  );
}

/**
 * The name under which readers see a check. The check's name comes from the audit's report. If an older report does not contain the check's
 * name, the name is made from the check's id.
 */
function findLabel(check: string, checks: FullReport["checks"]): string {
  const label = checks?.find((one) => one.check === check)?.label;
  return label ?? check.charAt(0).toUpperCase() + check.slice(1).replaceAll("-", " ");
}

type ChecksProps = Pick<FullReport, "reading"> & { readonly checks: NonNullable<FullReport["checks"]> };

/** Shows the input of an audit, every check with its findings and limits, and a link to the explanation. */
export function Checks({ checks, reading }: ChecksProps) {
  return (
    <>
      {reading !== undefined && (
        <p className="text-quiet">{words.reading(reading.claims, reading.unsupported, reading.dropped)}</p>
      )}
      <dl className="grid gap-2 text-sm">
        {checks.map(({ check, by, found, cannotJudge }) => (
          <div key={check} className="grid gap-0.5">
            <dt className="flex flex-wrap items-baseline justify-between gap-x-3">
              <span className="font-medium">{findLabel(check, checks)}</span>
              <span className="text-xs text-quiet">
                {words.ranBy[by]}, {words.found(found)}
              </span>
            </dt>
            <dd className="text-xs text-quiet">{words.cannotJudge(cannotJudge)}</dd>
          </div>
        ))}
      </dl>
      <p>
        <Link to="/audit" className="link">
          {words.how}
        </Link>
      </p>
    </>
  );
}

type AuditProps = { readonly press: Pick<Press, "id" | "slug">; readonly audit: AuditSummary };

/** Shows the result of the audit: its verdict and every issue. */
export function Audit({ press, audit }: AuditProps) {
  const { data, error, refetch } = useQuery(queryAuditReport(press.id));
  return (
    <Card heading={words.audit} className="text-sm">
      <p className="flex items-center gap-4">
        <Score score={audit.score} verdict={audit.verdict} size="large" />
        <strong className="text-lg font-semibold">{words.verdicts[audit.verdict]}</strong>
      </p>
      <p>{audit.summary}</p>
      {data !== undefined && (
        <>
          {/* If there are no findings, the summary says that the audit found nothing. */}
          {data.issues.length > 0 && <Issues {...data} />}
          <FoldedChecks checks={data.checks} reading={data.reading} />
        </>
      )}
      {data === undefined && error === null && <TextSkeleton lines={2} />}
      {data === undefined && error !== null && (
        <div role="alert" className="grid justify-items-start gap-2">
          <p>{words.issuesFailed}</p>
          <Button size="small" onClick={() => void refetch()}>
            {common.retry}
          </Button>
        </div>
      )}
      <p>
        <Link to="/report/$slug" params={{ slug: press.slug }} className="link">
          {words.wholeReport}
        </Link>
      </p>
      <AuditorLine audit={audit} />
    </Card>
  );
}

/** Shows which model audited a text, and the time of the audit. */
export function AuditorLine({ audit: { engine, auditedAt } }: Pick<AuditProps, "audit">) {
  return (
    <p className="text-xs text-quiet">
      {words.auditedBy(engine)},{" "}
      <time dateTime={auditedAt} className="whitespace-nowrap">
        {formatToMinute(auditedAt)}
      </time>
    </p>
  );
}

const severityTones: Readonly<Record<Issue["severity"], Tone>> = {
  low: "neutral",
  medium: "warn",
  high: "bad",
  critical: "bad",
};

/** The issues of an audit, each with the publisher's dispute. */
export function Issues({
  issues,
  checks,
  disputes = [],
}: Pick<FullReport, "issues" | "checks" | "disputes">) {
  if (issues.length === 0) return <p className="text-quiet">{words.noIssues}</p>;
  return (
    <div className="grid gap-3">
      <h3 className="text-sm font-semibold">{words.issues}</h3>
      <ul className="grid gap-3">
        {issues.map(({ severity, check, detail }, index) => (
          <Finding key={`${severity} ${check} ${detail}`} issue={{ severity, check, detail }} checks={checks}>
            {disputes
              .filter(({ issue }) => issue === index)
              .map(({ text }) => (
                <DisputeText key={text} text={text} />
              ))}
          </Finding>
        ))}
      </ul>
    </div>
  );
}

type FindingProps = Pick<FullReport, "checks"> & { readonly issue: Issue; readonly children: ReactNode };

/** One issue of an audit, with the publisher's dispute of the issue. */
export function Finding({ issue: { severity, check, detail }, checks, children }: FindingProps) {
  return (
    <li className="grid justify-items-start gap-1.5 border-t border-line pt-3">
      <span className="flex flex-wrap items-center gap-2">
        <Badge tone={severityTones[severity]}>{words.severities[severity]}</Badge>
        <span className="text-xs font-medium text-quiet">{findLabel(check, checks)}</span>
      </span>
      <span className="min-w-0 [overflow-wrap:anywhere]">{detail}</span>
      {children}
    </li>
  );
}

export function DisputeText({ text }: { readonly text: string }) {
  return (
    <p className="border-l-2 border-edge pl-3 [overflow-wrap:anywhere]">
      <strong className="font-semibold">{words.disputed}</strong> {text}
    </p>
  );
}
