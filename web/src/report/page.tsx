import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { FullReport } from "../../../core/audit/schema.ts";
import type { PressDetail } from "../../../core/press/schema.ts";
import { queryAuditReport, queryPressDetail } from "../api/press.ts";
import { isMissingError } from "../api/request.ts";
import { formatDollars } from "../format.ts";
import { AuditorLine, Checks, Issues } from "../press/audit.tsx";
import { MissingPage } from "../shell/shell.tsx";
import { report as words } from "../strings/how.ts";
import { press } from "../strings/reader.ts";
import { ExplorerLink, Page, Pair, Section, TermList } from "../ui/page.tsx";
import { QueryView, Score } from "../ui/status.tsx";

const route = getRouteApi("/report/$slug");

/** The page with the whole audit of a live press, for people. Programs can get the same audit as JSON. */
export function ReportPage() {
  const { slug } = route.useParams();
  const query = useQuery(queryPressDetail(slug));
  const { data, error } = query;
  if (isMissingError(error)) return <MissingPage />;
  return (
    <Page
      narrow
      title={words.title}
      lead={
        data && (
          <Link to="/press/$slug" params={{ slug }} className="link">
            {data.press.headline}
          </Link>
        )
      }
    >
      <QueryView query={query} failed={words.failed} loading={words.loading}>
        {(detail) => <Report detail={detail} />}
      </QueryView>
    </Page>
  );
}

function Report({ detail: { press, audit } }: { readonly detail: PressDetail }) {
  const query = useQuery(queryAuditReport(press.id));
  return (
    <div className="grid gap-10">
      <AuditResult audit={audit} />
      <QueryView query={query} failed={words.failed} loading={words.loading}>
        {(report) => (
          <>
            <Findings report={report} />
            <VerdictProof press={press} />
          </>
        )}
      </QueryView>
    </div>
  );
}

function VerdictProof({ press }: Pick<PressDetail, "press">) {
  return (
    <Section heading={words.proof}>
      <p>{words.proofLead}</p>
      <TermList>
        {press.auditTx !== null && (
          <Pair term={words.posted}>
            <ExplorerLink kind="transaction" value={press.auditTx} />
          </Pair>
        )}
        <Pair term={words.file}>
          <a className="link" href={`/api/audit-report/${press.id}`}>
            {words.json}
          </a>
        </Pair>
      </TermList>
    </Section>
  );
}

function AuditResult({ audit }: Pick<PressDetail, "audit">) {
  return (
    <section aria-label={words.result} className="grid gap-4">
      <p className="flex items-center gap-4">
        <Score score={audit.score} verdict={audit.verdict} size="large" />
        <strong className="headline text-title">{press.verdicts[audit.verdict]}</strong>
      </p>
      <p className="text-lg">{audit.summary}</p>
      <AuditorLine audit={audit} />
    </section>
  );
}

function Findings({ report }: { readonly report: FullReport }) {
  const { facts, checks, reading } = report;
  const { symbol, mid } = facts.quote;
  return (
    <>
      <Section heading={words.findings}>
        <Issues {...report} />
      </Section>
      <Section heading={words.facts}>
        <TermList>
          <Pair term={words.price(symbol)}>{formatDollars(mid)}</Pair>
          <Pair term={words.holding(symbol)}>{facts.publisherHolds ? words.held : words.heldNone}</Pair>
        </TermList>
      </Section>
      {checks !== undefined && (
        <Section heading={words.checks}>
          <Checks checks={checks} reading={reading} />
        </Section>
      )}
    </>
  );
}
