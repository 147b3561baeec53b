import * as z from "zod";
import type { Address } from "../chain/hex.ts";
import { AppError, makeBusyError } from "../error.ts";
import * as Market from "../market/index.ts";
import { type Quote, readCompany, type Stock } from "../market/schema.ts";
import type { AllPorts } from "../ports.ts";
import { askWithinBudget, findDay, type SpendPorts } from "../quota/index.ts";
import * as Repeat from "../repeat/index.ts";
import { commit, takeNextId } from "../transact.ts";
import {
  makeAngleError,
  makeLimitError,
  makeModelError,
  makeNoDraftError,
  makeWritingError,
} from "./error.ts";
import {
  describeQuote,
  isBusinessReport,
  listSources,
  readShownAngles,
  type ShownAngles,
  suggestAngles,
} from "./offer.ts";
import {
  type Angle,
  Angles,
  type AnglesInput,
  type Draft,
  type DraftTask,
  freshHours,
  Generated,
  type GenerateInput,
  generationsPerDay,
  type Headline,
  type News,
  Source,
  type StandingAngle,
  type Writer,
} from "./schema.ts";

type Ports = SpendPorts &
  Market.MarketPort & {
    readonly writer: Writer;
    /**
     * Returns the fault that the service's own audit would find in an AI draft. If there is a fault, the model is asked for another draft.
     */
    readonly inspect: (
      draft: Draft,
      known: Pick<DraftTask["facts"], "quote" | "sources"> & { readonly stock: Stock; readonly now: string },
    ) => string | undefined;
  };

/**
 * The maximum number of milliseconds from the request to the end of the model's answer. The gateway waits at most 29 seconds for an answer.
 */
const timeLimit = 24_000;

/**
 * Lets the model write a draft on one of the angles that were shown to the caller, and stores the draft together with its sources
 * (specification §4.8). A generation uses up quota only if its draft was written. Throws `unknown_stock` or `unknown_angle` (both `input`),
 * `generation_limit` or `model_limit` (both `limit`), or one of `model_unavailable`, `model_budget_spent`, `market_unavailable` and
 * `table_busy` (all `upstream`).
 */
export async function generate(
  ports: Ports,
  wallet: Address,
  { stock: symbol, angleId }: GenerateInput,
  repeat?: Repeat.KeyedRequest,
): Promise<Generated> {
  const start = ports.clock.now();
  const begun = repeat === undefined ? undefined : await findEarlierAnswer(ports, wallet, repeat);
  if (begun?.written !== undefined) return begun.written;
  const stock = await Market.findStock(ports, symbol);
  const [quote, shown] = await Promise.all([
    readLastQuote(ports, symbol),
    readShownAngles(ports, wallet, symbol),
  ]);
  const angle = findAngle(angleId, stock, quote, shown);
  const sources = listSources(angle, { stock, quote, reports: shown.reports.map(({ report }) => report) });
  const plan = { stock: symbol, angle, sources, engine: ports.writer.engine };
  const place = await reserveSlot(ports, wallet, plan, repeat && { repeat, instead: begun?.lost });
  try {
    const task = {
      stock: { symbol, name: readCompany(stock) },
      angle,
      facts: { quote, sources },
      now: new Date(start).toISOString(),
    };
    const { value: draft, engine } = await askWithinBudget(ports, wallet, ports.writer.most(task), () =>
      ports.writer.write(task, {
        timeLimit: Math.max(0, start + timeLimit - ports.clock.now()),
        fault: (written) =>
          findFault(written, sources) ?? ports.inspect(written, { stock, quote, sources, now: task.now }),
      }),
    );
    // The quota is read before the draft is stored, so that a failed read does not use up quota.
    const left = await countSlotsLeft(ports, wallet);
    await storeDraft(ports, place, { draft, engine });
    return {
      generationId: place.id,
      draft,
      sources: sources.map(({ title, source, link }) => ({ title, source, link })),
      remaining: left,
    };
  } catch (error) {
    await refundQuota(ports, place);
    throw error;
  }
}

const GenerationRef = z.object({ generationId: z.int().positive() });

/** The number of seconds after which the client may ask again for a draft that is still being written. */
const retrySeconds = 5;

