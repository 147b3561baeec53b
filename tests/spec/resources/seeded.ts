import { makeOnce } from "../world/scene.ts";
import { service } from "../world/service.ts";
import { list } from "./shelf.ts";

/**
 * The number of old presses; there are more of them than a list may contain, and none of them has a verdict. The old presses are written
 * directly to the table, because publishing each press would take too long.
 */
const count = 201;

/** Reads the list of presses about the stock of the old presses. */
export const seeded = makeOnce(async () => {
  const { press } = (await service()).table.entities;
  for (let index = 0; index < count; index += 1) {
    const id = 100_000 + index;
    const publishedAt = new Date(Date.UTC(2025, 0, 1, 0, 0, index)).toISOString();
    await press
      .create({
        id,
        pressId: id,
        slug: `a-press-of-long-ago-${id}`,
        headline: "A press of long ago",
        stock: "GOOGL",
        priceUnits: "100000",
        publisher: "0x00000000000000000000000000000000000000a1",
        status: "live",
        shelf: "live",
        stockShelf: "GOOGL",
        publishedAt,
        preview: "A preview",
        publisherName: "P",
        readMinutes: 1,
        contentHash: "0x",
        aiAssisted: false,
        publisherHolds: false,
        priceAtPublish: 1,
        mintTx: "0x",
        audit: { verdict: "approve", score: 90, summary: "S", engine: "E", auditedAt: publishedAt },
        createdAt: publishedAt,
        updatedAt: publishedAt,
        revision: 1,
        auditCount: 1,
        votesUp: 0,
        votesDown: 0,
        tags: {},
        reads: 0,
      })
      .go();
  }
  return list("?stock=GOOGL");
});
