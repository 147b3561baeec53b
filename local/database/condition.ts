import type { Action, Data, Item, Store } from "dynalite/db/index.js";
import { checkConditional, validateKey } from "dynalite/db/index.js";
import * as z from "zod";
import { ApiError, failureType } from "./failure.ts";
import { findItem, findTable, run } from "./store.ts";

const conditionFailed = "ConditionalCheckFailedException";

const AttributeMap = z.record(z.string(), z.record(z.string(), z.unknown()));

/** The parameters that say which item a write concerns and whether a failed condition returns it. */
export const Target = z.looseObject({
  TableName: z.string(),
  Key: AttributeMap.optional(),
  Item: AttributeMap.optional(),
  ReturnValuesOnConditionCheckFailure: z.enum(["ALL_OLD", "NONE"]).optional(),
});
export type Target = z.infer<typeof Target>;

/** The key that a target names: its Key, or the Item that holds it. */
export function keyed(target: Target): Item {
  return target.Key ?? target.Item ?? {};
}

/** Whether an error says that a condition was not met. */
export function isConditionFailure(error: unknown): boolean {
  return failureType(error) === conditionFailed;
}

/** The item that a failed condition gives back, where the request asks for it and there is one. */
export async function oldItem(store: Store, target: Target): Promise<{ readonly Item?: Item }> {
  if (target.ReturnValuesOnConditionCheckFailure !== "ALL_OLD") return {};
  const item = await findItem(store, await findTable(store, target.TableName), keyed(target));
  return item === undefined ? {} : { Item: item };
}

/** Runs a put, update or delete; its failed condition carries the item where `ReturnValuesOnConditionCheckFailure`
 * asks for it, which dynalite does not know. */
export async function runConditionally(action: Action, store: Store, data: Data): Promise<unknown> {
  try {
    return await run(action, store, data);
  } catch (error) {
    if (!isConditionFailure(error)) throw error;
    throw new ApiError(conditionFailed, {
      message: "The conditional request failed",
      ...(await oldItem(store, Target.parse(data))),
    });
  }
}

/** The ConditionCheck of a transaction, in the form of dynalite's actions.
 * @throws ConditionalCheckFailedException, ValidationException */
export async function checkCondition(store: Store, target: Target): Promise<Item | undefined> {
  const table = await findTable(store, target.TableName);
  const invalid = validateKey(keyed(target), table);
  if (invalid) throw invalid;
  const item = await findItem(store, table, keyed(target));
  const failed = checkConditional(target, item);
  if (failed) throw failed;
  return item;
}
