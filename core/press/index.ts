import * as z from "zod";
import type { Address } from "../chain/hex.ts";
import { decodeCursor, encodeCursor } from "../cursor.ts";
import { AppError } from "../error.ts";
import * as Market from "../market/index.ts";
import type { AllPorts } from "../ports.ts";
import type { PressItem } from "../record/press.ts";
import * as Session from "../session/index.ts";
import { findId } from "./links.ts";
import { pickCommonFields, readPage } from "./own.ts";
import {
  AuditSummary,
  type Author,
  type ListedPress,
  type ListQuery,
  Press,
  type PressDetail,
  type PressList,
  pageSize,
  payAt,
} from "./schema.ts";

export {
  findId,
  makeApiUrl,
  makeMetaUrl,
  makePageUrl,
  makeReportUrl,
  makeSlug,
  parseId,
  readRegistration,
} from "./links.ts";
export * from "./own.ts";
export { findCarryPrice, readPriceNow } from "./price.ts";
export { toUsdg } from "./schema.ts";
export { findShare, makeSketch, type Sketch } from "./text.ts";

type Ports = Pick<AllPorts, "table" | "clock"> & Market.MarketPort;

/**
 * Returns the live press with the given slug. The answer contains the press's text if the reader is the press's publisher or has unlocked
 * the press (specification §2.2). The reader is known from a session's token or from a signed request. A signed request can show a text
 * only once. Throws `unknown_press` (`missing`), and `invalid_nonce` (`auth`) for a signed request that was already used. The function
 * makes one table request. If the request has a valid session or is signed, a second table request is made. A third table request marks the
 * signed request as used. More table requests are made only if the stock's price is outdated.
 */
export async function read(
  ports: Ports,
  slug: string,
  reader: string | Session.SignedRead | undefined,
): Promise<PressDetail> {
  const signed = typeof reader === "object" ? reader : undefined;
  const { press, marks, session } = await readLivePress(
    ports,
    slug,
    typeof reader === "string" ? reader : undefined,
  );
  const shown = toPress(press);
  const wallet = signed?.wallet ?? session?.wallet;
  const [price, body] = await Promise.all([
    Market.readPrice(ports, press.stock, Market.findLastPrice(marks, press.stock)),
    wallet === undefined ? null : readText(ports, press, shown.pressId, wallet),
  ]);
  if (signed !== undefined && body !== null) await Session.consumeSignedRead(ports, signed);
  return {
    press: { ...shown, priceNow: price ?? shown.priceAtPublish, payAt },
    audit: AuditSummary.parse(press.audit),
    unlocked: body !== null,
    body,
  };
}

/** Reads the live press, the last prices of all stocks and the reader's session together. */
async function readLivePress({ table, clock }: Ports, slug: string, token: string | undefined) {
  const id = findId(slug);
  if (id === undefined) throw makeUnknownPressError();
  const { press, marks, session } = table.entities;
  const [found, marked, opened] = await table.together([
    press.get({ id }).params(),
    marks.get(Market.marksKey).params(),
    ...(token === undefined ? [] : [session.get(Session.makeSessionKey(token)).params()]),
  ]);
  return {
    press: requireLivePress(found === undefined ? null : press.parse(found).data, slug),
    marks: marked && marks.parse(marked).data,
    session: opened && Session.toSession(clock, session.parse(opened).data),
  };
}

/** The onchain agent id of a live press, read in one table request. Throws `unknown_press` (`missing`). */
export async function readAgentId({ table }: Pick<Ports, "table">, slug: string): Promise<number> {
  const id = findId(slug);
  if (id === undefined) throw makeUnknownPressError();
  const { data } = await table.entities.press.get({ id }).go({ consistent: true });
  return toPress(requireLivePress(data, slug)).pressId;
}

function requireLivePress(press: PressItem | null, slug: string): PressItem {
  if (press === null || press.status !== "live" || press.slug !== slug) throw makeUnknownPressError();
  return press;
}

async function readText(
  { table }: Ports,
  { id, publisher }: PressItem,
  pressId: number,
  wallet: Address,
): Promise<string | null> {
  const { body, settlement } = table.entities;
  const [text, leg] = await table.together([
    body.get({ id }).params(),
    settlement.get({ wallet, pressId, leg: "publisher" }).params(),
  ]);
  const state = leg && settlement.parse(leg).data?.state;
  if (publisher !== wallet && state !== "settled") return null;
  const stored = text && body.parse(text).data;
  if (stored == null) throw new Error(`Press ${id} has lost its text`);
  return stored.body;
}

function makeUnknownPressError(): AppError {
  return new AppError("missing", "unknown_press", "There is no such article.");
}

/** The position in the list of live presses at which a page of the list ends. */
const ListPlace = z.tuple([z.iso.datetime(), z.string().regex(/^[0-9a-z-]{1,80}$/)]);

/**
 * Live presses, newest first, at most 200 (specification §4.3). If the query has `limit` or `cursor`, the answer contains the cursor of the
 * next page, except on the last page. Throws `invalid_cursor` (`input`).
 */
export async function list({ table }: Pick<AllPorts, "table">, query: ListQuery): Promise<PressList> {
  const limit = query.limit ?? pageSize;
  // DynamoDB stops a query after one megabyte. If presses with long notes fill it, `count` makes ElectroDB continue the query.
  const options = { order: "desc", limit: limit + 1, count: limit + 1 } as const;
  const from = decodeCursor(ListPlace, query.cursor);
  const { press } = table.entities;
  const live =
    query.stock === undefined
      ? press.query.live({ shelf: "live" })
      : press.query.liveByStock({ stockShelf: query.stock });
  const page = from === undefined ? live : live.lt({ publishedAt: from[0], slug: from[1] });
  const { data } = await page.go(options);
  const presses = data.slice(0, limit).map(query.with === "findings" ? addFindings : toPress);
  const last = presses.at(-1);
  const more = data.length > limit;
  const paged = query.limit !== undefined || query.cursor !== undefined;
  return {
    presses,
    ...(paged && more && last !== undefined && { cursor: encodeCursor([last.publishedAt, last.slug]) }),
  };
}

