import * as z from "zod";

/** What to import, with what around it, and what to call its handler with. */
export const Order = z.object({
  file: z.string(),
  handler: z.string(),
  variables: z.record(z.string(), z.string()),
  event: z.unknown(),
});
export type Order = z.infer<typeof Order>;

/** What came of it, and how long the import took. An error is told by its name and message. */
export const Outcome = z.union([
  z.object({ answer: z.unknown().optional(), milliseconds: z.number() }),
  z.object({ error: z.string() }),
]);
export type Outcome = z.infer<typeof Outcome>;
