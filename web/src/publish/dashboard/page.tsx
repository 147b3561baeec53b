import { useMutation, useQuery } from "@tanstack/react-query";
import { type ReactNode, Suspense, useState } from "react";
import type { Dashboard, DashboardPress, Wait } from "../../../../core/press/schema.ts";
import { dashboard, priceNow } from "../../api/publish.ts";
import { countVotes, formatAmount, formatToMinute } from "../../format.ts";
import { common } from "../../strings/common.ts";
import { live, publish as words } from "../../strings/publish.ts";
import { list } from "../../strings/reader.ts";
import { Button, ButtonLink, joinClasses } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Age, BulletSection, ListSkeleton, Page, Section } from "../../ui/page.tsx";
import { makeLazyPart, PartBoundary } from "../../ui/part.tsx";
import { Alert, Badge, Failure, Notice, Score } from "../../ui/status.tsx";
import { StepNumber } from "../../ui/steps.tsx";
import { discardUnfinished, listLocalDrafts } from "../editor/open-drafts.ts";
import { PublisherGate, StatusBadge } from "../gate.tsx";

/** The code for the statistics about readers is loaded after the articles, because this code is a tenth of the page's size. */
const Readers = makeLazyPart(async () => (await import("./readers.tsx")).Readers);
const Payments = makeLazyPart(async () => (await import("./payments.tsx")).Payments);

/** The dialog's code is loaded only when a publisher discards a text, because this code is a tenth of the page's size. */
const Dialog = makeLazyPart(async () => (await import("../../ui/dialog.tsx")).Dialog);

export function DashboardPage() {
  return (
    <Page title={words.title} lead={words.lead} actions={<WriteLink />}>
      {/* A visitor who has not signed in sees what publishers earn. */}
      <PublisherGate pitch={<BulletSection heading={words.earnTitle} items={words.earn} />}>
        {(wallet) => <Presses wallet={wallet} />}
      </PublisherGate>
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
  const changed = new Set(data?.manuscripts?.map(({ name }) => name));
  return (
    <div className="grid gap-8">
      {data === undefined ? <ListSkeleton /> : data.presses.length > 0 && <Totals totals={data.totals} />}
      <Unfinished wallet={wallet} data={data} />
      {data?.presses.length === 0 && <Empty />}
      {data !== undefined && data.presses.length > 0 && (
        <Section heading={words.presses} lead={<PriceToday />}>
          <ul className="grid gap-4">
            {data.presses.map((press) => (
              <OwnRow
                key={press.id}
                press={press}
                wait={data.waits?.find(({ id }) => id === press.id)}
                changed={changed.has(`press-${press.id}`)}
              />
            ))}
          </ul>
        </Section>
      )}
      {data !== undefined && data.totals.live > 0 && (
        <Suspense fallback={<ListSkeleton />}>
          <Readers presses={data.presses} />
          <Payments wallet={wallet} />
        </Suspense>
      )}
    </div>
  );
}

/** Shows two prices: the lowest price whose fee pays for a read's gas today, and the lowest price that is accepted. */
function PriceToday() {
  const { data } = useQuery(priceNow);
  return data && words.priceToday(formatAmount(data.carryingUsdg), formatAmount(data.leastUsdg));
}

function Empty() {
  return (
    <Notice heading={words.emptyTitle}>
      <p className="max-w-2xl">{words.empty}</p>
      <ol className="grid gap-2">
        {words.emptySteps.map((step, at) => (
          <li key={step} className="flex gap-3">
            <StepNumber>{at + 1}</StepNumber>
            {step}
          </li>
        ))}
      </ol>
    </Notice>
  );
}

/** The sum of the earnings of all presses of a publisher. */
function Totals({ totals }: Pick<Dashboard, "totals">) {
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-2xl border border-line bg-line shadow-card sm:grid-cols-[2fr_1fr_1fr]">
      <Total name={words.earned} className="max-sm:col-span-2">
        <span className="text-3xl tracking-tight">{formatAmount(totals.earnedUsdg)}</span>{" "}
        <span className="text-lg font-normal text-quiet">{common.unit}</span>
      </Total>
      <Total name={words.reads}>{totals.reads.toLocaleString("en-US")}</Total>
      <Total name={words.live}>{totals.live.toLocaleString("en-US")}</Total>
    </dl>
  );
}

type TotalProps = { readonly name: string; readonly className?: string; readonly children: ReactNode };

function Total({ name, className, children }: TotalProps) {
  return (
    <div className={joinClasses("grid content-between gap-1 bg-card p-5 sm:p-6", className)}>
      <dt className="text-sm text-quiet">{name}</dt>
      <dd className="text-2xl font-semibold">{children}</dd>
    </div>
  );
}

type OwnRowProps = {
  readonly press: DashboardPress;
  readonly wait: Wait | undefined;
  readonly changed: boolean;
};

