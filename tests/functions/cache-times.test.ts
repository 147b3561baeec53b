import { expect, test } from "vitest";
import { routes } from "../../functions/routes.ts";

/**
 * An author's change of a live press reaches caches only when their times end. These routes may be cached longer, because no such change
 * affects them: the report and the picture have neither price nor notes, and the site map has only addresses.
 */
const unchanging = new Set(["audit-report", "card", "sitemap", "receipts", "stocks"]);

test("no cache shows a press's price, notes or listing for longer than a minute after its author has changed them", () => {
  const cached = routes.flatMap(({ id, cache, access, reads = [] }) => {
    const isOfPresses = reads.some((name) => name === "press" || name.startsWith("gsi"));
    return typeof cache === "object" && access.includes("table:read") && isOfPresses && !unchanging.has(id)
      ? [[id, cache.fresh + cache.staleWhileRevalidate] as const]
      : [];
  });
  expect(cached.map(([id]) => id)).toEqual(
    expect.arrayContaining(["presses", "press", "author", "meta", "feed", "press-page", "x402-manifest"]),
  );
  expect(cached.filter(([, seconds]) => seconds > 60)).toEqual([]);
});
