import { AwsFailure } from "../wire/aws-json.ts";

type Entry = { readonly Id: string };
type Failed = { Id: string; Code: string; Message: string; SenderFault: boolean };

const MAX_ENTRIES = 10;

/** Refuses a batch as SQS does: empty, too many entries, ids unfit or repeated. */
export function checkBatch(entries: readonly Entry[]): void {
  if (entries.length === 0)
    throw refusal("EmptyBatchRequest", "There should be at least one entry in the request.");
  if (entries.length > MAX_ENTRIES) {
    throw refusal("TooManyEntriesInBatchRequest", `Maximum number of entries per request is ${MAX_ENTRIES}.`);
  }
  if (!entries.every(({ Id }) => /^[\w-]{1,80}$/.test(Id))) {
    throw refusal("InvalidBatchEntryId", "An id has 1 to 80 letters, digits, hyphens and underscores.");
  }
  if (new Set(entries.map(({ Id }) => Id)).size < entries.length) {
    throw refusal("BatchEntryIdsNotDistinct", "Two or more entries share an id.");
  }
}

/** Runs each entry by itself, so that one refused entry leaves the others done. */
export function eachEntry<T extends Entry>(
  entries: readonly T[],
  run: (entry: T) => void,
): { readonly Successful: Entry[]; readonly Failed: Failed[] } {
  const result: { Successful: Entry[]; Failed: Failed[] } = { Successful: [], Failed: [] };
  for (const entry of entries) {
    try {
      run(entry);
      result.Successful.push({ Id: entry.Id });
    } catch (error) {
      if (!(error instanceof AwsFailure)) throw error;
      result.Failed.push({ Id: entry.Id, Code: error.type, Message: error.message, SenderFault: true });
    }
  }
  return result;
}

function refusal(type: string, message: string): AwsFailure {
  return new AwsFailure(type, message, { queryCode: `AWS.SimpleQueueService.${type}` });
}
