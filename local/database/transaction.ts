import type { Item, Store } from "dynalite/db/index.js";
import { validationError } from "dynalite/db/index.js";
import { isConditionFailure, oldItem, type Target } from "./condition.ts";
import { conflictMessage, type ItemId, itemIdOf } from "./conflicts.ts";
import { ApiError, failureMessage, failureType } from "./failure.ts";

/** Why one action of a transaction stands in its way; `None` where it does not. */
export interface Reason {
  readonly Code: "None" | "ConditionalCheckFailed" | "TransactionConflict" | "ValidationError";
  readonly Message?: string;
  readonly Item?: Item;
}

/** What became of one action. */
export type Outcome =
  | { readonly done: true; readonly answer: unknown }
  | { readonly done: false; readonly reason: Reason };

/** An action on an item that another request is at work on. */
export const conflicting: Outcome = {
  done: false,
  reason: { Code: "TransactionConflict", Message: conflictMessage },
};

/** The items that actions are about, in order. Refuses missing tables and two actions on one item.
 * @throws ResourceNotFoundException, ValidationException */
export async function itemsOf(store: Store, targets: readonly Target[]): Promise<readonly ItemId[]> {
  const items: ItemId[] = [];
  for (const target of targets) {
    // An invalid key is the action's own failure and comes to light when it runs.
    const item = await itemIdOf(store, target);
    if (item !== undefined && items.includes(item)) {
      throw validationError("Transaction request cannot include multiple operations on one item");
    }
    items.push(item);
  }
  return items;
}

/** Runs one action and turns what cancels a transaction into a reason.
 *
 * A key that is an empty string fails the request as such, every other invalid value only its action: so DynamoDB does. */
export async function attempt(
  store: Store,
  target: Target,
  action: () => Promise<unknown>,
): Promise<Outcome> {
  try {
    return { done: true, answer: await action() };
  } catch (error) {
    const message = failureMessage(error);
    if (isConditionFailure(error)) {
      const item = await oldItem(store, target);
      return { done: false, reason: { Code: "ConditionalCheckFailed", Message: message, ...item } };
    }
    if (failureType(error) !== "ValidationException" || message.includes("cannot contain an empty"))
      throw error;
    return { done: false, reason: { Code: "ValidationError", Message: message } };
  }
}

/** The answers of all actions.
 * @throws TransactionCanceledException where one was not done */
export function answersOf(outcomes: readonly Outcome[]): unknown[] {
  if (outcomes.every((outcome) => outcome.done)) return outcomes.map((outcome) => outcome.answer);
  const reasons = outcomes.map((outcome): Reason => (outcome.done ? { Code: "None" } : outcome.reason));
  const codes = reasons.map((reason) => reason.Code).join(", ");
  throw new ApiError("TransactionCanceledException", {
    CancellationReasons: reasons,
    Message: `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
  });
}
