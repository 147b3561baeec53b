import * as z from "zod";
import { AppError } from "../error.ts";
import type { Clock } from "../port/clock.ts";
import type { AllPorts } from "../ports.ts";
import type { MarketItem } from "../record/market.ts";
import type { Table } from "../table.ts";
import { tryWrite } from "../transact.ts";
import { makeMarketError } from "./port.ts";

/** A source's answer, cached in the table for all containers. */
export type CacheSubject<Value> = {
  readonly name: string;
  readonly form: z.ZodType<Value>;
  /** Milliseconds for which an answer counts as current. */
  readonly freshFor: number;
};

type Ports = Pick<AllPorts, "table" | "clock">;

/** The cached answer of a source, and the state of the cache. */
export type RecentValue<Value> = {
  readonly value: Value | undefined;
  /**
   * Exactly one reader sees the state `due`, and this reader asks the source. All other readers see the state `asking`, or the state
   * `refused` for a while after a failure.
   */
  readonly state: "fresh" | "due" | "asking" | "refused";
  /** The version of the cached answer, which is the time until which the answer counts as current; `undefined` if no answer is stored. */
  readonly answer: number | undefined;
};

/**
 * The milliseconds for which the reader that asks the source holds its lease. The lease is longer than the time-outs of the API and the
 * chain together.
 */
const askingTime = 8_000;
/** For this number of milliseconds after a refusal, the source is not called, because the source limits the rate of calls. */
const restTime = 5_000;
/** A reader that has no value to show waits for a value, and reads the table again after this number of milliseconds. */
const waits = [50, 100, 200, 400, 800, 1_600, 1_600];

/**
 * Reads the cached answer without asking the source. The cached answer may be a moment old; if `consistent` is set, the function returns
 * the newest stored answer.
 */
export async function readCachedValue<Value>(
  ports: Ports,
  subject: CacheSubject<Value>,
  consistent = false,
): Promise<RecentValue<Value>> {
  const { data } = await ports.table.entities.market.get({ name: subject.name }).go({ consistent });
  return readKnownValue(ports.clock, subject, data);
}

/** Takes the cached answer from an item of the table. The argument is null if the item is not in the table. */
export function readKnownValue<Value>(
  clock: Clock,
  subject: CacheSubject<Value>,
  data: MarketItem | null,
): RecentValue<Value> {
  if (data === null) return { value: undefined, state: "due", answer: undefined };
  const parsed = subject.form.safeParse(data.value);
  const value = parsed.success ? parsed.data : undefined;
  const now = clock.now();
  const answer = data.freshUntil;
  if (value !== undefined && (data.freshUntil ?? 0) > now) return { value, state: "fresh", answer };
  if ((data.refusedUntil ?? 0) > now) return { value, state: "refused", answer };
  return { value, state: (data.askingUntil ?? 0) > now ? "asking" : "due", answer };
}

/**
 * The current value of a source whose answers are cached. If many readers read at the same time, only one reader asks the source. The other
 * readers get the last value, or wait if no value is known yet. After a refusal, all readers get the last value, and the reader that asked
 * the source logs the refusal. `known` is the item that the caller has already read, and `ask` gets the last value as its argument. Throws
 * `market_unavailable` (`upstream`) if no value is known.
 */
export async function readCurrentValue<Value>(
  ports: Ports,
  subject: CacheSubject<Value>,
  known: RecentValue<Value>,
  ask: (last: Value | undefined) => Promise<Value>,
): Promise<Value> {
  let found = known;
  for (const wait of waits) {
    const { value, state, answer } = found;
    const lease = state === "due" ? await claimLease(ports, subject, answer) : undefined;
    if (lease !== undefined) return refreshValue(ports, subject, { lease, last: value }, ask);
    if (value !== undefined) return value;
    if (state === "refused") break;
    await ports.clock.sleep(wait);
    // Another reader has just asked the source, and a read that is not strongly consistent may miss the new answer.
    found = await readCachedValue(ports, subject, true);
  }
  throw makeMarketError(new Error(`No value is known for ${subject.name}, and the source does not answer`));
}

