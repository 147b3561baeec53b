import type { Press } from "../../core/press/schema.ts";
import { noStanding } from "../../core/rank/schema.ts";

/** Makes a sample of a live press as the service lists it, and replaces the given fields. */
export function makeSamplePress(id: number, differences: Partial<Press> = {}): Press {
  return {
    id,
    pressId: id,
    slug: `press-${id}`,
    headline: `Headline ${id}`,
    preview: `Preview ${id}`,
    stock: "AAPL",
    publisher: "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
    publisherName: "Ledger & Line",
    priceUsdg: 0.25,
    priceUnits: "250000",
    publishedAt: "2026-11-04T08:00:00.000Z",
    readMinutes: 2,
    auditScore: 80,
    aiAssisted: false,
    publisherHolds: false,
    priceAtPublish: 200,
    votes: { up: 0, down: 0 },
    readerVotes: { up: 0, down: 0 },
    standing: noStanding,
    tags: {},
    reads: 0,
    mintTx: `0x${"1".repeat(64)}`,
    bylineAmbiguous: false,
    newAuthorUntil: null,
    corrections: [],
    priceChangedAt: null,
    unlistedAt: null,
    auditTx: null,
    ...differences,
  };
}