/** Reads at most 200 live presses in one query. The presses are selected by the time when each press went live (ISO 8601). */
export async function listByTime(
  { table }: Pick<AllPorts, "table">,
  span: { readonly after?: string | undefined; readonly before?: string; readonly order: "asc" | "desc" },
): Promise<readonly ListedPress[]> {
  const { after = "", before = "9", order } = span;
  const { data } = await table.entities.press.query
    .live({ shelf: "live" })
    .between({ publishedAt: after }, { publishedAt: before })
    .go({ order, limit: pageSize });
  return data.map(addFindings);
}

/**
 * Reads the presses with the given ids in one table request, in the order of the ids. Presses that are not in the public list are left out.
 */
export async function listByIds(
  { table }: Pick<AllPorts, "table">,
  ids: readonly number[],
): Promise<readonly ListedPress[]> {
  if (ids.length === 0) return [];
  const { press } = table.entities;
  const found = await table.together(ids.map((id) => press.get({ id }).params()));
  return found.flatMap((item) => {
    const data = item === undefined ? null : press.parse(item).data;
    return data?.status === "live" && data.unlistedAt === undefined ? [addFindings(data)] : [];
  });
}

/**
 * The public data of a live press (specification §2.1). Throws if a field is missing, because a live press without this field is a defect.
 */
function toPress(item: PressItem): Press {
  return Press.parse({
    ...pickCommonFields(item),
    auditScore: item.audit?.score,
    publisherHolds: item.publisherHolds ?? false,
  });
}

/** The public data of a press, with the findings of its audit if the findings were stored. */
function addFindings(item: PressItem): ListedPress {
  const { found } = item.audit ?? {};
  const press = toPress(item);
  return found === undefined
    ? press
    : { ...press, findings: { low: found.low ?? 0, medium: found.medium ?? 0 } };
}

export function makeAuthorError(): AppError {
  return new AppError("missing", "unknown_author", "This wallet has published no article.");
}

type AuthorPorts = Pick<AllPorts, "table">;

/**
 * A wallet's public record: its live presses, newest first, with the votes of readers and the scores of audits. Drafts are neither shown
 * nor counted. The function makes one request to the table, and the table returns at most a megabyte, or about 500 presses and drafts. If
 * the wallet has older presses, the answer contains the cursor for the request that reads them. Throws `unknown_author` (`missing`) for a
 * wallet without a live press, and `invalid_cursor` (`input`).
 */
export async function readAuthor(ports: AuthorPorts, address: Address, cursor?: string): Promise<Author> {
  const { presses, profile, next } = await listLivePresses(ports, address, cursor);
  const oldest = presses.at(-1);
  if (oldest === undefined) throw makeAuthorError();
  const scores = presses.map(({ auditScore }) => auditScore);
  return {
    address,
    names: listBylines(presses),
    profile: profile === undefined ? null : { text: profile.text, link: profile.link ?? null },
    since: oldest.publishedAt,
    complete: next === undefined && cursor === undefined,
    totals: {
      presses: presses.length,
      reads: sumBy(presses, ({ standing }) => standing.reads),
      // Only the votes of paying readers count in a wallet's record, because anybody can vote with new wallets at almost no cost.
      votes: {
        up: sumBy(presses, ({ readerVotes }) => readerVotes.up),
        down: sumBy(presses, ({ readerVotes }) => readerVotes.down),
      },
    },
    audits: {
      lowest: Math.min(...scores),
      average: Math.round(sumBy(scores, (score) => score) / scores.length),
      highest: Math.max(...scores),
    },
    presses,
    ...(next !== undefined && { cursor: next }),
  };
}

/**
 * A page of a wallet's live presses, newest first, which begins at a given position in the list. The function makes one query, and one more
 * query after each answer that contains only drafts.
 */
async function listLivePresses(
  ports: AuthorPorts,
  address: Address,
  cursor: string | undefined,
): Promise<
  Pick<Awaited<ReturnType<typeof readPage>>, "profile" | "next"> & {
    readonly presses: readonly ListedPress[];
  }
> {
  const { items, profile, next } = await readPage(ports.table, address, cursor);
  const presses = items
    .filter(({ status, unlistedAt }) => status === "live" && unlistedAt === undefined)
    .map(addFindings)
    .toSorted((one, other) => (one.publishedAt < other.publishedAt ? 1 : -1));
  if (presses.length === 0 && next !== undefined) {
    return { ...(await listLivePresses(ports, address, next)), profile };
  }
  return { presses, profile, next };
}

/** The bylines of a wallet, each with the time of its first press, newest first. */
function listBylines(presses: readonly ListedPress[]): Author["names"] {
  const firsts = new Map<string, string>();
  for (const { publisherName, publishedAt } of presses.toReversed()) {
    if (!firsts.has(publisherName)) firsts.set(publisherName, publishedAt);
  }
  return [...firsts].map(([name, since]) => ({ name, since })).toReversed();
}

function sumBy<Item>(items: readonly Item[], readValue: (item: Item) => number): number {
  return items.reduce((total, item) => total + readValue(item), 0);
}
