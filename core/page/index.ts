import { escapeUTF8 as escaped } from "entities/escape";
import * as z from "zod";
import type { Address } from "../chain/hex.ts";
import { AppError } from "../error.ts";
import * as Market from "../market/index.ts";
import { formatPercent, formatPeriod, readCompany, type StockWeek } from "../market/schema.ts";
import type { Clock } from "../port/clock.ts";
import type { Pages } from "../port/cloud.ts";
import type { Settings } from "../port/settings.ts";
import type { AllPorts } from "../ports.ts";
import { findId, list, makePageUrl, readAuthor } from "../press/index.ts";
import type { PressItem } from "../record/press.ts";
import type { Table } from "../table.ts";
import { drawCard, type Typefaces } from "./card.ts";
import { day, makeListingPage, makePage, PageFacts, type PageSettings } from "./make.ts";

export type ShowPorts = Pick<AllPorts, "table"> & {
  readonly clock: Pick<Clock, "now">;
  readonly pages: Pages;
  readonly settings: PageSettings;
};

export type ShownPage = { readonly found: boolean; readonly html: string };

/**
 * The page of a live press. If no press with this slug is live, the function returns the document that starts the site's app, and the app
 * shows that the page was not found. Throws `site_unavailable` (`upstream`).
 */
export async function show({ table, pages, settings }: ShowPorts, slug: string): Promise<ShownPage> {
  const [template, press] = await Promise.all([readTemplate(pages), findLivePress(table, slug)]);
  return press === undefined
    ? { found: false, html: template }
    : { found: true, html: makePage(template, press, settings) };
}

/** The number of presses that the page of a stock or an author lists for readers without JavaScript. */
const mostListed = 10;

/**
 * The page of a stock: its name, its price with the change, and its newest presses. The function makes one table request for the prices and
 * one for the presses. If a stock has neither a price nor a press, the page counts as not found. Throws `site_unavailable` (`upstream`).
 */
export async function showStock(ports: ShowPorts, symbol: string): Promise<ShownPage> {
  const { table, clock, pages, settings } = ports;
  const [template, { stocks }, { presses }] = await Promise.all([
    readTemplate(pages),
    Market.readOverview(ports),
    list({ table }, { stock: symbol, limit: mostListed }),
  ]);
  const stock = stocks.find((one) => one.symbol === symbol);
  const company = stock && readCompany(stock);
  if (company === undefined && presses.length === 0) return { found: false, html: template };
  const listing = {
    path: `/stock/${symbol}`,
    feed: `/feed.xml?stock=${symbol}`,
    title: company === undefined ? symbol : `${symbol}: ${company}`,
    heading: company ?? symbol,
    lead: `${describePrice(stock, clock.now())}The price of the stock token ${symbol}, and the articles about it.`,
    presses,
  };
  return { found: true, html: makeListingPage(template, listing, settings) };
}

/** A stock's price and change as a sentence: `$226.13, −3.6% in 7 days. ` The sentence is empty if the stock has no price. */
function describePrice(stock: StockWeek | undefined, now: number): string {
  if (stock === undefined) return "";
  const { mid, change } = stock;
  const moved = change && `, ${formatPercent(change.percent)} ${formatPeriod(change.since, now)}`;
  return `$${mid.toFixed(2)}${moved ?? ""}. `;
}

/**
 * The page of an author, with the byline and the newest presses. The function reads the byline and the presses in one table request. Throws
 * the same errors as `showStock`.
 */
export async function showAuthor(
  { table, pages, settings }: ShowPorts,
  address: Address,
): Promise<ShownPage> {
  const [template, found] = await Promise.all([
    readTemplate(pages),
    readAuthor({ table }, address).catch(rethrowUnlessMissing),
  ]);
  if (found === undefined) return { found: false, html: template };
  const name = found.names[0]?.name ?? address;
  const listing = {
    path: `/by/${address}`,
    feed: `/feed.xml?author=${address}`,
    title: name,
    heading: name,
    lead: `Publishing here since ${day.format(new Date(found.since))}, from the wallet ${address}.`,
    about: found.profile ?? undefined,
    presses: found.presses.slice(0, mostListed),
  };
  return { found: true, html: makeListingPage(template, listing, settings) };
}

/**
 * The HTML document that starts the site's app. When the app starts, it shows that the page was not found. Throws `site_unavailable`
 * (`upstream`).
 */
export async function showMissing({ pages }: Pick<ShowPorts, "pages">): Promise<ShownPage> {
  return { found: false, html: await readTemplate(pages) };
}

function rethrowUnlessMissing(error: unknown): undefined {
  if (!(error instanceof AppError && error.kind === "missing")) throw error;
}

async function readTemplate(pages: Pages): Promise<string> {
  const template = await pages.fetchTemplate();
  if (template !== undefined) return template;
  throw new AppError("upstream", "site_unavailable", "The site is not published yet; the API works.");
}

type CardPorts = Pick<AllPorts, "table"> & { readonly typefaces: () => Typefaces };

/**
 * The picture of a live press, as PNG. `file` is the slug of the press with `.png`. The function makes one table request. Throws
 * `unknown_press` (`missing`).
 */
