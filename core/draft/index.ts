import * as z from "zod";
import type { Address } from "../chain/hex.ts";
import { tableBusy } from "../error.ts";
import { companyOf, type Quote, type Stock } from "../market/schema.ts";
import type { MarketData } from "../port/market.ts";
import type { Writer } from "../port/model.ts";
import { askPaid, type SpendPorts } from "../quota/index.ts";
import type { Table } from "../table.ts";
import { refused, transact } from "../transact.ts";
import { type Place, refundQuota, remaining, reserve } from "./allowance.ts";
import { lastQuote, listed, standingAngles } from "./angles.ts";
import { modelUnavailable, unknownAngle } from "./error.ts";
import { recallShown, type Shown, sourcesFor } from "./offer.ts";
import { type Angle, type Draft, type Generated, type GenerateInput, Source, type Task } from "./schema.ts";

export { angles } from "./angles.ts";

type Ports = SpendPorts & {
  readonly market: MarketData;
  readonly writer: Writer;
  /** What our own audit would find in a draft, which is asked for again then. */
  readonly inspect: (
    draft: Draft,
    known: Pick<Task["facts"], "quote" | "sources"> & { readonly stock: Stock; readonly now: string },
  ) => string | undefined;
};

/** Milliseconds from the request to the model's last word: the gateway waits for 29 seconds. */
const timeLimit = 24_000;

/**
 * Has a draft written on an angle that the caller was shown, and keeps it with its sources (specification §4.8). It
 * counts only when it succeeds.
 *
 * Throws `input` `unknown_stock` or `unknown_angle`, `limit` `generation_limit` or `model_limit`, and `upstream`
 * `model_unavailable`, `model_budget_spent`, `market_unavailable` or `table_busy`.
 */
export async function generate(
  ports: Ports,
  wallet: Address,
  { stock: symbol, angleId }: GenerateInput,
): Promise<Generated> {
  const start = ports.clock.now();
  const stock = await listed(ports, symbol);
  const [quote, shown] = await Promise.all([lastQuote(ports, symbol), recallShown(ports, wallet, symbol)]);
  const angle = chosen(angleId, stock, quote, shown);
  const sources = sourcesFor(angle, { stock, quote, reports: shown.reports.map(({ report }) => report) });
  const place = await reserve(ports, wallet, {
    stock: symbol,
    angle,
    sources,
    engine: ports.writer.engine,
  });
  try {
    const task = {
      stock: { symbol, name: companyOf(stock) },
      angle,
      facts: { quote, sources },
      now: new Date(start).toISOString(),
    };
    const { value: draft, engine } = await askPaid(ports, wallet, ports.writer.most(task), () =>
      ports.writer.write(task, {
        timeLimit: Math.max(0, start + timeLimit - ports.clock.now()),
        fault: (written) =>
          faultOf(written, sources) ?? ports.inspect(written, { stock, quote, sources, now: task.now }),
      }),
    );
    // Before it is kept: whatever fails must leave it uncounted.
    const left = await remaining(ports, wallet);
    await keep(ports, place, { draft, engine });
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

/** The angle as it was shown. The price always exists, shown or not. */
function chosen(angleId: string, stock: Stock, quote: Quote | undefined, shown: Shown): Angle {
  const offered = [
    ...shown.reports.map(({ angle }) => angle),
    ...shown.standing,
    ...standingAngles(stock, { quote, reports: shown.reports.map(({ report }) => report) }),
  ];
  const angle = offered.find(({ id }) => id === angleId);
  if (angle === undefined) throw unknownAngle(angleId);
  return angle;
}

/** What is wrong with a draft within the limits: it must be in words of its own, and link its sources only. */
function faultOf(draft: Draft, sources: readonly Source[]): string | undefined {
  const original = copiedFrom(draft, sources);
  if (original !== undefined) {
    return `Twelve or more words in a row are those of ${original.source} (${original.link}).`;
  }
  const invented = inventedLink(draft, sources);
  return invented === undefined ? undefined : `The link ${invented} is none of the sources.`;
}

async function keep(
  { table, clock }: Ports,
  { wallet, id }: Place,
  written: { readonly draft: Draft; readonly engine: string },
): Promise<void> {
  const outcome = await transact(clock, () =>
    table.transaction
      .write(({ generation }) => [
        generation
          .patch({ wallet, id })
          .set({ state: "written", ...written })
          .remove(["expiresAt"])
          .where(({ state }, { eq }) => eq(state, "writing"))
          .commit(),
      ])
      .go(),
  );
  if (refused(outcome, 0)) throw modelUnavailable(new Error(`Generation ${id} was given up meanwhile`));
  if (outcome.canceled) throw tableBusy(outcome);
}

/** So many words in a row are not found independently. */
const tooMany = 12;

/** What may be the name of a source: a passage in quotation marks, or a link's text. */
const citation = /"[^"\n]{1,400}"|“[^”\n]{1,400}”|\[[^[\]\n]{1,400}\]/g;
const cut = "\n¶\n";

/**
 * The source from which a draft has taken twelve or more consecutive words, whatever their case, punctuation and
 * emphasis, if there is one. A source's whole title, quoted or as a link's text, is a citation.
 */
export function copiedFrom(
  { headline, preview, body }: Draft,
  sources: readonly Source[],
): Source | undefined {
  const own = [headline, preview, body].join(cut);
  return sources.find(({ title, text }) => {
    const passages = withoutCitations(own, title).split(cut).map(words);
    const theirs = new Set([title, text].flatMap((original) => runs(words(original))));
    return passages.some((passage) => runs(passage).some((run) => theirs.has(run)));
  });
}

function withoutCitations(text: string, title: string): string {
  const name = words(title).join(" ");
  return text.replace(citation, (passage) => (words(passage).join(" ") === name ? cut : passage));
}

function runs(list: readonly string[]): readonly string[] {
  return list.flatMap((_, start) =>
    start + tooMany <= list.length ? [list.slice(start, start + tooMany).join(" ")] : [],
  );
}

function words(text: string): readonly string[] {
  const seen = text
    .normalize("NFKC")
    .replace(/\]\([^()\s]*/g, "] ")
    .replace(/[\p{Cf}\p{Mn}*_~`]/gu, "")
    .replace(/[‘’]/g, "'");
  return seen.toLowerCase().match(/[\p{L}\p{N}]+(?:['.,][\p{L}\p{N}]+)*/gu) ?? [];
}

/** The first address in a draft's text that is none of its sources': a model may make one up. */
export function inventedLink({ body }: Draft, sources: readonly Source[]): string | undefined {
  const addresses = body.match(/\bhttps?:\/\/[^\s<>()[\]"'`*]+/gi) ?? [];
  // A match ends where Markdown may end an address, so it can be shorter than the source's.
  return addresses
    .map((address) => address.replace(/[.,;:!?]+$/, ""))
    .find((address) => !sources.some(({ link }) => link.startsWith(address)));
}

/** What a wallet's AI draft was written from, as the model saw it. Throws a TypeError when there is no such draft. */
export async function sourcesOf(
  { table }: { readonly table: Table },
  wallet: string,
  id: number,
): Promise<readonly Source[]> {
  const { data } = await table.entities.generation.get({ wallet, id }).go();
  if (data?.state !== "written") throw new TypeError(`AI draft ${id} of ${wallet} is not in the table`);
  return z.array(Source).parse(data.sources);
}
