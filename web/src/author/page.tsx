import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Suspense } from "react";
import { toPercent } from "../../../core/market/schema.ts";
import type { Author } from "../../../core/press/schema.ts";
import { queryAuthor as authorOf, marketWeek } from "../api/press.ts";
import { isMissingError } from "../api/request.ts";
import { FollowButton } from "../follow/follow.tsx";
import { countVotes, formatDay, formatDollars, shortenHex } from "../format.ts";
import { PressCards } from "../list/card.tsx";
import { AuthorPicture } from "../list/cover.tsx";
import { useSession } from "../session/sign-in.tsx";
import { MissingPage } from "../shell/shell.tsx";
import { author as words } from "../strings/listing.ts";
import { Card, ExplorerLink, Page, Pair, Percent, Section, TermList } from "../ui/page.tsx";
import { makeLazyPart } from "../ui/part.tsx";
import { QueryView } from "../ui/status.tsx";

const route = getRouteApi("/by/$address");

/** The page of an author, with the presses that the author's wallet has published. */
export function AuthorPage() {
  const address = route.useParams().address.toLowerCase();
  const query = useQuery(authorOf(address));
  const { data, error } = query;
  if (isMissingError(error)) return <MissingPage />;
  const name = data?.names[0]?.name;
  return (
    <Page
      title={name ?? shortenHex(address)}
      lead={data && words.lead(formatDay(data.since))}
      actions={
        name !== undefined && (
          <FollowButton
            followed={{ kind: "author", id: address }}
            name={name}
            feed={`/feed.xml?author=${address}`}
          />
        )
      }
    >
      <QueryView query={query} failed={words.failed} loading={words.loading}>
        {(author) => (
          <>
            <About author={author} />
            <Facts author={author} />
            <PriceMoves author={author} />
            <Section heading={words.published}>
              <PressCards presses={author.presses} />
            </Section>
          </>
        )}
      </QueryView>
    </Page>
  );
}

// The form for the profile is loaded only in the author's own browser.
const Profile = makeLazyPart(async () => (await import("./profile.tsx")).ProfileForm);

/** The author's picture, address, profile text and link. On their own page, authors also see the form to change the text and the link. */
function About({ author: { address, presses, profile } }: { readonly author: Author }) {
  const session = useSession();
  const link = profile?.link ?? null;
  return (
    <section aria-label={words.about} className="grid gap-5">
      <div className="flex items-start gap-5 max-sm:flex-col">
        <AuthorPicture author={address} />
        <div className="grid min-w-0 max-w-2xl gap-2 [overflow-wrap:anywhere]">
          {profile !== null && profile.text !== "" && (
            <p dir="auto" className="whitespace-pre-line">
              {profile.text}
            </p>
          )}
          {link !== null && (
            <p>
              <a className="link" href={link} rel="nofollow ugc noopener" target="_blank">
                {new URL(link).host}
              </a>{" "}
              <span className="text-sm text-quiet">{words.linkNote}</span>
            </p>
          )}
          <p className="font-mono text-sm text-quiet">{address}</p>
          {presses.some(({ bylineAmbiguous }) => bylineAmbiguous) && (
            <p className="text-sm text-warn">{words.ambiguous}</p>
          )}
        </div>
      </div>
      {session.address === address && (
        <Suspense fallback={null}>
          <Profile address={address} profile={profile} />
        </Suspense>
      )}
    </section>
  );
}

function Facts({ author: { address, names, totals, audits, complete } }: { readonly author: Author }) {
  return (
    <div className="grid gap-5 md:grid-cols-2">
      <Card heading={words.record}>
        <TermList>
          <Pair term={words.presses}>{totals.presses.toLocaleString("en-US")}</Pair>
          <Pair term={words.reads}>{totals.reads.toLocaleString("en-US")}</Pair>
          <Pair term={words.votes}>{countVotes(totals.votes)}</Pair>
          <Pair term={words.audits}>{words.auditsOf(audits.lowest, audits.average, audits.highest)}</Pair>
        </TermList>
        {!complete && <p className="text-sm text-quiet">{words.incomplete}</p>}
      </Card>
      <Card heading={words.names}>
        <TermList>
          {names.map(({ name, since }) => (
            <Pair key={name} term={<span className="text-ink">{name}</span>}>
              {words.since(formatDay(since))}
            </Pair>
          ))}
          <Pair term={words.wallet}>
            <ExplorerLink kind="address" value={address} />
          </Pair>
        </TermList>
      </Card>
    </div>
  );
}

/** The price of each press's stock at publication and now. */
function PriceMoves({ author: { presses } }: { readonly author: Author }) {
  const { data } = useQuery(marketWeek);
  const lastOf = new Map(data?.map(({ symbol, mid }) => [symbol, mid]));
  return (
    <Section heading={words.moves} lead={words.movesLead}>
      <table className="figure w-full text-left text-sm [&_*+:is(th,td)]:pl-4 [&_*+:is(th,td)]:text-right [&_:is(th,td)]:py-2 max-sm:[&_:is(th,td):nth-child(3)]:hidden">
        <thead className="text-quiet">
          <tr>
            {[words.press, words.before, words.today, words.change].map((name) => (
              <th key={name} scope="col" className="font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {presses.slice(0, 20).map(({ id, slug, headline, stock, priceAtPublish }) => {
            const last = lastOf.get(stock);
            const percent = last === undefined ? undefined : toPercent(priceAtPublish, last);
            return (
              <tr key={id} className="border-t border-line">
                <th scope="row" className="font-normal">
                  <Link to="/stock/$symbol" params={{ symbol: stock }} className="link font-semibold">
                    {stock}
                  </Link>{" "}
                  <Link to="/press/$slug" params={{ slug }} className="hover:text-accent">
                    {headline}
                  </Link>
                </th>
                <td>{formatDollars(priceAtPublish)}</td>
                <td>{last === undefined ? words.unknown : formatDollars(last)}</td>
                <td>{percent !== undefined && <Percent>{percent}</Percent>}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Section>
  );
}