export async function makeCard({ table, typefaces }: CardPorts, file: string): Promise<Buffer> {
  const slug = file.endsWith(".png") ? file.slice(0, -".png".length) : "";
  const id = findId(slug);
  const { press: presses, overview } = table.entities;
  const [item, overviewItem] =
    id === undefined
      ? []
      : await table.together([presses.get({ id }).params(), overview.get(Market.overviewKey).params()]);
  const press = item && selectLiveFacts(slug, presses.parse(item).data);
  if (press === undefined) throw new AppError("missing", "unknown_press", "There is no such article.");
  // A stock has no outline until its first price is recorded.
  const { outline = [] } = Market.parsePriceHistories(table, overviewItem)[press.stock] ?? {};
  return drawCard(press, outline, typefaces());
}

async function findLivePress(table: Table, slug: string): Promise<PageFacts | undefined> {
  const id = findId(slug);
  if (id === undefined) return undefined;
  const { data: press } = await table.entities.press.get({ id }).go({ consistent: true });
  return selectLiveFacts(slug, press);
}

/** Throws if a fact of a live press is missing, because a live press without this fact is a defect. */
function selectLiveFacts(slug: string, press: PressItem | null): PageFacts | undefined {
  return press?.status === "live" && press.slug === slug ? PageFacts.parse(press) : undefined;
}

type SitemapPorts = Pick<AllPorts, "table" | "clock"> & { readonly settings: Pick<Settings, "origin"> };

/** The site's own pages that the sitemap lists. */
const sitePaths = ["/", "/audit", "/ranking", "/developers", "/terms", "/privacy", "/contact"];

/**
 * The name of the part of the sitemap that lists the site's own pages. A part of the sitemap that lists presses is named after a UTC day.
 */
const sitePart = "site";

const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

/**
 * Returns the sitemap or one of its parts (sitemaps.org). If no part is named, returns the index of all parts. The index has one part per
 * UTC day on which presses went live. The sitemap lists every live press as long as no day has more than about 30,000 presses (a Lambda
 * answer has at most 6 MB; a sitemap can list at most 50,000 URLs). Throws `unknown_sitemap` (`missing`).
 */
export async function makeSitemap(ports: SitemapPorts, part: string | undefined): Promise<string> {
  if (part === undefined) return writeIndex(ports);
  if (part === sitePart) {
    return makeUrlSet(sitePaths.map((path) => ({ url: ports.settings.origin + path })));
  }
  const day = z.iso.date().safeParse(part);
  const urls = day.success ? await listPages(ports, day.data) : [];
  if (urls.length === 0) {
    throw new AppError("missing", "unknown_sitemap", "There is no such part of the sitemap.");
  }
  return makeUrlSet(urls);
}

type SitemapEntry = { readonly url: string; readonly changed?: string | undefined };

async function writeIndex(ports: SitemapPorts): Promise<string> {
  const makePartUrl = (part: string) => `${ports.settings.origin}/sitemap.xml?part=${part}`;
  const months = await Promise.all((await listMonths(ports)).map((month) => listDays(ports.table, month)));
  const parts = [
    { url: makePartUrl(sitePart) },
    ...months.flat().map((changed) => ({ url: makePartUrl(changed.slice(0, 10)), changed })),
  ];
  return writeSitemapDocument("sitemapindex", "sitemap", parts);
}

/** All months from the month of the first live press to the current month, written as `2026-01`. */
async function listMonths({ table, clock }: SitemapPorts): Promise<readonly string[]> {
  const { data } = await queryLive(table).go({ order: "asc", limit: 1, attributes: ["publishedAt"] });
  const first = data[0]?.publishedAt;
  if (first === undefined) return [];
  const months: string[] = [];
  const now = new Date(clock.now()).toISOString();
  for (let month = first.slice(0, 7); month <= now.slice(0, 7); month = findNextMonth(month))
    months.push(month);
  return months;
}

function findNextMonth(month: string): string {
  const date = new Date(`${month}-01T00:00:00.000Z`);
  date.setUTCMonth(date.getUTCMonth() + 1);
  return date.toISOString().slice(0, 7);
}

/**
 * Finds the days of a month on which presses went live, the latest day first, with one table request per day. For each day, the list has
 * the time at which the day's last press went live.
 */
async function listDays(table: Table, month: string): Promise<readonly string[]> {
  const days: string[] = [];
  for (let before = findNextMonth(month); ; ) {
    const { data } = await queryLive(table)
      .between({ publishedAt: month }, { publishedAt: before })
      .go({ order: "desc", limit: 1, attributes: ["publishedAt"] });
    const last = data[0]?.publishedAt;
    if (last === undefined) return days;
    days.push(last);
    before = last.slice(0, 10);
  }
}

async function listPages({ table, settings }: SitemapPorts, day: string): Promise<readonly SitemapEntry[]> {
  const { data } = await queryLive(table)
    .begins({ publishedAt: day })
    .go({ order: "asc", pages: "all", attributes: ["slug", "publishedAt"] });
  return data.flatMap(({ slug, publishedAt }) =>
    slug === undefined ? [] : [{ url: makePageUrl(settings.origin, slug), changed: publishedAt }],
  );
}

function queryLive(table: Table) {
  return table.entities.press.query.live({ shelf: "live" });
}

function makeUrlSet(entries: readonly SitemapEntry[]): string {
  return writeSitemapDocument("urlset", "url", entries);
}

function writeSitemapDocument(root: string, element: string, entries: readonly SitemapEntry[]): string {
  const lines = entries.map(({ url, changed }) => {
    const lastmod = changed === undefined ? "" : `<lastmod>${escaped(changed)}</lastmod>`;
    return `<${element}><loc>${escaped(url)}</loc>${lastmod}</${element}>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} ${namespace}>\n${lines.join("")}</${root}>\n`;
}
