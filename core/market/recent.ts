import * as z from "zod";
import { AppError } from "../error.ts";
import type { Clock } from "../port/clock.ts";
import { unavailable } from "../port/market.ts";
import type { MarketItem } from "../record/market.ts";
import type { Table } from "../table.ts";
import { unlessRefused } from "../transact.ts";

/** Something that the source said, kept in the table for all containers. */
export type Subject<Value> = {
  readonly name: string;
  readonly form: z.ZodType<Value>;
  /** Milliseconds for which an answer counts as current. */
  readonly freshFor: number;
};

type Ports = { readonly table: Table; readonly clock: Clock };

/** What is known of a subject right now. */
export type Known<Value> = {
  readonly value: Value | undefined;
  /** `due` for the first who asks the source; others see `asking`, and `refused` for a while when it fails. */
  readonly state: "fresh" | "due" | "asking" | "refused";
  /** Which answer this is: until when it was good, `undefined` before the first. */
  readonly answer: number | undefined;
};

/** Milliseconds for which one reader may ask before another tries: longer than API and chain are waited for in turn. */
const askingTime = 8_000;
/** Milliseconds of rest after a refusal; the source counts its callers. */
const restTime = 5_000;
/** Milliseconds between two looks of a reader who has nothing to show meanwhile. */
const waits = [50, 100, 200, 400, 800, 1_600, 1_600];

/** What the table has of a subject, without asking the source: a moment old, or the newest where that is `consistent`. */
export async function recall<Value>(
  ports: Ports,
  subject: Subject<Value>,
  consistent = false,
): Promise<Known<Value>> {
  const { data } = await ports.table.entities.market.get({ name: subject.name }).go({ consistent });
  return knownFrom(ports.clock, subject, data);
}

/** What the table says of a subject, as it was read; null where it has no item. */
export function knownFrom<Value>(
  clock: Clock,
  subject: Subject<Value>,
  data: MarketItem | null,
): Known<Value> {
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
 * The current value. Of many readers at once one asks the source; the others take the last value, or wait for the
 * first one. A refusal is answered with the last value too: who asks has logged it. `known` is what the table was just
 * found to have; `ask` is given the last value. Throws `upstream` `market_unavailable` without any.
 */
export async function current<Value>(
  ports: Ports,
  subject: Subject<Value>,
  known: Known<Value>,
  ask: (last: Value | undefined) => Promise<Value>,
): Promise<Value> {
  let found = known;
  for (const wait of waits) {
    const { value, state, answer } = found;
    const lease = state === "due" ? await claimed(ports, subject, answer) : undefined;
    if (lease !== undefined) return refresh(ports, subject, { lease, last: value }, ask);
    if (value !== undefined) return value;
    if (state === "refused") break;
    await ports.clock.sleep(wait);
    // Another reader has just asked: what he heard may not be in an old read.
    found = await recall(ports, subject, true);
  }
  throw unavailable(new Error(`Nothing is known of ${subject.name} and the source does not answer`));
}

/** Until when the caller alone may ask, or `undefined` where somebody else does or has. */
async function claimed<Value>(
  ports: Ports,
  { name }: Subject<Value>,
  answeredAt: number | undefined,
): Promise<number | undefined> {
  const now = ports.clock.now();
  const lease = now + askingTime;
  const won = await unlessRefused(
    ports.table.entities.market
      .upsert({ name, askingUntil: lease })
      // A slow process must not ask again what has been answered since it looked.
      .where(({ askingUntil, freshUntil }, { notExists, lte, eq }) => {
        const unchanged = answeredAt === undefined ? notExists(freshUntil) : eq(freshUntil, answeredAt);
        return `(${notExists(askingUntil)} OR ${lte(askingUntil, now)}) AND ${unchanged}`;
      })
      .go(),
  );
  return won ? lease : undefined;
}

async function refresh<Value>(
  ports: Ports,
  { name, freshFor }: Subject<Value>,
  { lease, last }: { readonly lease: number; readonly last: Value | undefined },
  ask: (last: Value | undefined) => Promise<Value>,
): Promise<Value> {
  const { market } = ports.table.entities;
  try {
    const value = await ask(last);
    // One whose lease has run out may be overtaken by a newer answer, which stays.
    await unlessRefused(
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
    await unlessRefused(
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

/** A stock's last price in USD a token, and until when (ms) it counts as the price now. */
const Mark = z.object({ mid: z.number(), freshUntil: z.number() });
export type Mark = Readonly<z.infer<typeof Mark>>;

const Marks = z.record(z.string(), Mark).catch({});

/** Where the marks of all stocks lie together: a read of anything about a stock takes them along. */
export const marksKey = { name: "marks" } as const;

/** What the marks' item, as it was read, says of a stock. */
export function markIn(item: { readonly marks?: unknown } | null, symbol: string): Mark | undefined {
  return Marks.parse(item?.marks)[symbol];
}

/** The stocks that somebody has asked the price of: those of all live presses are among them. */
export function markedIn(item: { readonly marks?: unknown } | null): readonly string[] {
  return Object.keys(Marks.parse(item?.marks));
}

/** Whether a mark counts as the price now. */
export function isFresh(clock: Clock, mark: Mark): boolean {
  return mark.freshUntil > clock.now();
}

/** Writes a stock's mark beside those of the others, which may be written at the same time. */
export async function noteMark(table: Table, symbol: string, mark: Mark): Promise<void> {
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

/** DynamoDB writes into a map only if there is one. */
const MissingMap = z.object({ cause: z.object({ name: z.literal("ValidationException") }) });