/**
 * The result of an earlier request with the same idempotency key: the request's draft, or a generation that ended without a draft. Throws
 * `still_writing` (`conflict`) while the earlier request is running, and `idempotency_key_reused` (`conflict`) if the key belongs to
 * another request.
 */
async function findEarlierAnswer(ports: AllowancePorts, wallet: Address, repeat: Repeat.KeyedRequest) {
  const earlier = await Repeat.readEarlierAnswer(ports, wallet, repeat);
  if (earlier === undefined) return undefined;
  const lost = GenerationRef.parse(earlier);
  const data = await readGeneration(ports, wallet, lost.generationId);
  const written = data?.state === "written" ? await makeDraftAnswer(ports, wallet, data) : undefined;
  // The process that was writing the earlier draft has crashed, so this request can use the slot of that draft.
  if (data?.state === "writing") await refundQuota(ports, { wallet, id: data.id, day: data.day });
  return { lost, written };
}

/**
 * Reads the record of an AI draft after the writing of the draft has ended or timed out. Throws `still_writing` (`conflict`) while the
 * generation is being written.
 */
async function readGeneration({ table, clock }: AllowancePorts, wallet: Address, id: number) {
  const { data } = await table.entities.generation.get({ wallet, id }).go({ consistent: true });
  if (data?.state === "writing" && data.dueAt > clock.now()) throw makeWritingError(retrySeconds);
  return data;
}

/**
 * Returns an earlier AI draft of the caller without using up quota, because the answer with the draft may have been lost. Throws
 * `unknown_generation` (`missing`), and `still_writing` (`conflict`).
 */
export async function readGenerated(
  ports: AllowancePorts,
  wallet: Address,
  id: string | undefined,
): Promise<Generated> {
  const number = /^[1-9]\d{0,11}$/.test(id ?? "") ? Number(id) : undefined;
  if (number === undefined) throw makeNoDraftError();
  const data = await readGeneration(ports, wallet, number);
  if (data?.state !== "written") throw makeNoDraftError();
  return makeDraftAnswer(ports, wallet, data);
}

async function makeDraftAnswer(
  ports: AllowancePorts,
  wallet: Address,
  { id, draft, sources }: { readonly id: number; readonly draft?: unknown; readonly sources: unknown },
): Promise<Generated> {
  return Generated.parse({
    generationId: id,
    draft,
    sources,
    remaining: await countFreeSlots(ports, wallet),
  });
}

/**
 * Finds the angle with the given id among the angles that were shown to the caller. The price angle can be chosen even if it was not shown.
 */
function findAngle(angleId: string, stock: Stock, quote: Quote | undefined, shown: ShownAngles): Angle {
  const offered = [
    ...shown.reports.map(({ angle }) => angle),
    ...shown.standing,
    ...listStockAngles(stock, { quote, reports: shown.reports.map(({ report }) => report) }),
  ];
  const angle = offered.find(({ id }) => id === angleId);
  if (angle === undefined) throw makeAngleError(angleId);
  return angle;
}

/**
 * Checks a draft that meets the length limits, and returns the draft's fault, if it has one. A draft has a fault if it copies the words of
 * a source or links to a web address that is not a source's address.
 */
function findFault(draft: Draft, sources: readonly Source[]): string | undefined {
  const original = findOriginal(draft, sources);
  if (original !== undefined) {
    return `Twelve or more words in a row are copied from ${original.source} (${original.link}).`;
  }
  const invented = findInventedLink(draft, sources);
  return invented === undefined ? undefined : `The link ${invented} is not one of the sources.`;
}

async function storeDraft(
  ports: Ports,
  { wallet, id }: GenerationKey,
  written: { readonly draft: Draft; readonly engine: string },
): Promise<void> {
  const outcome = await commit(ports, (entities) => ({
    generation: entities.generation
      .patch({ wallet, id })
      .set({ state: "written", ...written })
      .remove(["expiresAt"])
      .where(({ state }, { eq }) => eq(state, "writing"))
      .commit(),
  }));
  if (outcome.done) return;
  if (outcome.refused.size === 0) throw makeBusyError(outcome);
  throw makeModelError(new Error(`Generation ${id} was given up before its draft was stored`));
}

/** If a draft and a source share this number of consecutive words, the draft counts as copied. */
const tooMany = 12;

