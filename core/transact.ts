import * as z from "zod";
import type { Clock } from "./port/clock.ts";
import type { AllPorts } from "./ports.ts";
import type { Write } from "./record/write.ts";
import type { Table, TransactionOutcome } from "./table.ts";

const attempts = 12;

/**
 * Two durations in milliseconds: the maximum wait before the first retry, and the maximum wait before any retry. The maximum wait doubles
 * with each further retry until it reaches `longestWait`.
 */
const firstWait = 20;
const longestWait = 300;

/**
 * DynamoDB's reasons for cancelling a transaction that may succeed later: a concurrent transaction on the same items, or a throttled write.
 * The SDK retries a throttled single write, but does not retry a cancelled transaction. A cancelled transaction has written nothing.
 */
const conflict = "TransactionConflict";
const throttled: ReadonlySet<string | undefined> = new Set([
  "ThrottlingError",
  "ProvisionedThroughputExceeded",
]);
/** A throttled transaction is tried only as often as the SDK tries a throttled single write, because each attempt adds to the load. */
const throttledAttempts = 4;

/**
 * Runs a DynamoDB transaction. A transaction that is cancelled only for temporary reasons is retried after a random wait ("full jitter").
 * All waits together usually take 1.5 s, and at most 3 s. If a condition of the transaction fails, the failure is returned and the
 * transaction is not retried. `most` is the maximum number of attempts.
 */
export async function transact<Result extends TransactionOutcome>(
  clock: Clock,
  attempt: () => Promise<Result>,
  most = attempts,
): Promise<Result> {
  for (let tried = 1; ; tried += 1) {
    const outcome = await attempt();
    const isThrottled = outcome.data.some(({ code }) => throttled.has(code));
    const last = isThrottled ? Math.min(most, throttledAttempts) : most;
    if (tried >= last || !isTemporary(outcome)) return outcome;
    await clock.sleep(
      isThrottled ? longestWait : Math.min(longestWait, firstWait * 2 ** (tried - 1)),
      "upTo",
    );
  }
}

/** The table's entities, with the methods that make the writes of a transaction. */
export type WriteEntities = Parameters<Parameters<Table["transaction"]["write"]>[0]>[0];
export type Action = ReturnType<Parameters<Table["transaction"]["write"]>[0]>[number];

/** A write that was built without ElectroDB gets the type of ElectroDB's own writes. */
const ElectroAction = z.custom<Action>();

/**
 * The outcome of a transaction of named writes. `refused` names the writes whose condition failed; if the transaction was cancelled for
 * another reason, `refused` is empty.
 */
export type CommitResult =
  | { readonly done: true }
  | {
      readonly done: false;
      readonly refused: ReadonlySet<string>;
      /** The reasons that DynamoDB gives for cancelling the transaction, for the log. */
      readonly codes: readonly (string | undefined)[];
    };

/**
 * Makes all named writes in one transaction, or makes none of these writes. A transaction that is cancelled for a temporary reason is
 * retried (`transact`), unless `once` is set.
 */
export async function commit(
  { table, clock }: Pick<AllPorts, "table" | "clock">,
  writes: (entities: WriteEntities) => Readonly<Record<string, Action | Write | undefined>>,
  mode?: "once",
): Promise<CommitResult> {
  let names: string[] = [];
  const outcome = await transact(
    clock,
    async () => {
      const { TransactItems } = table.transaction
        .write((entities) => {
          const named = Object.entries(writes(entities)).flatMap(([name, action]) =>
            action === undefined ? [] : [{ name, action }],
          );
          names = named.map(({ name }) => name);
          return named.map(({ action }) => ElectroAction.parse(action));
        })
        .params();
      return table.write(TransactItems);
    },
    mode === "once" ? 1 : attempts,
  );
  if (!outcome.canceled) return { done: true };
  return {
    done: false,
    refused: new Set(names.filter((_, index) => isWriteRefused(outcome, index))),
    codes: outcome.data.map(({ code }) => code),
  };
}

/** Whether the condition of the write at `index` failed. If only writes at other indexes failed, the function returns false. */
export function isWriteRefused(outcome: TransactionOutcome, index: number): boolean {
  return outcome.canceled && outcome.data[index]?.code === "ConditionalCheckFailed";
}

function isTemporary({ canceled, data }: TransactionOutcome): boolean {
  return (
    canceled &&
    data.some(({ code }) => code === conflict || throttled.has(code)) &&
    !data.some(({ code }) => code === "ConditionalCheckFailed")
  );
}

/**
 * Returns the next number of a counter, starting at 1. Each number is returned only once, and a number that the caller does not use leaves
 * a gap.
 */
export async function takeNextId(table: Table, name: "press" | "generation"): Promise<number> {
  const { data } = await table.entities.counter.upsert({ name }).add({ last: 1 }).go({ response: "all_new" });
  return data.last;
}

/** Whether a single conditional write succeeded. */
export async function tryWrite(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (ConditionFailed.safeParse(error).success) return false;
    throw error;
  }
}

const ConditionFailed = z.object({ cause: z.object({ name: z.literal("ConditionalCheckFailedException") }) });
