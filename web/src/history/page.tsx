import { useQuery } from "@tanstack/react-query";
import { history } from "../api/history.ts";
import { SessionGate } from "../session/gate.tsx";
import { history as words } from "../strings/history.ts";
import { ButtonLink } from "../ui/button.tsx";
import { Failure, Notice } from "../ui/notice.tsx";
import { Page } from "../ui/page.tsx";
import { LoadingText } from "../ui/skeleton.tsx";
import { Unlocks } from "./unlocks.tsx";
import { Votes } from "./votes.tsx";

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
