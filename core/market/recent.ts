import * as z from "zod";
import { AppError } from "../error.ts";
import type { Clock } from "../port/clock.ts";
import { unavailable } from "../port/market.ts";
import type { MarketItem } from "../record/market.ts";
import type { Table } from "../table.ts";
import { tryWrite } from "../transact.ts";

/** A source's answer, cached in the table for all containers. */
export type Subject<Value> = {
  readonly name: string;
  readonly form: z.ZodType<Value>;
  /** Milliseconds for which an answer counts as current. */
  readonly freshFor: number;
};

type Ports = { readonly table: Table; readonly clock: Clock };

/** The cached answer and its state. */
export type RecentValue<Value> = {
  readonly value: Value | undefined;
  /** `due` for the one reader who asks the source. Others see `asking`, or `refused` for a while after a failure. */
  readonly state: "fresh" | "due" | "asking" | "refused";
  /** The answer's version: until when it was current, `undefined` before the first. */
  readonly answer: number | undefined;
};

/** The lease in milliseconds of the reader who asks: longer than the time-outs of API and chain together. */
const askingTime = 8_000;
/** The cooldown in milliseconds after a refusal, because the source limits its callers. */
const restTime = 5_000;
/** The polling interval in milliseconds of a reader who has no value to show. */
const waits = [50, 100, 200, 400, 800, 1_600, 1_600];

/** The cached answer without asking the source: a moment old, or the newest with `consistent`. */
export async function recall<Value>(
  ports: Ports,
  subject: Subject<Value>,
  consistent = false,
): Promise<RecentValue<Value>> {
  const { data } = await ports.table.entities.market.get({ name: subject.name }).go({ consistent });
  return knownFrom(ports.clock, subject, data);
}

/** The cached answer from an item that was read; null without an item. */
export function knownFrom<Value>(
  clock: Clock,
  subject: Subject<Value>,
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
 * The current value. One of many concurrent readers asks the source; the others get the last value, or wait for the first one. A refusal
 * returns the last value too, and the reader who asked has logged it. `known` is the item that the caller has read, and `ask` gets the last
 * value. Throws `upstream` `market_unavailable` without any value.
 */
export async function readCurrent<Value>(
  ports: Ports,
  subject: Subject<Value>,
  known: RecentValue<Value>,
  ask: (last: Value | undefined) => Promise<Value>,
): Promise<Value> {
  let found = known;
  for (const wait of waits) {
    const { value, state, answer } = found;
    const lease = state === "due" ? await claimLease(ports, subject, answer) : undefined;
    if (lease !== undefined) return refresh(ports, subject, { lease, last: value }, ask);
    if (value !== undefined) return value;
    if (state === "refused") break;
    await ports.clock.sleep(wait);
    // Another reader has just asked, and an eventually consistent read may miss the answer.
    found = await recall(ports, subject, true);
  }
  throw unavailable(new Error(`Nothing is known of ${subject.name} and the source does not answer`));
}

/** Takes the lease to ask the source. Returns its end, or `undefined` when another reader holds it or has finished. */
async function claimLease<Value>(
  ports: Ports,
  { name }: Subject<Value>,
  answeredAt: number | undefined,
): Promise<number | undefined> {
  const now = ports.clock.now();
  const lease = now + askingTime;
  const won = await tryWrite(
    ports.table.entities.market
      .upsert({ name, askingUntil: lease })
      // A slow process must not ask again if an answer came after its read.
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
    // After the lease, another reader may have stored a newer answer, which must stay.
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

/** A stock's last price in USD per token, and until when (ms) it counts as current. */
const Mark = z.object({ mid: z.number(), freshUntil: z.number() });
export type Mark = Readonly<z.infer<typeof Mark>>;

const Marks = z.record(z.string(), Mark).catch({});

/** One item holds the marks of all stocks, so every read can include it. */
export const marksKey = { name: "marks" } as const;

/** The mark of a stock in the marks' item. */
export function markIn(item: MarksItem, symbol: string): Mark | undefined {
  return marksIn(item)[symbol];
}

type MarksItem = { readonly marks?: unknown } | null | undefined;

/** The marks of all stocks whose price was ever requested. Those of all live presses are among them. */
export function marksIn(item: MarksItem): Readonly<Record<string, Mark | undefined>> {
  return Marks.parse(item?.marks);
}

/** Whether a mark counts as the current price. */
export function isFresh(clock: Clock, mark: Mark): boolean {
  return mark.freshUntil > clock.now();
}

/** Writes a stock's mark. Other marks may be written to the same item concurrently. */
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

/** DynamoDB sets a map's key only if the map exists. */
const MissingMap = z.object({ cause: z.object({ name: z.literal("ValidationException") }) });
