import * as z from "zod";

/** The body of every refusal but a 402 (design §2): what `problemReply` answers. */
export const Problem = z.object({
  error: z.string().describe("For people."),
  code: z.string().describe("Stable, for programs."),
  requestId: z.string().describe("Names the request in our log."),
  issues: z
    .array(z.object({ path: z.string(), message: z.string() }))
    .optional()
    .describe("Every refused field of the input, by its dotted path."),
  retryAfter: z.number().optional().describe("Seconds, as in the Retry-After header."),
  transaction: z.string().optional().describe("Of a settlement_pending: the payment that was sent."),
  updatedAt: z.string().optional().describe("Of a stale_draft: the time of the draft that is stored."),
});
