import * as z from "zod";
import type { Clock } from "../port/clock.ts";
import type { Table } from "../table.ts";

/** A stock's last price in USD a token, and until when (ms) it counts as the price now. */
const Mark = z.object({ mid: z.number(), freshUntil: z.number() });
export type Mark = Readonly<z.infer<typeof Mark>>;

const Marks = z.record(z.string(), Mark).catch({});

/** Where the marks of all stocks lie together: whoever reads something about a stock takes them along. */
export const marksKey = { name: "marks" } as const;

/** What the marks' item, as it was read, says of a stock. */
export function markIn(item: { readonly marks?: unknown } | null, symbol: string): Mark | undefined {
  return Marks.parse(item?.marks)[symbol];
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
