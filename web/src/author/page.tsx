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
import { joinClasses } from "../ui/button.tsx";
import { Card, Hex, Page, Pair, Pairs, Percent, Section } from "../ui/page.tsx";
import { lazyPart } from "../ui/part.tsx";
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
            <Moves author={author} />
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
const Profile = lazyPart(async () => (await import("./profile.tsx")).ProfileForm);

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
        <Pairs>
          <Pair term={words.presses}>{totals.presses.toLocaleString("en-US")}</Pair>
          <Pair term={words.reads}>{totals.reads.toLocaleString("en-US")}</Pair>
          <Pair term={words.votes}>{countVotes(totals.votes)}</Pair>
          <Pair term={words.audits}>{words.auditsOf(audits.lowest, audits.average, audits.highest)}</Pair>
        </Pairs>
        {!complete && <p className="text-sm text-quiet">{words.incomplete}</p>}
      </Card>
      <Card heading={words.names}>
        <Pairs>
          {names.map(({ name, since }) => (
            <Pair key={name} term={<span className="text-ink">{name}</span>}>
              {words.since(formatDay(since))}
            </Pair>
          ))}
          <Pair term={words.wallet}>
            <Hex kind="address" value={address} />
          </Pair>
        </Pairs>
      </Card>
    </div>
  );
}

/** The price of each press's stock at publication and now. */
function Moves({ author: { presses } }: { readonly author: Author }) {
  const { data } = useQuery(marketWeek);
  const lastOf = new Map(data?.map(({ symbol, mid }) => [symbol, mid]));
  return (
    <Section heading={words.moves} lead={words.movesLead}>
      <table className="figure w-full text-left text-sm">
        <thead className="text-quiet">
          <tr>
            {[words.press, words.before, words.today, words.change].map((name, column) => (
              <th
                key={name}
                scope="col"
                className={joinClasses(
                  "py-2 font-medium",
                  column > 0 && "pl-4 text-right",
                  column === 2 && "max-sm:hidden",
                )}
              >
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
                <th scope="row" className="py-2 font-normal">
                  <Link to="/stock/$symbol" params={{ symbol: stock }} className="link font-semibold">
                    {stock}
                  </Link>{" "}
                  <Link to="/press/$slug" params={{ slug }} className="hover:text-accent">
                    {headline}
                  </Link>
                </th>
                <td className="py-2 pl-4 text-right">{formatDollars(priceAtPublish)}</td>
                <td className="py-2 pl-4 text-right max-sm:hidden">
                  {last === undefined ? words.unknown : formatDollars(last)}
                </td>
                <td className="py-2 pl-4 text-right">
                  {percent !== undefined && <Percent>{percent}</Percent>}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Section>
  );
}
