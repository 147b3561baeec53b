import { useMutation, useQuery } from "@tanstack/react-query";
import type { OwnSession } from "../../../core/session/schema.ts";
import { isSignInNeeded } from "../api/request.ts";
import { endSessions, sessions } from "../api/session.ts";
import { formatDay, formatToMinute } from "../format.ts";
import { SessionGate, SignInButton } from "../session/sign-in.tsx";
import { sessions as words } from "../strings/account.ts";
import { wallet } from "../strings/common.ts";
import { Button } from "../ui/button.tsx";
import { Page } from "../ui/page.tsx";
import { Badge, QueryView } from "../ui/status.tsx";

/** The page that lists the wallet's sessions and lets the reader end them. */
export function SessionsPage() {
  return (
    <Page narrow title={words.title} lead={words.lead}>
      <SessionGate lead={words.signInLead}>{(address) => <Sessions key={address} />}</SessionGate>
    </Page>
  );
}

function Sessions() {
  const query = useQuery(sessions);
  return (
    <QueryView query={query} failed={words.failed} loading={words.loading}>
      {(data) => <List data={data} />}
    </QueryView>
  );
}

function List({ data }: { readonly data: readonly OwnSession[] }) {
  const ending = useMutation({ mutationFn: endSessions });
  const others = data.filter(({ current }) => !current);
  const readsOnly = data.some(({ current, origin }) => current && origin === "payment");
  return (
    <div className="grid justify-items-start gap-6">
      <ul aria-label={words.list} className="w-full rounded-2xl border border-line bg-card shadow-card">
        {data.map((session) => (
          <Row
            key={session.id}
            session={session}
            mayEnd={session.current || !readsOnly}
            busy={ending.isPending && "id" in ending.variables && ending.variables.id === session.id}
            onEnd={() => ending.mutate({ id: session.id })}
          />
        ))}
      </ul>
      {ending.error !== null && (
        <div role="alert" className="grid justify-items-start gap-2 text-sm text-bad">
          <p>{ending.error.message}</p>
          {isSignInNeeded(ending.error) && (
            <SignInButton onSignedIn={() => ending.mutate(ending.variables)}>{wallet.signIn}</SignInButton>
          )}
        </div>
      )}
      {readsOnly ? (
        <div className="grid max-w-xl justify-items-start gap-3">
          <p className="text-sm text-quiet">{words.paid}</p>
          <SignInButton look="secondary">{wallet.signIn}</SignInButton>
        </div>
      ) : others.length === 0 ? (
        <p className="text-quiet">{words.none}</p>
      ) : (
        <Button
          look="danger"
          busy={ending.isPending && "others" in ending.variables}
          onClick={() => ending.mutate({ others: true })}
        >
          {words.endOthers}
        </Button>
      )}
    </div>
  );
}

type RowProps = {
  readonly session: OwnSession;
  readonly mayEnd: boolean;
  readonly busy: boolean;
  readonly onEnd: () => void;
};

function Row({ session: { origin, current, createdAt, expiresAt }, mayEnd, busy, onEnd }: RowProps) {
  const since = formatToMinute(createdAt);
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-line p-5 first:border-t-0">
      <div className="grid min-w-0 flex-1 basis-64 gap-1">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {words.origins[origin]} {current && <Badge tone="accent">{words.current}</Badge>}
        </p>
        <p className="text-sm text-quiet">{words.explains[origin]}</p>
        <p className="text-xs text-quiet">
          <time dateTime={createdAt}>{words.since(since)}</time>,{" "}
          <time dateTime={expiresAt}>{words.until(formatDay(expiresAt))}</time>
        </p>
      </div>
      {mayEnd && (
        <Button size="small" busy={busy} onClick={onEnd}>
          {current ? words.signOut : words.end}
          <span className="sr-only">{words.about(words.origins[origin], since)}</span>
        </Button>
      )}
    </li>
  );
}
