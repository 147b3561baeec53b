import * as z from "zod";
import type { Settings } from "../port/settings.ts";
import type { PressItem } from "../press/entity.ts";
import { AuditSummary } from "../press/schema.ts";

/** What a page tells of a press: all of it is frozen while the press is live, so that a page stays true. */
export const Facts = z.object({
  slug: z.string().regex(/^[0-9a-z-]+$/),
  headline: z.string(),
  preview: z.string(),
  stock: z.string(),
  publisher: z.string(),
  publisherName: z.string(),
  /** USDG base units, decimal. */
  priceUnits: z.string().regex(/^\d+$/),
  publishedAt: z.iso.datetime(),
  readMinutes: z.int(),
  aiAssisted: z.boolean(),
  publisherHolds: z.boolean().default(false),
  audit: AuditSummary.pick({ score: true }),
});
export type Facts = Readonly<z.infer<typeof Facts>>;

/** Where the site is, and on which chain its publishers' wallets are. */
export type Place = Pick<Settings, "origin" | "chainId">;

/** The facts of a live press. Throws for one that lacks what live presses have: a defect. */
export function factsOf(press: PressItem): Facts {
  return Facts.parse(press);
}
