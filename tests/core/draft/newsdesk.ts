import type { Address } from "../../../core/chain/hex.ts";
import { makeModelError, makeNewsError } from "../../../core/draft/error.ts";
import type { Draft, DraftTask, Headline, News, Writer } from "../../../core/draft/schema.ts";
import { AppError } from "../../../core/error.ts";
import type { MarketData } from "../../../core/market/port.ts";
import type { ModelPricing } from "../../../core/quota/index.ts";
import type { Table } from "../../../core/table.ts";
import { freeModel } from "../../support/spending.ts";
import { makeManualClock, makeMarket, makeWords } from "../press/newsroom.ts";

let wallets = 0;
/** Makes the address of a new publisher who has not sent any request. */
export function makeNewcomer(): Address {
  wallets += 1;
  return `0x${wallets.toString(16).padStart(40, "d")}`;
}

/** A report that was published the given number of hours before noon. */
export function makeReport(number: number, hoursAgo = number): Headline {
  const publishedAt = new Date(Date.parse("2026-11-20T12:00:00Z") - hoursAgo * 3_600_000).toISOString();
  return {
    title: `Report ${number} on suppliers`,
    summary: `Summary ${number}, on sales.`,
    source: "Example Wire",
    link: `https://wire.example/${number}`,
    publishedAt,
  };
}

/** A draft that respects every limit. */
export function makeGoodDraft(changes: Partial<Draft> = {}): Draft {
  return {
    headline: "What the supplier's report leaves open",
    preview: "What is on record about the supplier's report, what it may mean, and what nobody knows yet.",
    body: `${makeWords(160)} [Robinhood](https://robinhood.com/stocks/AAPL).`,
    ...changes,
  };
}

export type NewsDesk = {
  readonly table: Table;
  readonly clock: ReturnType<typeof makeManualClock>;
  readonly market: MarketData;
  readonly news: News;
  readonly writer: Writer;
  /** The reports of the news source; `undefined` means that the source is down. */
  reports: readonly Headline[] | undefined;
  /** The current price; `undefined` means that the source is down. */
  readonly mid: { now: number | undefined };
  readonly modelTerms: ModelPricing;
  /** Returns the fault that the audit would find in a draft, if any. */
  inspect: (draft: Draft) => string | undefined;
  /** Writes a draft for a task in place of the model. */
  write: (task: DraftTask, timeLimit: number) => Promise<Draft>;
  /** The faults that were found in the model's drafts. */
  readonly faults: string[];
  /** All writing tasks that the model received. */
  readonly tasks: DraftTask[];
};

/** The ports that drafting needs: the clock shows noon, there is one report, and the model writes valid drafts. */
export function makeNewsdesk(table: Table): NewsDesk {
  const mid = { now: 327.2 };
  const desk: NewsDesk = {
    table,
    clock: makeManualClock(),
    market: makeMarket(mid),
    news: {
      async listHeadlines() {
        if (desk.reports === undefined) throw makeNewsError(new Error("down"));
        return desk.reports;
      },
    },
    modelTerms: freeModel,
    inspect: () => undefined,
    writer: {
      engine: "test draft-v0",
      most: () => [],
      async write(task, { timeLimit, fault }) {
        desk.tasks.push(task);
        try {
          const draft = await desk.write(task, timeLimit);
          const wrong = fault(draft);
          if (wrong === undefined) return { value: draft, engine: "answered draft-v0", usage: [] };
          desk.faults.push(wrong);
          return { failure: makeModelError(new Error(wrong)), usage: [] };
        } catch (error) {
          if (error instanceof AppError) return { failure: error, usage: [] };
          throw error;
        }
      },
    },
    reports: [makeReport(1)],
    mid,
    write: async () => makeGoodDraft(),
    faults: [],
    tasks: [],
  };
  return desk;
}
