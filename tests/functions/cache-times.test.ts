import { expect, test } from "vitest";
import { routes } from "../../functions/routes.ts";

/**
 * When an author changes a live press, caches show the change only after their copies expire. Some answers can be cached longer, because an
 * author's changes do not alter them. The report and the picture show neither price nor notes, and the sitemap lists only URLs.
 */
const unchanging = new Set(["audit-report", "card", "sitemap", "receipts", "stocks"]);

test("no cache shows a press's old price or notes, or an unlisted press, for longer than a minute after the author's change", () => {
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
