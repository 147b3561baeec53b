import type { DraftText } from "../../../web/src/publish/editor/text.ts";

const sentence = "The mid is the average of a bid and an ask, and nobody has to trade at it at all. ";

/** A valid text that a save accepts. */
export const article: DraftText = {
  stock: "NVDA",
  headline: "What one price of a stock leaves out",
  preview: "A page that shows one price has made a choice. This note tells what stands on both sides of it.",
  body: sentence.repeat(12),
  publisherName: "Draft",
  priceUsdg: "0.25",
};
