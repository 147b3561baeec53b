import * as z from "zod";
import { AppError } from "../error.ts";
import type { Table } from "../table.ts";
import type { PressItem } from "./entity.ts";
import { type ListQuery, type Press, type PressList, pageSize } from "./schema.ts";
import { toPress } from "./view.ts";

/** Where a page ended. */
type Place = { readonly publishedAt: string; readonly slug: string };

const PlaceText = z.tuple([z.iso.datetime(), z.string().regex(/^[0-9a-z-]{1,80}$/)]);

/**
 * Live presses, newest first, at most 200 (specification §4.3). Where the query pages, by `limit` or `cursor`, the
 * answer names the next page's cursor as long as there is one. Throws `input` `invalid_cursor`.
 */
export async function list(ports: { readonly table: Table }, query: ListQuery): Promise<PressList> {
  const limit = query.limit ?? pageSize;
  const found = await shelf(ports, query, limit + 1);
  const presses = found.items.slice(0, limit).map(toPress);
  const last = presses.at(-1);
  const more = found.items.length > limit || found.cut;
  const paged = query.limit !== undefined || query.cursor !== undefined;
  return { presses, ...(paged && more && last !== undefined && { cursor: cursorAfter(last) }) };
}

/** One query of the index. `cut` when it stopped early, as DynamoDB does after one megabyte. */
async function shelf(
  { table }: { readonly table: Table },
  { stock, cursor }: ListQuery,
  limit: number,
): Promise<{ readonly items: readonly PressItem[]; readonly cut: boolean }> {
  const options = { order: "desc", limit } as const;
  const start = cursor === undefined ? undefined : placeOf(cursor);
  const { press } = table.entities;
  const query =
    stock === undefined
      ? press.query.live({ shelf: "live" })
      : press.query.liveByStock({ stockShelf: stock });
  const page = await (start === undefined ? query : query.lt(start)).go(options);
  return { items: page.data, cut: page.cursor !== null };
}

function cursorAfter({ publishedAt, slug }: Press): string {
  return Buffer.from(JSON.stringify([publishedAt, slug])).toString("base64url");
}

function placeOf(cursor: string): Place {
  try {
    const [publishedAt, slug] = PlaceText.parse(JSON.parse(Buffer.from(cursor, "base64url").toString()));
    return { publishedAt, slug };
  } catch (cause) {
    throw new AppError("input", "invalid_cursor", "cursor: is not one that a list has answered", { cause });
  }
}
