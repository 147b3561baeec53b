import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Purchase } from "../../../core/history/schema.ts";
import { type Discovery, discovery } from "../api/discovery.ts";
import { purchases } from "../api/press.ts";
import { formatToMinute, formatUnitsAsDollars, formatUsdg } from "../format.ts";
import { SessionGate } from "../session/sign-in.tsx";
import { makePressPath } from "../site.ts";
import { receipt as words } from "../strings/account.ts";
import { common } from "../strings/common.ts";
import { Button, ButtonLink, downloadFile } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { ExplorerLink, Page } from "../ui/page.tsx";
import { joinQueries, Notice, QueryView } from "../ui/status.tsx";
import type { PressPayment } from "./signed.ts";

const route = getRouteApi("/receipt/$slug");

/**
 * The page with the receipt of a purchase that the session's wallet made. The receipt shows both transactions and can be printed and
 * downloaded.
 */
export function ReceiptPage() {
  return (
    <Page narrow title={words.title}>
      <SessionGate lead={words.signInLead}>{(address) => <Lookup payer={address} />}</SessionGate>
    </Page>
  );
}

function Lookup({ payer }: { readonly payer: string }) {
  const { slug } = route.useParams();
  const query = joinQueries(useQuery(purchases), useQuery(discovery));
  return (
    <QueryView query={query} failed={words.failed} loading={words.loading}>
      {({ one: bought, other: service }) => {
        const purchase = bought.find((each) => each.slug === slug);
        return purchase === undefined ? (
          <Notice heading={words.noneTitle}>
            <p>{words.none}</p>
            <ButtonLink to="/history">{common.history}</ButtonLink>
          </Notice>
        ) : (
          <Receipt purchase={purchase} payer={payer} service={service} />
        );
      }}
    </QueryView>
  );
}

type ReceiptProps = { readonly purchase: Purchase; readonly payer: string; readonly service: Discovery };

function Receipt({ purchase, payer, service }: ReceiptProps) {
  const { slug, headline, stock, payments, unlocked, priceUnits } = purchase;
  const { network } = service;
  const paid = String(payments.reduce((sum, { units }) => sum + BigInt(units), 0n));
  const download = () => {
    const receipt = makeReceipt(purchase, payer, service, window.location.origin);
    downloadFile(`receipt-${slug}.json`, "application/json", JSON.stringify(receipt, undefined, 2));
  };
  return (
    <article className="grid gap-6 rounded-2xl border border-line bg-card p-6 sm:p-8 print:border-0 print:p-0">
      <header className="grid gap-2">
        <p className="text-sm text-quiet">
          {common.siteName} · {window.location.host}
        </p>
        <h2 className="font-serif text-title font-bold">
          <Link to="/press/$slug" params={{ slug }} className="hover:text-accent">
            {headline}
          </Link>
        </h2>
        <p className="text-sm text-quiet">{words.about(stock)}</p>
      </header>
      {!unlocked && <p className="text-sm text-warn">{words.half}</p>}
      <dl className="grid gap-3 text-sm">
        <Line term={words.payer}>
          <ExplorerLink kind="address" value={payer} length="whole" />
        </Line>
        <Line term={words.network}>
          {network.name} ({network.caip2})
        </Line>
        <Line term={words.token}>
          {network.asset.symbol} <ExplorerLink kind="address" value={network.asset.address} length="whole" />
        </Line>
      </dl>
      <ol className="grid gap-5">
        {payments.map((payment) => (
          <Payment
            key={payment.leg}
            paid={{
              payment,
              pressId: purchase.pressId,
              payer,
              network: network.caip2,
              origin: window.location.origin,
              signer: service.receipts?.signer.address,
            }}
          />
        ))}
      </ol>
      <p className="figure flex items-baseline justify-between gap-4 border-t border-edge pt-4">
        <span className="font-semibold">
          {unlocked ? words.total : words.soFar(formatUnitsAsDollars(priceUnits))}
        </span>
        <span className="text-right">
          <strong className="text-title font-semibold">{formatUnitsAsDollars(paid)}</strong>
          <span className="block text-xs text-quiet">{words.inUsdg(formatUsdg(paid))}</span>
        </span>
      </p>
      <div className="flex flex-wrap gap-3 print:hidden">
        <Button look="primary" onClick={() => window.print()}>
          {words.print}
        </Button>
        <Button onClick={download}>
          <Icon name="down" /> {words.download}
        </Button>
        <ButtonLink to="/press/$slug" params={{ slug }} look="plain" className="max-sm:-ml-4">
          {words.toPress}
        </ButtonLink>
      </div>
    </article>
  );
}

function Payment({ paid }: { readonly paid: PressPayment }) {
  const { leg, units, payTo, tx, at } = paid.payment;
  return (
    <li className="grid gap-3 border-t border-line pt-5 text-sm break-inside-avoid">
      <p className="figure flex items-baseline justify-between gap-4 text-base font-semibold">
        <span>{words.legs[leg]}</span> <span>{formatUnitsAsDollars(units)}</span>
      </p>
      <dl className="grid gap-3">
        <Line term={words.paidTo}>
          <ExplorerLink kind="address" value={payTo} length="whole" />
        </Line>
        <Line term={words.when}>
          <time dateTime={at}>{formatToMinute(at)}</time>
        </Line>
        <Line term={words.transaction}>
          <ExplorerLink kind="transaction" value={tx} length="whole" />
        </Line>
        <Signature paid={paid} />
      </dl>
    </li>
  );
}

/** Says whether the service has signed the payment's receipt. This browser itself verifies the signature. */
function Signature({ paid }: { readonly paid: PressPayment }) {
  const { tx, leg } = paid.payment;
  const { data: result, error } = useQuery({
    queryKey: ["signed-receipt", tx, leg, paid.pressId, paid.payer, paid.signer],
    queryFn: async ({ signal }) => (await import("./signed.ts")).verifyReceipt(paid, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Line term={words.signed}>
      {result === undefined ? (
        <span className="text-quiet">{error === null ? words.verifying : words.notVerified}</span>
      ) : result === "verified" ? (
        <>
          {words.verified}{" "}
          <a className="link print:hidden" href={`/api/receipts/${tx}`} target="_blank" rel="noreferrer">
            {words.signedJson}
          </a>
        </>
      ) : (
        <span className="text-warn">{words[result]}</span>
      )}
    </Line>
  );
}

function Line({ term, children }: { readonly term: string; readonly children: ReactNode }) {
  return (
    <div className="grid gap-x-4 sm:grid-cols-[9rem_minmax(0,1fr)]">
      <dt className="text-quiet">{term}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}

const purposes = { fee: "platform fee", publisher: "author" } as const;

/** The receipt to download, with both payments and their transactions, for people and programs. */
function makeReceipt(
  { pressId, slug, headline, priceUnits, payments }: Purchase,
  payer: string,
  { network }: Pick<Discovery, "network">,
  origin: string,
) {
  return {
    type: "press-market-receipt",
    version: 1,
    press: { pressId, headline, url: origin + makePressPath(slug) },
    payer,
    price: { amount: formatUsdg(priceUnits), units: priceUnits },
    asset: network.asset,
    network: network.caip2,
    payments: payments.map(({ leg, units, payTo, tx, at }) => ({
      purpose: purposes[leg],
      amount: formatUsdg(units),
      units,
      payTo,
      transaction: tx,
      at,
    })),
  };
}
