import { keccak256, stringToBytes } from "viem/utils";
import * as z from "zod";
import type { Address } from "../chain/hex.ts";
import { decodeCursor, encodeCursor } from "../cursor.ts";
import { AppError, makeBusyError } from "../error.ts";
import * as Manuscript from "../manuscript/index.ts";
import * as Market from "../market/index.ts";
import type { Settings } from "../port/settings.ts";
import type { AllPorts } from "../ports.ts";
import { findDay } from "../quota/index.ts";
import type { SettlementItem } from "../record/payment.ts";
import type { PressItem } from "../record/press.ts";
import * as Repeat from "../repeat/index.ts";
import type { Table } from "../table.ts";
import { commit, takeNextId, transact } from "../transact.ts";
import * as Vote from "../vote/index.ts";
import type { SaveInput } from "./input.ts";
import { makeMetaUrl, parseId } from "./links.ts";
import {
  auditHoldMs,
  type Dashboard,
  DashboardPress,
  draftsPerDay,
  type OwnPress,
  Sale,
  type Sales,
  Saved,
  toUsdg,
  type Wait,
} from "./schema.ts";
import { countMinutes, countWords, makeSketch } from "./text.ts";

type Ports = Pick<AllPorts, "table" | "clock"> &
  Market.MarketPort & {
    /** The settings for the minimum price of a press. A stage that sets no minimum price of its own may leave out these settings. */
    readonly settings?: Partial<Pick<Settings, "origin" | "minPriceUnits">>;
  };

/** The maximum number of times that an update starts again because of concurrent saves. */
const updateAttempts = 5;

/**
 * Creates a draft, or replaces a draft of the caller. A replaced draft must be audited again (specification §3, §4.8). A save may name the
 * time of the draft on which the save is based. A save that names the time of its draft is refused if another save was made after this
 * time, and the error contains the newer time. If saves name no time, the last save wins. Throws `price_too_low`, `unknown_stock` or
 * `unknown_generation` (`input`), `draft_limit` (`limit`), `unknown_press` (`missing`) for a press of another publisher, and `press_live`,
 * `stale_draft` or `stale_manuscript` (`conflict`). A `repeat` of an earlier request gets the answer of the earlier request and saves
 * nothing; a `repeat` with another text throws `idempotency_key_reused` (`conflict`).
 */
export async function save(
  ports: Ports,
  wallet: Address,
  input: SaveInput,
  repeat?: Repeat.KeyedRequest,
): Promise<Saved> {
  const earlier = repeat === undefined ? undefined : await Repeat.readEarlierAnswer(ports, wallet, repeat);
  if (earlier !== undefined) return Saved.parse(earlier);
  // A live press is refused before its price and stock are checked, because its save can never succeed (specification §3).
  const draft = input.id === undefined ? undefined : await readEditablePress(ports.table, wallet, input.id);
  checkPrice(ports, input.priceUsdg);
  await Market.findStock(ports, input.stock);
  if (input.generationId !== undefined) await checkGeneration(ports, wallet, input.generationId, input.stock);
  return draft === undefined
    ? createDraft(ports, wallet, input, repeat)
    : updateDraft(ports, wallet, draft, input, repeat);
}

/** Reads the answer to a concurrent request that has already saved the same text. */
async function readConcurrentAnswer(
  ports: Ports,
  wallet: Address,
  repeat: Repeat.KeyedRequest,
): Promise<Saved> {
  const earlier = await Repeat.readEarlierAnswer(ports, wallet, repeat);
  if (earlier !== undefined) return Saved.parse(earlier);
  throw makeBusyError(new Error("No stored answer was found for a repeated save"));
}

/** A stage may require more than the general minimum price, because the fee of a lower price would not pay for the gas of a purchase. */
export function checkPrice({ settings }: Pick<Ports, "settings">, priceUnits: bigint): void {
  const least = settings?.minPriceUnits;
  if (least === undefined || priceUnits >= least) return;
  throw new AppError(
    "input",
    "price_too_low",
    `priceUsdg: must be at least ${toUsdg(least)} USDG here, so that the platform's fee pays for the gas of a read.`,
    { details: { leastUsdg: toUsdg(least) } },
  );
}