/** A publisher's own press in the dashboard: its state, its earnings, and the next step. */
function OwnRow({ press, wait, changed }: OwnRowProps) {
  const { status, publishedAt, updatedAt, auditScore } = press;
  const { data: price } = useQuery(priceNow);
  const isBelowGas = price !== undefined && press.priceUsdg < price.carryingUsdg;
  const time = publishedAt ?? updatedAt;
  const when = formatToMinute(time);
  return (
    <li className="grid gap-5 rounded-2xl border border-line bg-card p-5 shadow-card sm:p-6 lg:grid-cols-[minmax(0,1fr)_auto]">
      <div className="grid min-w-0 content-start gap-2">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-xs text-quiet">
          <StatusBadge status={status} />
          {press.unlistedAt !== null && <Badge tone="warn">{live.offSale}</Badge>}
          <Badge>{press.stock}</Badge>
          {press.aiAssisted && <Badge>{list.ai}</Badge>}
          {changed && status !== "live" && <Badge tone="warn">{words.unfinishedChanges}</Badge>}
          <time dateTime={time}>{publishedAt === null ? words.saved(when) : words.published(when)}</time>
        </p>
        <h3 className="font-serif text-title font-bold">{press.headline}</h3>
        {wait !== undefined && (
          <p className="text-sm text-quiet">
            {words.waits[wait.for]} <Age time={wait.since} />
          </p>
        )}
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
              <span className="block text-xs text-quiet">{countVotes(press.readerVotes)}</span>
            </Fact>
          </>
        )}
      </dl>
      {isBelowGas && (
        <p className="text-sm text-warn lg:col-span-2">{words.belowGas(formatAmount(price.carryingUsdg))}</p>
      )}
    </li>
  );
}

/** For each status of a press, the verdict of its latest audit. The status "draft" implies no verdict. */
const verdicts = {
  draft: undefined,
  revise: "revise",
  rejected: "reject",
  approved: "approve",
  live: "approve",
} as const;

/** The link that leads a publisher to the next step for a press. */
function NextAction({ press: { id, status, headline } }: Pick<OwnRowProps, "press">) {
  const at = { id: String(id) };
  const target =
    status === "approved"
      ? ({ look: "primary", to: "/publish/$id/mint", params: at } as const)
      : status === "live"
        ? ({ to: "/publish/$id", params: at } as const)
        : ({ to: "/publish/edit", search: at } as const);
  return (
    <ButtonLink {...target}>
      {words.next[status]}
      <span className="sr-only">{words.about(headline)}</span>
    </ButtonLink>
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

type UnfinishedText = {
  readonly name: string;
  readonly headline: string;
  readonly changedAt: string;
  /** Whether only this browser stores the text. */
  readonly onlyHere: boolean;
};

/** The texts that are not a press yet: manuscripts on the service, and texts that only this browser stores. */
function listUnfinished(wallet: string, data: Dashboard | undefined): readonly UnfinishedText[] {
  const edited = new Set(
    data?.presses.flatMap(({ id, status }) => (status === "live" ? [] : [`press-${id}`])),
  );
  // Unfinished changes to a press are shown with the press, not in the list of texts that are not a press yet.
  const kept = data?.manuscripts?.filter(({ name }) => !edited.has(name)) ?? [];
  const local = listLocalDrafts(wallet).filter(({ local: name }) => kept.every((each) => each.name !== name));
  return [
    ...local.map(({ local: name, copy: { text, changedAt } }) => {
      return { name, headline: text.headline, changedAt, onlyHere: true };
    }),
    ...kept.map((each) => ({ ...each, changedAt: each.updatedAt, onlyHere: false })),
  ].toSorted((one, other) => Date.parse(other.changedAt) - Date.parse(one.changedAt));
}

function Unfinished({ wallet, data }: { readonly wallet: string; readonly data: Dashboard | undefined }) {
  const [asked, setAsked] = useState<UnfinishedText>();
  const { mutate, error, isPending, reset } = useMutation({
    mutationFn: ({ name }: UnfinishedText) => discardUnfinished(wallet, name),
    onSuccess: () => setAsked(undefined),
  });
  const drafts = listUnfinished(wallet, data);
  if (drafts.length === 0) return null;
  const ask = (draft: UnfinishedText | undefined) => {
    reset();
    setAsked(draft);
  };
  return (
    <Section heading={words.unsavedTitle} lead={words.unsaved}>
      <ul className="rounded-2xl border border-dashed border-edge">
        {drafts.map((draft) => (
          <li
            key={draft.name}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-line p-5 first:border-t-0"
          >
            <div className="grid min-w-0 gap-1">
              <p className="font-serif text-lg font-bold">{findTitle(draft)}</p>
              <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-xs text-quiet">
                {words.changed(formatToMinute(draft.changedAt))}
                <Age time={draft.changedAt} />
                {draft.onlyHere && <Badge tone="warn">{words.onlyHere}</Badge>}
              </p>
            </div>
            <div className="flex flex-wrap gap-2">
              {!draft.name.startsWith("press-") && (
                <ButtonLink to="/publish/edit" search={{ draft: draft.name }}>
                  {words.continueWriting}
                  <span className="sr-only">{words.about(findTitle(draft))}</span>
                </ButtonLink>
              )}
              <Button look="plain" onClick={() => ask(draft)}>
                {words.discard}
                <span className="sr-only">{words.about(findTitle(draft))}</span>
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {asked !== undefined && (
        <PartBoundary onClose={() => ask(undefined)}>
          <Dialog onClose={() => ask(undefined)} title={words.discardTitle} lead={words.discardLead}>
            <Alert>{error?.message}</Alert>
            <div className="flex flex-wrap justify-end gap-3">
              <Button onClick={() => ask(undefined)}>{common.cancel}</Button>
              <Button look="danger" busy={isPending} onClick={() => mutate(asked)}>
                {words.discard}
              </Button>
            </div>
          </Dialog>
        </PartBoundary>
      )}
    </Section>
  );
}

function findTitle({ headline }: UnfinishedText): string {
  return headline.trim() === "" ? words.untitled : headline.trim();
}
