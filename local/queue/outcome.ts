import * as z from "zod";

const response = z.union([
  z.void(),
  z.null(),
  z.object({ batchItemFailures: z.array(z.object({ itemIdentifier: z.string().min(1) })).nullish() }),
]);

/**
 * The message ids that a handler's answer fails.
 *
 * Throws for an answer that Lambda takes as a failure of the whole batch: a bad shape, or an id that is not in
 * the batch. Source: Lambda Developer Guide, "Success and failure conditions" of SQS partial batch responses.
 */
export function failedIds(answer: unknown, batch: readonly string[]): ReadonlySet<string> {
  const failures = response.parse(answer)?.batchItemFailures ?? [];
  const failed = new Set(failures.map(({ itemIdentifier }) => itemIdentifier));
  const unknown = [...failed].filter((id) => !batch.includes(id));
  if (unknown.length > 0)
    throw new Error(`The handler failed messages outside its batch: ${unknown.join(", ")}.`);
  return failed;
}