/** An AI draft can be used only by the wallet that owns the draft, and only for the draft's stock. */
async function checkGeneration({ table }: Ports, wallet: Address, id: number, symbol: string): Promise<void> {
  const { data } = await table.entities.generation.get({ wallet, id }).go({ consistent: true });
  if (data?.state === "written" && data.stock === symbol) return;
  throw new AppError(
    "input",
    "unknown_generation",
    `generationId: you have no such AI draft about ${symbol}.`,
  );
}

async function createDraft(
  ports: Ports,
  wallet: Address,
  input: SaveInput,
  repeat: Repeat.KeyedRequest | undefined,
): Promise<Saved> {
  const { table, clock } = ports;
  const now = clock.now();
  const today = findDay(now);
  const id = await takeNextId(table, "press");
  const createdAt = new Date(now).toISOString();
  const { manuscript } = input;
  const outcome = await commit(ports, (entities) => ({
    ...(repeat !== undefined && {
      answer: Repeat.makeAnswerWrite(entities, wallet, repeat, { now, given: { id } }),
    }),
    quota: entities.quota
      .update({ wallet, kind: "draft", day: today.name })
      .add({ used: 1 })
      .set({ expiresAt: today.expiresAt })
      .where(({ used }, { lt, notExists }) => `${notExists(used)} OR ${lt(used, draftsPerDay)}`)
      .commit(),
    press: entities.press
      .create({
        id,
        publisher: wallet,
        aiAssisted: false,
        ...makeContents(input),
        createdAt,
        updatedAt: createdAt,
        revision: 1,
        auditCount: 0,
        votesUp: 0,
        votesDown: 0,
        tags: {},
        reads: 0,
      })
      .commit(),
    body: entities.body.create({ id, revision: 1, body: input.body }).commit(),
    // The manuscript is deleted in the same transaction that saves the press. So a text is never a manuscript and a press at the same time,
    // and two devices cannot make two presses from one manuscript.
    ...(manuscript !== undefined &&
      Manuscript.makeConversionWrites(entities, wallet, manuscript, { press: id, now })),
  }));
  if (outcome.done) return { id };
  if (repeat !== undefined && outcome.refused.has("answer"))
    return readConcurrentAnswer(ports, wallet, repeat);
  if (manuscript !== undefined && outcome.refused.has("manuscript"))
    throw await Manuscript.makeStaleError(table, wallet, manuscript.name);
  if (outcome.refused.has("quota")) {
    throw new AppError("limit", "draft_limit", `At most ${draftsPerDay} new drafts a day. Days are UTC.`, {
      retryAfter: today.left,
    });
  }
  throw makeBusyError(new Error("Every attempt to save the press failed because of concurrent requests"));
}

/** `found` is the draft before this save. If other saves change the draft meanwhile, the draft is read again. */
async function updateDraft(
  ports: Ports,
  wallet: Address,
  found: PressItem,
  input: SaveInput,
  repeat: Repeat.KeyedRequest | undefined,
): Promise<Saved> {
  const { table, clock } = ports;
  const { id } = found;
  const { manuscript } = input;
  let draft = found;
  for (let left = updateAttempts; left > 0; left -= 1) {
    const { revision, updatedAt: before } = draft;
    if (input.updatedAt !== undefined && input.updatedAt !== before) throw makeStaleError(before);
    const updatedAt = computeLaterTime(before, clock.now());
    const saved = input.updatedAt === undefined ? { id } : { id, updatedAt };
    const outcome = await commit(ports, (entities) => ({
      ...(repeat !== undefined && {
        answer: Repeat.makeAnswerWrite(entities, wallet, repeat, { now: clock.now(), given: saved }),
      }),
      press: entities.press
        .patch({ id })
        .set({
          ...makeContents(input),
          updatedAt,
          revision: revision + 1,
        })
        .remove(["audit", "publisherHolds"])
        .where(
          ({ status, revision: stored }, { eq, ne }) => `${ne(status, "live")} AND ${eq(stored, revision)}`,
        )
        .commit(),
      body: entities.body.put({ id, revision: revision + 1, body: input.body }).commit(),
      ...(manuscript !== undefined && Manuscript.makeRemovalWrites(entities, wallet, manuscript)),
    }));
    if (outcome.done) return saved;
    if (repeat !== undefined && outcome.refused.has("answer"))
      return readConcurrentAnswer(ports, wallet, repeat);
    if (manuscript !== undefined && outcome.refused.has("manuscript"))
      throw await Manuscript.makeStaleError(table, wallet, manuscript.name);
    if (!outcome.refused.has("press"))
      throw makeBusyError(new Error("Every attempt to save the press failed because of concurrent requests"));
    draft = await readEditablePress(table, wallet, id);
  }
  throw makeBusyError(new Error("Every attempt to save the press failed because of concurrent requests"));
}

