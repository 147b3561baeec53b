import * as z from "zod";

/** The file to import, the environment variables for the import, and the arguments for the file's handler. */
export const ImportRequest = z.object({
  file: z.string(),
  handler: z.string(),
  variables: z.record(z.string(), z.string()),
  event: z.unknown(),
});
export type ImportRequest = z.infer<typeof ImportRequest>;

/** The handler's answer, and the milliseconds that the import took. An error is reported by its name and message. */
export const ImportOutcome = z.union([
  z.object({ answer: z.unknown().optional(), milliseconds: z.number() }),
  z.object({ error: z.string() }),
]);
export type ImportOutcome = z.infer<typeof ImportOutcome>;
