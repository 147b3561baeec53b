import * as z from "zod";
import { AddressInput, lower } from "../chain/hex.ts";
import { StockSymbol } from "../market/schema.ts";

/** The maximum number of authors and stocks together that a wallet follows, and the maximum number of articles that it saves. */
export const mostFollows = 500;
export const mostSaved = 500;
/** The maximum number of follows and saved articles that one request can add or remove. */
export const mostChanges = 30;

const changed = {
  name: z
    .string()
    .describe("The name of the author, stock or article. Only the first 80 characters of the name are kept."),
  on: z.boolean().describe("true adds it, false removes it."),
};

const FollowChange = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("author"), id: AddressInput.transform(lower), ...changed }),
  z.object({ kind: z.literal("stock"), id: StockSymbol, ...changed }),
  z.object({ kind: z.literal("saved"), id: z.string().regex(/^[a-z0-9-]{1,120}$/), ...changed }),
]);
export type FollowChange = Readonly<z.infer<typeof FollowChange>>;

export const ChangeInput = z.object({
  base: z
    .int()
    .nonnegative()
    .describe("The list's revision that the device knows; 0 if the device knows no revision."),
  changes: z.array(FollowChange).min(1).max(mostChanges).readonly(),
});
export type ChangeInput = Readonly<z.infer<typeof ChangeInput>>;

const Entry = z.object({ kind: z.enum(["author", "stock", "saved"]), id: z.string(), name: z.string() });

/** The authors and stocks that a wallet follows and the articles that it has saved, the newest first. */
export const Follows = z.object({
  revision: z.int(),
  entries: z.array(Entry.readonly()).readonly(),
  hasFeed: z.boolean().describe("Whether there is a private feed address."),
});
export type Follows = Readonly<z.infer<typeof Follows>>;

export const FeedInput = z.object({
  on: z.boolean().describe("true makes the address anew, false ends it. An earlier one opens nothing then."),
});

/** The private feed's address, which is shown only once. */
export const PrivateFeed = z.object({ url: z.string().nullable() });
