import * as z from "zod";

/** The queue's message: a press that has gone live. */
export const VerdictOrder = z.object({ id: z.int().positive() });
export type VerdictOrder = z.infer<typeof VerdictOrder>;