/**
 * Tries to take the lease that a reader needs in order to ask the source. Returns the end of the lease, or `undefined` if another reader
 * has the lease or has finished.
 */
async function claimLease<Value>(
  ports: Ports,
  { name }: CacheSubject<Value>,
  answeredAt: number | undefined,
): Promise<number | undefined> {
  const now = ports.clock.now();
  const lease = now + askingTime;
  const won = await tryWrite(
    ports.table.entities.market
      .upsert({ name, askingUntil: lease })
      // A slow process must not ask the source again if an answer was stored after the process read the item.
      .where(({ askingUntil, freshUntil }, { notExists, lte, eq }) => {
        const unchanged = answeredAt === undefined ? notExists(freshUntil) : eq(freshUntil, answeredAt);
        return `(${notExists(askingUntil)} OR ${lte(askingUntil, now)}) AND ${unchanged}`;
      })
      .go(),
  );
  return won ? lease : undefined;
}

async function refreshValue<Value>(
  ports: Ports,
  { name, freshFor }: CacheSubject<Value>,
  { lease, last }: { readonly lease: number; readonly last: Value | undefined },
  ask: (last: Value | undefined) => Promise<Value>,
): Promise<Value> {
  const { market } = ports.table.entities;
  try {
    const value = await ask(last);
    // Another reader may have stored a newer answer after the end of the lease, and this newer answer must not be overwritten.
    await tryWrite(
      market
        .patch({ name })
        .set({ value, freshUntil: ports.clock.now() + freshFor })
        .remove(["askingUntil", "refusedUntil"])
        .where(({ askingUntil }, { eq }) => eq(askingUntil, lease))
        .go(),
    );
    return value;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await tryWrite(
      market
        .patch({ name })
        .set({ refusedUntil: ports.clock.now() + restTime })
        .remove(["askingUntil"])
        .where(({ askingUntil }, { eq }) => eq(askingUntil, lease))
        .go(),
    );
    if (last === undefined) throw error;
    return last;
  }
}

/** A stock's last price in USD per token, and the time (ms) until which the price counts as current. */
const PriceMark = z.object({ mid: z.number(), freshUntil: z.number() });
export type PriceMark = Readonly<z.infer<typeof PriceMark>>;

const Marks = z.record(z.string(), PriceMark).catch({});

/** One item holds the marks (last prices) of all stocks, so every read can include this item. */
export const marksKey = { name: "marks" } as const;

/** The mark (last price) of a stock in the item of all marks. */
export function findLastPrice(item: PriceMarksItem, symbol: string): PriceMark | undefined {
  return parseLastPrices(item)[symbol];
}

type PriceMarksItem = { readonly marks?: unknown } | null | undefined;

/** The marks (last prices) of all stocks whose price was ever requested. The stock of every live press has a mark (its last price). */
export function parseLastPrices(item: PriceMarksItem): Readonly<Record<string, PriceMark | undefined>> {
  return Marks.parse(item?.marks);
}

/** Writes a stock's mark (its last price). Marks of other stocks may be written to the same item concurrently. */
export async function recordLastPrice(table: Table, symbol: string, mark: PriceMark): Promise<void> {
  const { marks } = table.entities;
  const note = () =>
    marks
      .update(marksKey)
      .data((attribute, { set }) => {
        set(attribute.marks[symbol], mark);
      })
      .go();
  try {
    await note();
  } catch (error) {
    if (!MissingMap.safeParse(error).success) throw error;
    await marks.upsert(marksKey).ifNotExists({ marks: {} }).go();
    await note();
  }
}

/** DynamoDB can set a key of a map only if the map already exists. */
const MissingMap = z.object({ cause: z.object({ name: z.literal("ValidationException") }) });
