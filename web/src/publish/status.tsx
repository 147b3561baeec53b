import type { AuditSummary, DashboardPress } from "../../../core/press/schema.ts";
import { publish as words } from "../strings/publish.ts";
import { ButtonLink } from "../ui/button.tsx";
import { Badge, type Tone } from "../ui/status.tsx";

type Status = DashboardPress["status"];

const tones: Readonly<Record<Status, Tone>> = {
  draft: "neutral",
  revise: "warn",
  rejected: "bad",
  approved: "accent",
  live: "accent",
};

/** The latest audit's verdict that a status implies. A draft implies none. */
export const verdicts = {
  draft: undefined,
  revise: "revise",
  rejected: "reject",
  approved: "approve",
  live: "approve",
} as const satisfies Readonly<Record<Status, AuditSummary["verdict"] | undefined>>;

/** The status of a press (specification §3). */
export function StatusBadge({ status }: { readonly status: Status }) {
  return <Badge tone={tones[status]}>{words.status[status]}</Badge>;
}

/** The link to a publisher's next step with a press. */
export function NextAction({
  press,
}: {
  readonly press: Pick<DashboardPress, "id" | "status" | "headline">;
}) {
  const { id, status, headline } = press;
  const content = (
    <>
      {words.next[status]}
      <span className="sr-only">{words.about(headline)}</span>
    </>
  );
  if (status === "approved") {
    return (
      <ButtonLink look="primary" to="/publish/$id/mint" params={{ id: String(id) }}>
        {content}
      </ButtonLink>
    );
  }
  if (status === "live") {
    return (
      <ButtonLink to="/publish/$id" params={{ id: String(id) }}>
        {content}
      </ButtonLink>
    );
  }
  return (
    <ButtonLink to="/publish/edit" search={{ id: String(id) }}>
      {content}
    </ButtonLink>
  );
}
