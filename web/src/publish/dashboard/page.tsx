import { useQuery } from "@tanstack/react-query";
import { dashboard } from "../../api/publish.ts";
import { ListSkeleton } from "../../list/list-skeleton.tsx";
import { publish as words } from "../../strings/publish.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Failure, Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { PublisherGate } from "../gate.tsx";
import { LocalDrafts } from "./local-drafts.tsx";
import { OwnRow } from "./own-row.tsx";
import { Totals } from "./totals.tsx";

/** A publisher's presses and what they have earned. */
export function DashboardPage() {
  return (
    <Page title={words.title} lead={words.lead} actions={<WriteLink />}>
      <PublisherGate>{(wallet) => <Presses wallet={wallet} />}</PublisherGate>
    </Page>
  );
}

function WriteLink() {
  return (
    <ButtonLink look="primary" size="large" to="/publish/edit">
      <Icon name="plus" />
      {words.write}
    </ButtonLink>
  );
}

function Presses({ wallet }: { readonly wallet: string }) {
  const { data, error, refetch } = useQuery(dashboard);
  if (data === undefined && error !== null) {
    return <Failure heading={words.failed} error={error} retry={() => void refetch()} />;
  }
  return (
    <div className="grid gap-8">
      {data === undefined ? <ListSkeleton /> : data.presses.length > 0 && <Totals totals={data.totals} />}
      <LocalDrafts wallet={wallet} />
      {data?.presses.length === 0 && <Empty />}
      {data !== undefined && data.presses.length > 0 && (
        <section aria-labelledby="presses" className="grid gap-4">
          <h2 id="presses" className="text-title">
            {words.presses}
          </h2>
          <ul className="grid gap-4">
            {data.presses.map((press) => (
              <OwnRow key={press.id} press={press} />
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function Empty() {
  return (
    <Notice heading={words.emptyTitle}>
      <p className="max-w-2xl">{words.empty}</p>
      <ol className="grid gap-2">
        {words.emptySteps.map((step, at) => (
          <li key={step} className="flex gap-3">
            <span
              aria-hidden="true"
              className="grid size-6 shrink-0 place-items-center rounded-full bg-accent-soft text-xs font-semibold text-accent"
            >
              {at + 1}
            </span>
            {step}
          </li>
        ))}
      </ol>
    </Notice>
  );
}