/** Text that may be the name of a source: a quotation, or a link's text. */
const citation = /"[^"\n]{1,400}"|“[^”\n]{1,400}”|\[[^[\]\n]{1,400}\]/g;
const cut = "\n¶\n";

/**
 * Returns the source from which a draft copied twelve or more consecutive words, even if case, punctuation or emphasis differ. A source's
 * whole title counts as a citation if the title stands in quotation marks or is the text of a link.
 */
export function findOriginal(
  { headline, preview, body }: Draft,
  sources: readonly Source[],
): Source | undefined {
  const own = [headline, preview, body].join(cut);
  return sources.find(({ title, text }) => {
    const passages = removeCitations(own, title).split(cut).map(listWords);
    const theirs = new Set([title, text].flatMap((original) => listWordSequences(listWords(original))));
    return passages.some((passage) => listWordSequences(passage).some((run) => theirs.has(run)));
  });
}

function removeCitations(text: string, title: string): string {
  const name = listWords(title).join(" ");
  return text.replace(citation, (passage) => (listWords(passage).join(" ") === name ? cut : passage));
}

function listWordSequences(list: readonly string[]): readonly string[] {
  return list.flatMap((_, start) =>
    start + tooMany <= list.length ? [list.slice(start, start + tooMany).join(" ")] : [],
  );
}

function listWords(text: string): readonly string[] {
  const seen = text
    .normalize("NFKC")
    .replace(/\]\([^()\s]*/g, "] ")
    .replace(/[\p{Cf}\p{Mn}*_~`]/gu, "")
    .replace(/[‘’]/g, "'");
  return seen.toLowerCase().match(/[\p{L}\p{N}]+(?:['.,][\p{L}\p{N}]+)*/gu) ?? [];
}

/** The first web address in a draft's text that is not one of the draft's sources. A model can invent the web address of a source. */
export function findInventedLink({ body }: Draft, sources: readonly Source[]): string | undefined {
  const addresses = body.match(/\bhttps?:\/\/[^\s<>()[\]"'`*]+/gi) ?? [];
  // A match stops at the first character at which Markdown could end a web address, so it can be shorter than the source's web address.
  return addresses
    .map((address) => address.replace(/[.,;:!?]+$/, ""))
    .find((address) => !sources.some(({ link }) => link.startsWith(address)));
}

/** The sources of a wallet's AI draft, in the form in which the model saw them. Throws a TypeError when the draft does not exist. */
export async function loadSources(
  { table }: Pick<AllPorts, "table">,
  wallet: string,
  id: number,
): Promise<readonly Source[]> {
  const { data } = await table.entities.generation.get({ wallet, id }).go({ consistent: true });
  if (data?.state !== "written") throw new TypeError(`AI draft ${id} of ${wallet} is not in the table`);
  return z.array(Source).parse(data.sources);
}

type MarketPorts = Pick<AllPorts, "table" | "clock"> & Market.MarketPort;

/**
 * Lists angles on a stock (specification §4.8): the latest headlines about the stock, its price, and reports on the company's business. If
 * the news source fails, the list contains only the other angles, and `outage` gives the reason. Throws `unknown_stock` (`input`),
 * `market_unavailable` (`upstream`) or `table_busy`.
 */
export async function listAngles(
  ports: MarketPorts & NewsPorts,
  wallet: Address,
  { stock: symbol }: AnglesInput,
  repeat?: Repeat.KeyedRequest,
): Promise<Angles & { readonly outage: AppError | undefined }> {
  const earlier = repeat === undefined ? undefined : await Repeat.readEarlierAnswer(ports, wallet, repeat);
  if (earlier !== undefined) return { ...Angles.parse(earlier), outage: undefined };
  const stock = await Market.findStock(ports, symbol);
  const [quote, { reports, freshNews, outage }, left] = await Promise.all([
    readLastQuote(ports, symbol),
    readRecentNews(ports, symbol),
    countSlotsLeft(ports, wallet),
  ]);
  const shown = await suggestAngles(ports, wallet, stock, {
    reports,
    standing: listStockAngles(stock, { quote, reports }),
  });
  const found = { angles: shown, freshNews, remaining: left };
  if (repeat !== undefined) {
    const { clock } = ports;
    // If two requests list angles at the same time, both lists are correct, but only the list of the first request is stored.
    await commit(ports, (entities) => ({
      answer: Repeat.makeAnswerWrite(entities, wallet, repeat, { now: clock.now(), given: found }),
    }));
  }
  return { ...found, outage };
}

