import { useMutation, useQueries, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Follows, PrivateFeed } from "../../../core/follow/schema.ts";
import type { ListedPress } from "../../../core/press/schema.ts";
import { queryAuthor as authorOf, pressList, queryStockPresses } from "../api/press.ts";
import { isSignInNeeded, postJson, queryClient, queryJson } from "../api/request.ts";
import { type FollowTarget, isFollowedPress, setFollow, useFollows } from "../follow/follow.tsx";
import { followsKey, parseKey } from "../follow/sync.ts";
import { PressCards } from "../list/card.tsx";
import { SignInCard, useSession } from "../session/sign-in.tsx";
import { forYou as words } from "../strings/account.ts";
import { Button, Copy } from "../ui/button.tsx";
import { LoadingText, Page, Section } from "../ui/page.tsx";
import { Alert, Failure } from "../ui/status.tsx";
import { PushControl } from "./push.tsx";

/**
 * The page with the authors and stocks that a reader follows, and with the articles that the reader has saved. Readers can use the page
 * with and without a sign-in.
 */
export function ForYouPage() {
  const { address } = useSession();
  const { error } = useQuery({ ...ownFollows, enabled: typeof address === "string" });
  const mustSignIn = address === null || isSignInNeeded(error);
  const all = [...useFollows()].flatMap(([key, name]) => parseEntry(key, name));
  const follows = all.filter(({ kind }) => kind !== "saved");
  return (
    <Page title={words.title} lead={words.lead}>
      <Section heading={words.fresh}>
        {follows.length === 0 ? (
          <p className="text-quiet">{words.nothing}</p>
        ) : (
          <NewItems follows={follows} />
        )}
      </Section>
      <div className="grid items-start gap-8 md:grid-cols-2">
        <Section heading={words.saved}>
          <Rows entries={all.filter(({ kind }) => kind === "saved")} empty={words.nothingSaved} />
        </Section>
        <Section heading={words.follows}>
          <Rows entries={follows} empty={words.nothing} />
        </Section>
      </div>
      {mustSignIn && <SignInCard lead={words.signIn} isFolded />}
      {typeof address === "string" && !mustSignIn && (
        <div className="grid items-start gap-8 md:grid-cols-2">
          <PushControl />
          <FeedControls key={address} />
        </div>
      )}
    </Page>
  );
}

/**
 * The reader's follows, as the service stores them. For a session that began with a payment, the service answers that a sign-in is needed.
 */
const ownFollows = { ...queryJson(followsKey, "/api/me/follows", Follows), retry: false };

type FollowEntry = FollowTarget & { readonly name: string };

function parseEntry(key: string, name: string): readonly FollowEntry[] {
  const { kind, id } = parseKey(key);
  return kind === "author" || kind === "stock" || kind === "saved" ? [{ kind, id, name }] : [];
}

/**
 * The page requests at most this number of separate lists, one for each followed author or stock. For authors and stocks beyond this
 * number, the page takes articles only from the list of the newest presses.
 */
const mostRead = 24;
const mostShown = 30;

function NewItems({ follows }: { readonly follows: readonly FollowEntry[] }) {
  const followed = useFollows();
  const { data = [], error, isPending, refetch } = useQuery(pressList);
  const read = follows.slice(0, mostRead);
  const ofStocks = useQueries({
    queries: read.filter(({ kind }) => kind === "stock").map(({ id }) => queryStockPresses(id)),
  });
  const ofAuthors = useQueries({
    queries: read.filter(({ kind }) => kind === "author").map(({ id }) => authorOf(id)),
  });
  const found: readonly ListedPress[] = [
    ...data.filter((press) => isFollowedPress(followed, press)),
    ...ofStocks.flatMap((query) => query.data ?? []),
    ...ofAuthors.flatMap((query) => query.data?.presses ?? []),
  ];
  const presses = [...new Map(found.map((press) => [press.id, press])).values()]
    .toSorted((one, other) => other.publishedAt.localeCompare(one.publishedAt))
    .slice(0, mostShown);
  if (presses.length === 0) {
    if (error !== null) return <Failure heading={words.failed} error={error} retry={() => void refetch()} />;
    return isPending ? (
      <LoadingText>{words.loading}</LoadingText>
    ) : (
      <p className="text-quiet">{words.none}</p>
    );
  }
  return (
    <>
      {follows.length > mostRead && <p className="text-sm text-quiet">{words.most(mostRead)}</p>}
      <PressCards presses={presses} />
    </>
  );
}

function Rows({ entries, empty }: { readonly entries: readonly FollowEntry[]; readonly empty: string }) {
  if (entries.length === 0) return <p className="text-quiet">{empty}</p>;
  return (
    <ul className="divide-y divide-line border-y border-line">
      {entries.map((entry) => (
        <li key={`${entry.kind}:${entry.id}`} className="flex items-center justify-between gap-4 py-2">
          <EntryLink entry={entry} />
          <Button size="small" onClick={() => setFollow(entry, entry.name, false)}>
            {words.remove}
            <span className="sr-only">: {entry.name}</span>
          </Button>
        </li>
      ))}
    </ul>
  );
}

function EntryLink({ entry: { kind, id, name } }: { readonly entry: FollowEntry }) {
  const target = {
    author: { to: "/by/$address", params: { address: id } },
    stock: { to: "/stock/$symbol", params: { symbol: id } },
    saved: { to: "/press/$slug", params: { slug: id } },
  } as const;
  return (
    <Link {...target[kind]} className="link min-w-0">
      {kind === "stock" ? id : name}
    </Link>
  );
}

/** The controls that make, renew and remove the address of the private feed. */
function FeedControls() {
  const { data } = useQuery(ownFollows);
  const [url, setUrl] = useState<string>();
  const change = useMutation({
    mutationFn: (on: boolean) => postJson("/api/me/feed", { on }, PrivateFeed),
    onSuccess(made) {
      setUrl(made.url ?? undefined);
      queryClient.setQueryData<Follows>(
        followsKey,
        (known) => known && { ...known, hasFeed: made.url !== null },
      );
    },
  });
  const hasFeed = data?.hasFeed === true;
  return (
    <Section heading={words.feed}>
      <p className="max-w-2xl text-quiet">{words.feedLead}</p>
      {url !== undefined && (
        <div role="status" className="grid justify-items-start gap-2">
          <p className="text-sm font-semibold">{words.feedOnce}</p>
          <code className="rounded-xl bg-sunk p-3 text-sm [overflow-wrap:anywhere]">{url}</code>
          <Copy label={words.feedAddress} text={url} />
        </div>
      )}
      {hasFeed && url === undefined && <p className="text-sm text-quiet">{words.feedKnown}</p>}
      <Alert>{change.error?.message}</Alert>
      <div className="flex flex-wrap gap-3">
        <Button busy={change.isPending} onClick={() => change.mutate(true)}>
          {hasFeed ? words.feedRenew : words.feedMake}
        </Button>
        {hasFeed && (
          <Button look="danger" busy={change.isPending} onClick={() => change.mutate(false)}>
            {words.feedEnd}
          </Button>
        )}
      </div>
    </Section>
  );
}
