import type { Press } from "../../../core/press/schema.ts";

/** Presses that are shown after one. */
const most = 3;

/**
 * What follows a press: by its author the next one after it, else the newest before it; and the newest others about its stock, or
 * the newest of all where there are none. `presses` come newest first.
 */
export function afterOf(press: Press, presses: readonly Press[]) {
  const others = presses.filter(({ id }) => id !== press.id);
  const own = others.filter(({ publisher }) => publisher === press.publisher);
  const next = own.findLast(({ publishedAt }) => publishedAt >= press.publishedAt) ?? own[0];
  const left = others.filter((other) => other !== next);
  const ofStock = left.filter(({ stock }) => stock === press.stock);
  return { next, related: (ofStock.length > 0 ? ofStock : left).slice(0, most) };
}