/** The stock's latest quote, or `undefined` if the stock never had a quote. Only the price angle needs a quote. */
async function readLastQuote(ports: MarketPorts, symbol: string): Promise<Quote | undefined> {
  try {
    return await Market.loadQuote(ports, symbol);
  } catch (error) {
    if (error instanceof AppError && error.kind === "upstream") return undefined;
    throw error;
  }
}

/**
 * Lists the price angle if there is a quote, and the fundamentals angle if a report contains numbers about the business. A link to the
 * company's filings alone does not count as numbers about the business.
 */
export function listStockAngles(
  stock: Stock,
  { quote, reports }: { readonly quote: Quote | undefined; readonly reports: readonly Headline[] },
): readonly StandingAngle[] {
  const company = readCompany(stock);
  const fundamentals = {
    id: "fundamentals",
    kind: "fundamentals",
    title: `${company} beyond the day's price`,
    detail: `What was lately reported about ${company}'s business, which of its filings would support the reports, and what is still unknown.`,
  } as const;
  const business = reports.some(isBusinessReport) ? [fundamentals] : [];
  if (quote === undefined) return business;
  const price = {
    id: "price",
    kind: "price",
    title: `Where ${stock.symbol} stands in its day's range`,
    detail: `${stock.symbol} is at ${describeQuote(quote)}. What that says, and what it does not.`,
  } as const;
  return [price, ...business];
}

const hour = 60 * 60 * 1000;
/**
 * Limits for the date of news, in milliseconds before or after the present time. News that is older than `stale` is left out, and a date
 * that is more than `ahead` in the future counts as wrong.
 */
const stale = 7 * 24 * hour;
const ahead = 24 * hour;
const atMost = 5;

type NewsPorts = Pick<AllPorts, "clock"> & { readonly news: News };

type RecentNews = {
  /** The latest reports about the stock, the newest first. */
  readonly reports: readonly Headline[];
  readonly freshNews: boolean;
  /** The error that explains why the news source failed. */
  readonly outage: AppError | undefined;
};

/** The latest reports about a ticker. If the news source fails, the list of reports is empty and `outage` gives the reason. */
async function readRecentNews({ news, clock }: NewsPorts, symbol: string): Promise<RecentNews> {
  try {
    const now = clock.now();
    const reports = selectLatestNews(await news.listHeadlines(symbol), now);
    const freshNews = reports.some(({ publishedAt }) => now - Date.parse(publishedAt) < freshHours * hour);
    return { reports, freshNews, outage: undefined };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { reports: [], freshNews: false, outage: error };
  }
}

/** Removes reports with a repeated link or title. If the date of a report is in the future, the present time replaces the date. */
function selectLatestNews(headlines: readonly Headline[], now: number): readonly Headline[] {
  const seen = new Set<string>();
  return headlines
    .map((headline) => ({ headline, time: Date.parse(headline.publishedAt) }))
    .filter(({ time }) => time > now - stale && time < now + ahead)
    .toSorted((one, other) => other.time - one.time)
    .filter(({ headline: { link, title } }) => {
      const isNew = !seen.has(link) && !seen.has(title.toLowerCase());
      seen.add(link).add(title.toLowerCase());
      return isNew;
    })
    .slice(0, atMost)
    .map(({ headline, time }) => ({
      ...headline,
      publishedAt: new Date(Math.min(time, now)).toISOString(),
    }));
}

type AllowancePorts = Pick<AllPorts, "table" | "clock">;

/** A slot of a day's quota. A generation takes up one slot while it is being written. */
export type GenerationKey = { readonly wallet: Address; readonly id: number; readonly day: string };

/** The fields of a generation that are stored before the draft is written. */
type NewGeneration = {
  readonly stock: string;
  readonly angle: Angle;
  readonly sources: readonly Source[];
  readonly engine: string;
};

/** Milliseconds after which an unfinished generation counts as crashed, because no function of the service runs for so long. */
const writeTimeoutMs = 60_000;

/**
 * A request with an idempotency key, which the client may send again. If the last attempt of this request ended without a draft, `instead`
 * contains the generation of that attempt.
 */
type RepeatState = {
  readonly repeat: Repeat.KeyedRequest;
  readonly instead: z.infer<typeof GenerationRef> | undefined;
};

