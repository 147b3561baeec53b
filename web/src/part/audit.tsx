import type { AuditSummary } from "../../../core/press/schema.ts";
import { formatMoment } from "../format.ts";
import { Score } from "./score.tsx";

const verdicts: Readonly<Record<AuditSummary["verdict"], string>> = {
  approve: "Approved",
  revise: "To be revised",
  reject: "Rejected",
};

/** What the audit agent found. */
export function Audit({ audit }: { readonly audit: AuditSummary }) {
  return (
    <section className="card" aria-labelledby="audit">
      <h2 id="audit">Audit</h2>
      <p className="verdict">
        <Score score={audit.score} />
        <strong>{verdicts[audit.verdict]}</strong>
      </p>
      <p>{audit.summary}</p>
      <p className="quiet">
        By {audit.engine}, <time dateTime={audit.auditedAt}>{formatMoment(audit.auditedAt)}</time>
      </p>
    </section>
  );
}
