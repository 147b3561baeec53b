import * as z from "zod";

/** The queue's message: a live press whose page is to be written. */
export const PageOrder = z.object({ id: z.int().positive() });
export type PageOrder = z.infer<typeof PageOrder>;
