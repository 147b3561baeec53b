import { lazy, Suspense, useState } from "react";
import type { PressDetail } from "../../../core/press/schema.ts";
import { press as words } from "../strings/press.ts";
import { Bar, TextSkeleton } from "../ui/skeleton.tsx";
import { useTitle } from "../ui/title.ts";
import { VoteCard } from "../vote/card.tsx";
import { Audit } from "./audit.tsx";
import { Head } from "./head.tsx";
import { Market } from "./market.tsx";
import { Readers } from "./readers.tsx";
import { ChainRecord } from "./record.tsx";

// Who has the text needs no way to it, and who has not needs nothing that shows it.
const Prose = lazy(() => import("../ui/markdown.tsx"));
const UnlockCard = lazy(() => import("../payment/unlock-card.tsx"));
const PaymentHost = lazy(() => import("../payment/host.tsx"));

/** A press that was found. */
export function Detail({ detail }: { readonly detail: PressDetail }) {
  const { press, audit, body } = detail;
  const [paying, setPaying] = useState(false);
  useTitle(press.headline);
  return (
    <div className="frame grid gap-x-12 gap-y-8 py-8 sm:py-12 lg:grid-cols-[minmax(0,1fr)_21rem]">
      <div className="grid min-w-0 content-start gap-8">
        <Head press={press} />
        {body === null ? (
          <Suspense fallback={<Bar className="h-64 rounded-3xl!" />}>
            <UnlockCard purchase={press} onPay={() => setPaying(true)} />
          </Suspense>
        ) : (
          <>
            <section aria-label={words.text} id="text" tabIndex={-1}>
              <Suspense fallback={<TextSkeleton lines={12} />}>
                <Prose text={body} />
              </Suspense>
            </section>
            <VoteCard press={press} />
          </>
        )}
      </div>
      <aside aria-label={words.about} className="grid content-start gap-5">
        <Audit id={press.id} audit={audit} />
        <Market press={press} />
        <Readers press={press} />
        <ChainRecord press={press} />
      </aside>
      {(body === null || paying) && (
        <Suspense>
          <PaymentHost purchase={press} open={paying} onOpen={setPaying} />
        </Suspense>
      )}
    </div>
  );
}