/** The remaining part of a wallet's quota for today. Crashed generations do not use up quota. */
async function countSlotsLeft(ports: AllowancePorts, wallet: Address): Promise<number> {
  const left = await countFreeSlots(ports, wallet);
  return left > 0 || !(await freeSlots(ports, wallet)) ? left : countFreeSlots(ports, wallet);
}

/**
 * Takes a slot of today's quota before the model is asked, so that concurrent requests cannot exceed the quota. Throws `generation_limit`
 * (`limit`), or `table_busy` (`upstream`).
 */
async function reserveSlot(
  ports: AllowancePorts,
  wallet: Address,
  plan: NewGeneration,
  repeatState: RepeatState | undefined,
): Promise<GenerationKey> {
  const take = () => takeSlot(ports, wallet, plan, repeatState);
  let place = await take();
  if (place === undefined && (await freeSlots(ports, wallet))) place = await take();
  if (place === undefined) throw makeLimitError(findDay(ports.clock.now()).left);
  return place;
}

/** Frees the slot of a failed generation. Returns `false` when the generation was already written or its slot was already freed. */
async function refundQuota(ports: AllowancePorts, { wallet, id, day }: GenerationKey): Promise<boolean> {
  const outcome = await commit(ports, ({ generation, quota }) => ({
    generation: generation
      .delete({ wallet, id })
      .where(({ state }, { eq }) => eq(state, "writing"))
      .commit(),
    quota: quota.patch({ wallet, kind: "generation", day }).add({ used: -1 }).commit(),
  }));
  if (!outcome.done && !outcome.refused.has("generation")) throw makeBusyError(outcome);
  return outcome.done;
}

async function takeSlot(
  ports: AllowancePorts,
  wallet: Address,
  plan: NewGeneration,
  repeatState: RepeatState | undefined,
): Promise<GenerationKey | undefined> {
  const now = ports.clock.now();
  const today = findDay(now);
  const id = await takeNextId(ports.table, "generation");
  const outcome = await commit(ports, (entities) => ({
    quota: entities.quota
      .update({ wallet, kind: "generation", day: today.name })
      .add({ used: 1 })
      .set({ expiresAt: today.expiresAt })
      .where(({ used }, { lt, notExists }) => `${notExists(used)} OR ${lt(used, generationsPerDay)}`)
      .commit(),
    generation: entities.generation
      .create({
        wallet,
        id,
        state: "writing",
        ...plan,
        createdAt: new Date(now).toISOString(),
        day: today.name,
        dueAt: now + writeTimeoutMs,
        expiresAt: today.expiresAt,
      })
      .commit(),
    ...(repeatState !== undefined && {
      answer: Repeat.makeAnswerWrite(entities, wallet, repeatState.repeat, {
        now,
        given: { generationId: id },
        instead: repeatState.instead,
      }),
    }),
  }));
  if (outcome.done) return { wallet, id, day: today.name };
  // Another process is already answering the same request, so the caller must repeat the request later to get the draft of that process.
  if (outcome.refused.has("answer")) throw makeWritingError(retrySeconds);
  if (outcome.refused.has("quota")) return undefined;
  throw makeBusyError(outcome);
}

/**
 * Gives back the quota of today's AI drafts whose writing has crashed. The function reads only the wallet's latest `generationsPerDay`
 * generations, which include all crashed generations of today.
 */
async function freeSlots(ports: AllowancePorts, wallet: Address): Promise<boolean> {
  const now = ports.clock.now();
  const today = findDay(now).name;
  const { data } = await ports.table.entities.generation.query
    .byWallet({ wallet })
    .go({ order: "desc", limit: generationsPerDay, consistent: true });
  const dead = data.filter(({ state, day, dueAt }) => state === "writing" && day === today && dueAt <= now);
  const freed = await Promise.all(dead.map(({ id, day }) => refundQuota(ports, { wallet, id, day })));
  return freed.includes(true);
}

async function countFreeSlots({ table, clock }: AllowancePorts, wallet: Address): Promise<number> {
  const day = findDay(clock.now()).name;
  const { data } = await table.entities.quota
    .get({ wallet, kind: "generation", day })
    .go({ consistent: true });
  return Math.max(0, generationsPerDay - (data?.used ?? 0));
}
