import type { Address } from "../chain/hex.ts";
import type { Quote, Stock } from "../market/schema.ts";
import type { MarketData } from "../port/market.ts";
import type { Writer } from "../port/writer.ts";
import { askPaid, type SpendPorts } from "../quota/index.ts";
import { refused, transact } from "../transact.ts";
import { type Place, refundQuota, remaining, reserve } from "./allowance.ts";
import { lastQuote, listed, standingAngles } from "./angles.ts";
import { copiedFrom } from "./copied.ts";
import { busy, modelUnavailable, unknownAngle } from "./error.ts";
import { inventedLink } from "./links.ts";
import { recallShown, type Shown } from "./offer.ts";
import type { Angle, Draft, Generated, GenerateInput, Source, Task } from "./schema.ts";
import { companyOf, sourcesFor } from "./sources.ts";

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
 * `model_unavailable`, `model_budget_spent`, `market_unavailable` or `draft_busy`.
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
  if (outcome.canceled) throw busy(outcome);
}
