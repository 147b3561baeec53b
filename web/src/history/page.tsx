import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Purchase, VoteEntry } from "../../../core/history/schema.ts";
import { history, purchases } from "../api/press.ts";
import { formatToMinute, formatUnitsAsDollars, splitPrice } from "../format.ts";
import { SessionGate } from "../session/sign-in.tsx";
import { history as words } from "../strings/account.ts";
import { vote } from "../strings/reader.ts";
import { ButtonLink } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { ExplorerLink, Page, Section } from "../ui/page.tsx";
import { Badge, joinQueries, Notice, QueryView } from "../ui/status.tsx";

/** The purchases and votes of the session's wallet. */
export function HistoryPage() {
  return (
    <Page narrow title={words.title} lead={words.lead}>
      <SessionGate lead={words.signInLead}>{() => <Entries />}</SessionGate>
    </Page>
  );
}

function Entries() {
  const query = joinQueries(useQuery(history), useQuery(purchases));
  return (
    <QueryView query={query} failed={words.failed} loading={words.loading}>
      {({ one: { votes }, other: bought }) => <Lists votes={votes} bought={bought} />}
    </QueryView>
  );
}

type ListsProps = { readonly votes: readonly VoteEntry[]; readonly bought: readonly Purchase[] };

function Lists({ votes, bought }: ListsProps) {
  const unlocks = bought.filter(({ unlocked }) => unlocked);
  const halves = bought.filter(({ unlocked }) => !unlocked);
  return (
    <div className="grid gap-10">
      {halves.length > 0 && (
        <Section heading={words.halves}>
          <Rows>
            {halves.map((purchase) => (
              <PaidFee key={purchase.pressId} purchase={purchase} />
            ))}
          </Rows>
        </Section>
      )}
      <Section heading={words.unlocks}>
        {unlocks.length === 0 ? (
          <Notice heading={words.noUnlocksTitle}>
            <p>{words.noUnlocks}</p>
            <ButtonLink to="/">{words.find}</ButtonLink>
          </Notice>
        ) : (
          <Rows>
            {unlocks.map((purchase) => (
              <Entry key={purchase.pressId} entry={makeEntry(purchase)}>
                <Receipt purchase={purchase} />
                <span className="figure font-semibold">{formatUnitsAsDollars(purchase.priceUnits)}</span>
              </Entry>
            ))}
          </Rows>
        )}
      </Section>
      <Section heading={words.votes}>
        {votes.length === 0 ? <p className="text-quiet">{words.noVotes}</p> : <Votes votes={votes} />}
      </Section>
    </div>
  );
}

function Rows({ children }: { readonly children: ReactNode }) {
  return <ul className="rounded-2xl border border-line bg-card shadow-card">{children}</ul>;
}

/** A purchase as an entry of the history, with the purchase's latest payment. */
function makeEntry({ slug, headline, stock, payments }: Purchase): EntryProps["entry"] {
  const { at = "", tx = "" } = payments.at(-1) ?? {};
  return { slug, headline, stock, at, tx };
}

/** A purchase of which only the fee is paid, with a link to pay the rest. */
function PaidFee({ purchase }: { readonly purchase: Purchase }) {
  const { slug, payments, priceUnits } = purchase;
  const left = formatUnitsAsDollars(splitPrice(priceUnits).publisher);
  return (
    <Entry
      entry={makeEntry(purchase)}
      note={words.halfNote(formatUnitsAsDollars(payments[0]?.units ?? splitPrice(priceUnits).fee), left)}
    >
      <Receipt purchase={purchase} />
      <ButtonLink to="/press/$slug" params={{ slug }} size="small" look="primary">
        {words.payRest(left)}
      </ButtonLink>
    </Entry>
  );
}

function Receipt({ purchase: { slug, headline } }: { readonly purchase: Purchase }) {
  return (
    <ButtonLink to="/receipt/$slug" params={{ slug }} size="small">
      {words.receipt}
      <span className="sr-only">: {headline}</span>
    </ButtonLink>
  );
}

function Votes({ votes }: { readonly votes: readonly VoteEntry[] }) {
  return (
    <Rows>
      {votes.map((entry) => (
        <Entry key={entry.tx} entry={entry}>
          {entry.tag !== "" && <Badge>{vote.tagName(entry.tag)}</Badge>}
          <Badge tone={entry.value === 1 ? "accent" : "bad"}>
            <Icon name={entry.value === 1 ? "up" : "down"} className="size-3" />
            {entry.value === 1 ? vote.up : vote.down}
          </Badge>
        </Entry>
      ))}
    </Rows>
  );
}

type EntryProps = {
  readonly entry: Pick<VoteEntry, "slug" | "headline" | "stock" | "at"> & { readonly tx: string };
  readonly note?: string;
  readonly children: ReactNode;
};

/** One entry of the history: the press, the time and the transaction. */
function Entry({ entry, note, children }: EntryProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-line p-5 first:border-t-0">
      <div className="grid min-w-0 flex-1 basis-72 gap-1.5">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-quiet">
          <Badge tone="accent">{entry.stock}</Badge>
          <time dateTime={entry.at}>{formatToMinute(entry.at)}</time>
          <ExplorerLink kind="transaction" value={entry.tx} />
        </p>
        <Link
          to="/press/$slug"
          params={{ slug: entry.slug }}
          className="font-serif text-lg font-bold hover:text-accent"
        >
          {entry.headline}
        </Link>
        {note !== undefined && <p className="max-w-2xl text-sm text-quiet">{note}</p>}
      </div>
      <div className="flex items-center gap-4">{children}</div>
    </li>
  );
}
