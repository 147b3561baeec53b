import type { Clock } from "./port/clock.ts";

type Outcome = {
  readonly canceled: boolean;
  readonly data: readonly { readonly code?: string | undefined }[];
};

const attempts = 6;

/**
 * Runs a DynamoDB transaction and repeats it, a bounded number of times, when it was cancelled only because another
 * one touched the same items (`TransactionConflict`). A failed condition is an answer and comes back as it is.
 */
export async function transact<Result extends Outcome>(
  clock: Clock,
  attempt: () => Promise<Result>,
): Promise<Result> {
  for (let left = attempts - 1; ; left -= 1) {
    const outcome = await attempt();
    if (left === 0 || !onlyConflicts(outcome)) return outcome;
    await clock.sleep((attempts - left) * 20);
  }
}

/** Whether the action at `index` failed its own condition, as against being cancelled along with others. */
export function refused(outcome: Outcome, index: number): boolean {
  return outcome.canceled && outcome.data[index]?.code === "ConditionalCheckFailed";
}

function onlyConflicts({ canceled, data }: Outcome): boolean {
  return (
    canceled &&
    data.some(({ code }) => code === "TransactionConflict") &&
    !data.some(({ code }) => code === "ConditionalCheckFailed")
  );
}