/**
 * Editors use the time of a save as the version of the text. Therefore two saves of a press never have the same time, even if the clocks
 * are wrong.
 */
function computeLaterTime(before: string, now: number): string {
  return new Date(Math.max(now, Date.parse(before) + 1)).toISOString();
}

function makeStaleError(updatedAt: string): AppError {
  return new AppError(
    "conflict",
    "stale_draft",
    "This draft was saved elsewhere since you opened it. Load it again, or save without updatedAt to overwrite it.",
    { details: { updatedAt } },
  );
}

async function readEditablePress(table: Table, wallet: Address, id: number): Promise<PressItem> {
  const press = await readOwnPress({ table }, wallet, id);
  if (press.status !== "live") return press;
  throw new AppError("conflict", "press_live", "This article is live and can no longer be edited.");
}

/** The fields that every save sets, for new and old presses. */
function makeContents(input: SaveInput) {
  return {
    status: "draft",
    headline: input.headline,
    preview: input.preview,
    stock: input.stock,
    publisherName: input.publisherName,
    priceUnits: String(input.priceUsdg),
    readMinutes: countMinutes(countWords(input.body)),
    contentHash: keccak256(stringToBytes(input.body)),
    sketch: makeSketch(input.body),
    // The AI mark of a press is permanent (design §2), so a save without an AI draft does not remove the mark.
    ...(input.generationId !== undefined && { generationId: input.generationId, aiAssisted: true }),
  } as const;
}

/**
 * Reads the present state of one of the caller's presses. Throws `unknown_press` (`missing`) also for a press of another publisher, so that
 * nobody learns of other publishers' drafts (design §2).
 */
export async function readOwnPress(
  { table }: Pick<AllPorts, "table">,
  wallet: Address,
  id: number,
): Promise<PressItem> {
  const { data } = await table.entities.press.get({ id }).go({ consistent: true });
  return requireOwnPress(data, wallet);
}

function requireOwnPress(press: PressItem | null | undefined, wallet: Address): PressItem {
  if (press?.publisher === wallet) return press;
  throw new AppError("missing", "unknown_press", "You have no article with this id.");
}

type OwnPorts = Pick<AllPorts, "table" | "clock"> & { readonly settings: Pick<Settings, "origin"> };

/**
 * Reads one of the caller's presses with the press's text (design §2). `id` is the text of the id in the request's path. Throws
 * `unknown_press` (`missing`), and `table_busy` (`upstream`).
 */
export async function readOwn(ports: OwnPorts, wallet: Address, id: string | undefined): Promise<OwnPress> {
  const number = parseId(id);
  const [press, text] = number === undefined ? [] : await readPressAndText(ports, number);
  const found = requireOwnPress(press, wallet);
  if (text == null) throw new Error(`Press ${found.id} has lost its text`);
  const approved = found.status === "approved" || found.status === "live";
  return {
    press: toDashboardPress(found),
    body: text.body,
    metaUrl: approved ? makeMetaUrl(ports.settings.origin, found.id) : null,
    auditCount: found.auditCount,
  };
}

