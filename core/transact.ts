import * as z from "zod";
import type { Clock } from "./port/clock.ts";
import type { Table } from "./table.ts";

type Outcome = {
  readonly canceled: boolean;
  readonly data: readonly { readonly code?: string | undefined }[];
};

const attempts = 12;

/** Milliseconds: the longest waits before the first repetition, twice as long each time, and before any. */
const firstWait = 20;
const longestWait = 300;

/**
 * Runs a DynamoDB transaction and repeats it when it was cancelled only because another request was at work on the same
 * items (`TransactionConflict`), after a random wait ("full jitter"): a second and a half in all as a rule, three at
 * most. A failed condition is an answer and comes back as it is. `most`: attempts that are made at most.
 */
export async function transact<Result extends Outcome>(
  clock: Clock,
  attempt: () => Promise<Result>,
  most = attempts,
): Promise<Result> {
  for (let tried = 1; ; tried += 1) {
    const outcome = await attempt();
    if (tried === most || !onlyConflicts(outcome)) return outcome;
    await clock.sleep(Math.min(longestWait, firstWait * 2 ** (tried - 1)), "upTo");
  }
}

/** What a transaction may write, by entity. */
export type WriteEntities = Parameters<Parameters<Table["transaction"]["write"]>[0]>[0];
export type Action = ReturnType<Parameters<Table["transaction"]["write"]>[0]>[number];

/** How a transaction of named writes ended. `refused`: those whose own condition failed; none when others were in the way. */
export type Committed =
  | { readonly done: true }
  | { readonly done: false; readonly refused: ReadonlySet<string> };

/**
 * Carries out named writes in one transaction, all or none. One that was cancelled because others were at work on its items is
 * repeated (`transact`), `once`: it is not.
 */
export async function commit(
  { table, clock }: { readonly table: Table; readonly clock: Clock },
  writes: (entities: WriteEntities) => Readonly<Record<string, Action | undefined>>,
  how?: "once",
): Promise<Committed> {
  let names: string[] = [];
  const outcome = await transact(
    clock,
    () =>
      table.transaction
        .write((entities) => {
          const named = Object.entries(writes(entities)).flatMap(([name, action]) =>
            action === undefined ? [] : [{ name, action }],
          );
          names = named.map(({ name }) => name);
          return named.map(({ action }) => action);
        })
        .go(),
    how === "once" ? 1 : attempts,
  );
  if (!outcome.canceled) return { done: true };
  return { done: false, refused: new Set(names.filter((_, index) => refused(outcome, index))) };
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

/** The next number of a count, from 1 on: each is given once, and one that goes unused leaves a gap. */
export async function nextId(table: Table, name: "press" | "generation"): Promise<number> {
  const { data } = await table.entities.counter.upsert({ name }).add({ last: 1 }).go({ response: "all_new" });
  return data.last;
}

/** Whether a conditional write of one item was done. */
export async function unlessRefused(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (ConditionFailed.safeParse(error).success) return false;
    throw error;
  }
}

const ConditionFailed = z.object({ cause: z.object({ name: z.literal("ConditionalCheckFailedException") }) });
