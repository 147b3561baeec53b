import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { UnlockEntry, VoteEntry } from "../../../core/history/schema.ts";
import { discovery } from "../api/discovery.ts";
import { history } from "../api/press.ts";
import { AddressForm } from "../api/request.ts";
import { formatMoment } from "../format.ts";
import { downloadReceipt, type Receipted, receiptOf } from "../payment/receipt.ts";
import { purchaseOf } from "../payment/record.ts";
import { SessionGate } from "../session/sign-in.tsx";
import { vote, history as words } from "../strings/reader.ts";
import { Button, ButtonLink } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { LoadingText, Page } from "../ui/page.tsx";
import { Badge, Failure, Notice } from "../ui/status.tsx";
import { Hex } from "../ui/text.tsx";
import { splitPrice } from "../usdg.ts";

/** What the session's wallet has unlocked and voted. */
export function HistoryPage() {
  return (
    <Page title={words.title} lead={words.lead}>
      <SessionGate lead={words.signInLead}>{(address) => <Entries wallet={address} />}</SessionGate>
    </Page>
  );
}

function Entries({ wallet }: { readonly wallet: string }) {
  const { data, error, refetch } = useQuery(history);
  if (data === undefined && error !== null) {
    return <Failure heading={words.failed} error={error} retry={() => void refetch()} />;
  }
  if (data === undefined) {
    return <LoadingText>{words.loading}</LoadingText>;
  }
  return (
    <div className="grid gap-10">
      <section aria-labelledby="unlocks" className="grid gap-4">
        <h2 id="unlocks" className="text-title">
          {words.unlocks}
        </h2>
        {data.unlocks.length === 0 ? (
          <Notice heading={words.noUnlocksTitle}>
            <p>{words.noUnlocks}</p>
            <ButtonLink to="/">{words.find}</ButtonLink>
          </Notice>
        ) : (
          <Unlocks unlocks={data.unlocks} wallet={wallet} />
        )}
      </section>
      <section aria-labelledby="votes" className="grid gap-4">
        <h2 id="votes" className="text-title">
          {words.votes}
        </h2>
        {data.votes.length === 0 ? (
          <p className="text-quiet">{words.noVotes}</p>
        ) : (
          <Votes votes={data.votes} />
        )}
      </section>
    </div>
  );
}

type UnlocksProps = { readonly unlocks: readonly UnlockEntry[]; readonly wallet: string };

/** Unlocked presses with their receipts. */
function Unlocks({ unlocks, wallet }: UnlocksProps) {
  return (
    <ul className="rounded-2xl border border-line bg-card shadow-card">
      {unlocks.map((entry) => (
        <Entry key={entry.tx} entry={entry}>
          <Receipt entry={entry} wallet={wallet} />
          <span className="figure font-semibold">
            {entry.priceUsdg.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 6 })}{" "}
            <span className="text-sm font-normal text-quiet">USDG</span>
          </span>
        </Entry>
      ))}
    </ul>
  );
}

type ReceiptProps = { readonly entry: UnlockEntry; readonly wallet: string };

function Receipt({ entry, wallet }: ReceiptProps) {
  const client = useQueryClient();
  const record = purchaseOf(entry.slug, wallet) ?? fromHistory(entry, wallet);
  const download = async () =>
    downloadReceipt(receiptOf(record, await client.ensureQueryData(discovery), window.location.origin));
  return (
    <Button size="small" onClick={() => void download()}>
      <Icon name="down" /> {words.receipt}
      <span className="sr-only">{words.receiptOf(entry.headline)}</span>
    </Button>
  );
}

/** What the service knows of a purchase that another browser made: the publisher's part. */
function fromHistory({ slug, headline, tx, at, priceUsdg }: UnlockEntry, wallet: string): Receipted {
  const priceUnits = String(Math.round(priceUsdg * 1e6));
  const publisher = { state: "paid", tx, amount: splitPrice(priceUnits).publisher, at } as const;
  return { wallet: AddressForm.parse(wallet), slug, headline, priceUnits, publisher };
}

function Votes({ votes }: { readonly votes: readonly VoteEntry[] }) {
  return (
    <ul className="rounded-2xl border border-line bg-card shadow-card">
      {votes.map((entry) => (
        <Entry key={entry.tx} entry={entry}>
          {entry.tag !== "" && <Badge>{vote.tagName(entry.tag)}</Badge>}
          <Badge tone={entry.value === 1 ? "accent" : "bad"}>
            <Icon name={entry.value === 1 ? "up" : "down"} className="size-3" />
            {entry.value === 1 ? words.up : words.down}
          </Badge>
        </Entry>
      ))}
    </ul>
  );
}

type EntryProps = {
  readonly entry: {
    readonly slug: string;
    readonly headline: string;
    readonly stock: string;
    readonly at: string;
    readonly tx: string;
  };
  readonly children: ReactNode;
};

/** One line of the history: which press, when, by which transaction, and what. */
function Entry({ entry, children }: EntryProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-line p-5 first:border-t-0">
      <div className="grid min-w-0 flex-1 basis-72 gap-1.5">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-quiet">
          <Badge tone="accent">{entry.stock}</Badge>
          <time dateTime={entry.at}>{formatMoment(entry.at)}</time>
          <Hex kind="transaction" value={entry.tx} />
        </p>
        <Link
          to="/press/$slug"
          params={{ slug: entry.slug }}
          className="font-serif text-lg font-bold hover:text-accent"
        >
          {entry.headline}
        </Link>
      </div>
      <div className="flex items-center gap-4">{children}</div>
    </li>
  );
}