/**
 * The press and its text are read in one transaction. Otherwise an editor could get the text of one revision with the time of another
 * revision.
 */
async function readPressAndText({ table, clock }: OwnPorts, id: number) {
  const found = await transact(clock, () =>
    table.transaction
      .get((entities) => [entities.press.get({ id }).commit(), entities.body.get({ id }).commit()])
      .go(),
  );
  if (found.canceled) throw makeBusyError(found);
  return [found.data[0].item, found.data[1].item] as const;
}

/** The position in the list of a publisher's presses at which a page ends. */
const OwnPlace = z.tuple([z.int()]);

/**
 * A page of a publisher's presses of any status, the newest first, with the cursor of the next page. The first page also contains the
 * profile. The function makes one query, which returns at most a megabyte, or about 500 presses. Throws `invalid_cursor` (`input`).
 */
export async function readPage(table: Table, publisher: Address, cursor: string | undefined) {
  const [id] = decodeCursor(OwnPlace, cursor) ?? [];
  const readFirstPage = async () => {
    const { data, cursor } = await table.collections.author({ publisher }).go({ order: "desc" });
    return { ...data, cursor };
  };
  const readNextPage = async (below: number) => {
    const query = table.entities.press.query.byPublisher({ publisher }).lt({ id: below });
    const { data, cursor } = await query.go({ order: "desc" });
    return { press: data, profile: [], cursor };
  };
  const page = await (id === undefined ? readFirstPage() : readNextPage(id));
  const { press, profile } = page;
  const last = press.at(-1);
  return {
    items: press,
    profile: profile[0],
    next: page.cursor === null || last === undefined ? undefined : encodeCursor([last.id]),
  };
}

/**
 * The presses of a publisher, the newest first, with their earnings (specification §4.8). The function makes one query, which returns at
 * most a megabyte. If not all presses fit into a megabyte, the answer gives the cursor of the remaining presses, and the sums count only
 * the presses in the answer.
 */
export async function readDashboard(
  { table }: Pick<AllPorts, "table">,
  wallet: Address,
  cursor?: string,
): Promise<Dashboard> {
  return toDashboard(await readPage(table, wallet, cursor));
}

function toDashboard({ items, next }: Awaited<ReturnType<typeof readPage>>): Dashboard {
  return { ...makeDashboard(items), ...(next !== undefined && { cursor: next }) };
}

/** A page of the list of payments. */
const salesPage = 500;
const SalePlace = z.tuple([z.iso.datetime(), z.int().nonnegative()]);

/**
 * All payments of readers for an author's presses, the newest first. Each page of payments is one query of the index, which may lag
 * slightly behind the table. Throws `invalid_cursor` (`input`).
 */
export async function listSales(
  { table }: Pick<AllPorts, "table">,
  publisher: Address,
  cursor?: string,
): Promise<Sales> {
  const [at, press] = decodeCursor(SalePlace, cursor) ?? [];
  const query = table.entities.settlement.query.listed({ listedAs: "sale", listedFor: publisher });
  const from =
    at === undefined ? query : query.lt({ listedAt: at, ...(press !== undefined && { listedPress: press }) });
  const { data, cursor: more } = await from.go({ order: "desc", limit: salesPage });
  const end = more === null ? undefined : data.at(-1);
  // Payments in one transaction may have the same time and the same press. A page never ends between payments with the same time and press.
  // If another page follows, all payments with the time and press of the page's last payment are moved to the next page.
  const whole = data.filter((sale) => sale.settledAt !== end?.settledAt || sale.pressId !== end?.pressId);
  const last = end === undefined ? undefined : whole.at(-1);
  return {
    sales: whole.map(toSale),
    ...(last !== undefined && { cursor: encodeCursor([last.settledAt, last.pressId]) }),
  };
}

function toSale({ settledAt: at, wallet, signed, txHash: tx, slug, headline }: SettlementItem): Sale {
  return Sale.parse({
    at,
    wallet,
    payTo: signed.payTo,
    amountUsdg: toUsdg(signed.amount),
    tx,
    slug,
    headline,
  });
}

