import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { Dashboard, DashboardPress } from "../../../../core/press/schema.ts";
import { dashboard } from "../../api/publish.ts";
import { formatAmount, formatMoment } from "../../format.ts";
import { common } from "../../strings/common.ts";
import { publish as words } from "../../strings/publish.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { ListSkeleton, Page } from "../../ui/page.tsx";
import { Badge, Failure, Notice, Score } from "../../ui/status.tsx";
import { discardLocal, type LocalDraft, localDrafts } from "../editor/open-drafts.ts";
import { PublisherGate } from "../gate.tsx";
import { NextAction, StatusBadge, verdicts } from "../status.tsx";

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

/** What all presses of a publisher have brought together. */
function Totals({ totals }: Pick<Dashboard, "totals">) {
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-2xl border border-line bg-line shadow-card sm:grid-cols-[2fr_1fr_1fr]">
      <div className="grid gap-1 bg-card p-5 max-sm:col-span-2 sm:p-6">
        <dt className="text-sm text-quiet">{words.earned}</dt>
        <dd className="text-3xl font-semibold tracking-tight">
          {formatAmount(totals.earnedUsdg)}{" "}
          <span className="text-lg font-normal text-quiet">{common.unit}</span>
        </dd>
      </div>
      <Total name={words.reads} value={totals.reads} />
      <Total name={words.live} value={totals.live} />
    </dl>
  );
}

function Total({ name, value }: { readonly name: string; readonly value: number }) {
  return (
    <div className="grid content-between gap-1 bg-card p-5 sm:p-6">
      <dt className="text-sm text-quiet">{name}</dt>
      <dd className="text-2xl font-semibold">{value.toLocaleString("en-US")}</dd>
    </div>
  );
}

/** A publisher's own press in the dashboard: where it stands, what it brings, and what comes next. */
function OwnRow({ press }: { readonly press: DashboardPress }) {
  const { status, publishedAt, updatedAt, auditScore } = press;
  const time = publishedAt ?? updatedAt;
  const when = formatMoment(time);
  return (
    <li className="grid gap-5 rounded-2xl border border-line bg-card p-5 shadow-card sm:p-6 lg:grid-cols-[minmax(0,1fr)_auto]">
      <div className="grid min-w-0 content-start gap-2">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-xs text-quiet">
          <StatusBadge status={status} />
          <Badge>{press.stock}</Badge>
          {press.aiAssisted && <Badge>{words.ai}</Badge>}
          <time dateTime={time}>{publishedAt === null ? words.saved(when) : words.published(when)}</time>
        </p>
        <h3 className="font-serif text-title font-bold">{press.headline}</h3>
      </div>
      <div className="flex flex-wrap items-center gap-3 lg:justify-end">
        <NextAction press={press} />
        {status === "approved" && (
          <ButtonLink look="plain" to="/publish/edit" search={{ id: String(press.id) }}>
            {words.edit}
            <span className="sr-only">{words.about(press.headline)}</span>
          </ButtonLink>
        )}
      </div>
      <dl className="grid grid-cols-2 gap-x-8 gap-y-4 border-t border-line pt-4 text-sm min-[520px]:flex min-[520px]:flex-wrap lg:col-span-2">
        <Fact name={words.price}>
          {formatAmount(press.priceUsdg)} {common.unit}
        </Fact>
        <Fact name={words.score}>
          {auditScore === null ? (
            <span className="text-quiet">{words.noScore}</span>
          ) : (
            <Score score={auditScore} verdict={verdicts[status]} />
          )}
        </Fact>
        {status === "live" && (
          <>
            <Fact name={words.earned}>
              <strong className="font-semibold">
                {formatAmount(press.earnedUsdg)} {common.unit}
              </strong>
            </Fact>
            <Fact name={words.reads}>
              {press.reads.toLocaleString("en-US")}
              <span className="block text-xs text-quiet">
                {words.votes(press.votes.up, press.votes.down)}
              </span>
            </Fact>
          </>
        )}
      </dl>
    </li>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="grid content-start gap-1">
      <dt className="text-xs text-quiet">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Texts that stand in this browser only, because they were never fit to be saved. */
function LocalDrafts({ wallet }: { readonly wallet: string }) {
  const [drafts, setDrafts] = useState(() => localDrafts(wallet));
  const [asked, setAsked] = useState<LocalDraft>();
  if (drafts.length === 0) return null;
  const discard = ({ local }: LocalDraft) => {
    discardLocal(wallet, local);
    setDrafts(localDrafts(wallet));
    setAsked(undefined);
  };
  return (
    <section aria-labelledby="unsaved" className="grid gap-4">
      <div className="grid gap-1">
        <h2 id="unsaved" className="text-title">
          {words.unsavedTitle}
        </h2>
        <p className="text-sm text-quiet">{words.unsaved}</p>
      </div>
      <ul className="rounded-2xl border border-dashed border-edge">
        {drafts.map((draft) => (
          <li
            key={draft.local}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-line p-5 first:border-t-0"
          >
            <div className="grid min-w-0 gap-1">
              <p className="font-serif text-lg font-bold">{titleOf(draft)}</p>
              <p className="text-xs text-quiet">{words.changed(formatMoment(draft.copy.changedAt))}</p>
            </div>
            <div className="flex flex-wrap gap-2">
              <ButtonLink to="/publish/edit" search={{ draft: draft.local }}>
                {words.continueWriting}
                <span className="sr-only">{words.about(titleOf(draft))}</span>
              </ButtonLink>
              <Button look="plain" onClick={() => setAsked(draft)}>
                {words.discard}
                <span className="sr-only">{words.about(titleOf(draft))}</span>
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {asked !== undefined && (
        <Dialog open onClose={() => setAsked(undefined)} title={words.discardTitle} lead={words.discardLead}>
          <div className="flex flex-wrap justify-end gap-3">
            <Button onClick={() => setAsked(undefined)}>{common.cancel}</Button>
            <Button look="danger" onClick={() => discard(asked)}>
              {words.discard}
            </Button>
          </div>
        </Dialog>
      )}
    </section>
  );
}

function titleOf({ copy }: LocalDraft): string {
  const headline = copy.text.headline.trim();
  return headline === "" ? words.untitled : headline;
}