function makeDashboard(presses: readonly PressItem[]): Dashboard {
  return {
    presses: presses.map(toDashboardPress),
    totals: {
      earnedUsdg: toUsdg(String(presses.reduce((sum, { earnedUnits = 0 }) => sum + earnedUnits, 0))),
      live: presses.filter(({ status }) => status === "live").length,
      reads: presses.reduce((sum, { reads }) => sum + reads, 0),
    },
  };
}

/**
 * Returns the publisher's dashboard in the full form that the site shows, with at most a hundred unfinished texts. The function makes two
 * parallel queries, and then one query for each approved press (at most ten).
 */
export async function readFullDashboard(
  ports: Pick<AllPorts, "table" | "clock">,
  publisher: Address,
  cursor?: string,
): Promise<Dashboard> {
  const { manuscript } = ports.table.entities;
  const [page, manuscripts] = await Promise.all([
    readPage(ports.table, publisher, cursor),
    manuscript.query.byPublisher({ publisher }).go({ pages: "all" }),
  ]);
  return {
    ...toDashboard(page),
    manuscripts: Manuscript.listEntries(manuscripts.data),
    waits: await listMintWaits(ports, page.items),
  };
}

/** The maximum number of approved presses whose mint claims are read. All other approved presses are shown as waiting for a mint. */
const mintsLookedUp = 10;

async function listMintWaits(
  { table, clock }: Pick<AllPorts, "table" | "clock">,
  items: readonly PressItem[],
): Promise<readonly Wait[]> {
  const now = clock.now();
  const approved = items.filter(({ status }) => status === "approved").slice(0, mintsLookedUp);
  const reported = new Map(
    await Promise.all(
      approved.map(async ({ id }) => {
        const { data } = await table.entities.mintSlot.query.byPress({ id }).go();
        const times = data.filter(({ expiresAt }) => expiresAt * 1000 > now).map(({ since }) => since);
        return [id, times.length === 0 ? undefined : Math.min(...times)] as const;
      }),
    ),
  );
  const formatTime = (time: number) => new Date(time).toISOString();
  return items.flatMap(({ id, status, updatedAt, audit, auditRunUntil = 0 }): Wait | [] => {
    if (status === "live") return [];
    if (auditRunUntil > now)
      return { id, for: "audit-running", since: formatTime(auditRunUntil - auditHoldMs) };
    if (status === "draft") return { id, for: "audit", since: updatedAt };
    const since = reported.get(id);
    if (since !== undefined) return { id, for: "confirmation", since: formatTime(since) };
    return { id, for: status === "approved" ? "mint" : "revision", since: audit?.auditedAt ?? updatedAt };
  });
}

/** A press as its publisher sees it, live or not (specification §2.10). */
function toDashboardPress(item: PressItem): DashboardPress {
  return DashboardPress.parse({
    ...pickCommonFields(item),
    pressId: item.pressId ?? null,
    slug: item.slug ?? null,
    publishedAt: item.publishedAt ?? null,
    auditScore: item.audit?.score ?? null,
    publisherHolds: item.publisherHolds ?? null,
    priceAtPublish: item.priceAtPublish ?? null,
    mintTx: item.mintTx ?? null,
    earnedUsdg: toUsdg(String(item.earnedUnits ?? 0)),
  });
}

/** The fields of a press that both its readers and its publisher see. */
export function pickCommonFields(item: PressItem) {
  return {
    ...item,
    priceUsdg: toUsdg(item.priceUnits),
    ...Vote.makeTally(item),
    readerVotes: Vote.readReaderVotes(item),
    standing: Vote.readRankNumbers(item),
    bylineAmbiguous: item.bylineAmbiguous ?? false,
    newAuthorUntil: item.newUntil ?? null,
    corrections: item.corrections ?? [],
    priceChangedAt: item.priceChangedAt ?? null,
    unlistedAt: item.unlistedAt ?? null,
    auditTx: item.auditTx ?? null,
  };
}
