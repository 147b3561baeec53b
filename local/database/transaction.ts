import getItem from "dynalite/actions/getItem.js";
import { type Data, type Item, type Store, validationError } from "dynalite/db/index.js";
import * as getRequest from "dynalite/validations/getItem.js";
import * as z from "zod";
import { conflictMessage, type Database, findItemId, type ItemId } from "./database.ts";
import {
  checkAction,
  checkRequest,
  makeActionShape,
  makeTransactItemsType,
  type RequestShape,
  returnConsumedCapacity,
} from "./request.ts";
import {
  ApiError,
  ItemTarget,
  isConditionFailure,
  readFailureText,
  readFailureType,
  readOldItem,
  run,
} from "./store.ts";

/** The reason why one action cancels its transaction; `None` if the action succeeds. */
interface Reason {
  readonly Code: "None" | "ConditionalCheckFailed" | "TransactionConflict" | "ValidationError";
  readonly Message?: string;
  readonly Item?: Item;
}

export type ActionOutcome =
  | { readonly done: true; readonly answer: unknown }
  | { readonly done: false; readonly reason: Reason };

/** The outcome of an action whose item another request is using. */
export const conflicting: ActionOutcome = {
  done: false,
  reason: { Code: "TransactionConflict", Message: conflictMessage },
};

/**
 * The id of each action's item, in the order of the actions. Refuses missing tables and two actions on one item.
 * @throws ResourceNotFoundException, ValidationException
 */
export async function findItemIds(store: Store, targets: readonly ItemTarget[]): Promise<readonly ItemId[]> {
  const items: ItemId[] = [];
  for (const target of targets) {
    // An invalid key makes only its own action fail, and only when that action runs.
    const item = await findItemId(store, target);
    if (item !== undefined && items.includes(item)) {
      throw validationError("Transaction request cannot include multiple operations on one item");
    }
    items.push(item);
  }
  return items;
}

/**
 * Runs one action, and turns a failure that cancels the transaction into a reason for the cancellation. As in DynamoDB, an empty string as
 * a key makes the whole request fail, and any other invalid value makes only its own action fail.
 */
export async function attemptAction(
  store: Store,
  target: ItemTarget,
  action: () => Promise<unknown>,
): Promise<ActionOutcome> {
  try {
    return { done: true, answer: await action() };
  } catch (error) {
    const message = readFailureText(error);
    if (isConditionFailure(error)) {
      const item = await readOldItem(store, target);
      return { done: false, reason: { Code: "ConditionalCheckFailed", Message: message, ...item } };
    }
    if (readFailureType(error) !== "ValidationException" || message.includes("cannot contain an empty"))
      throw error;
    return { done: false, reason: { Code: "ValidationError", Message: message } };
  }
}

/**
 * The answers of all actions.
 * @throws TransactionCanceledException if one of the actions failed
 */
export function requireAnswers(outcomes: readonly ActionOutcome[]): unknown[] {
  if (outcomes.every((outcome) => outcome.done)) return outcomes.map((outcome) => outcome.answer);
  const reasons = outcomes.map((outcome): Reason => (outcome.done ? { Code: "None" } : outcome.reason));
  const codes = reasons.map((reason) => reason.Code).join(", ");
  throw new ApiError("TransactionCanceledException", {
    CancellationReasons: reasons,
    Message: `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
  });
}

const getTypes = makeActionShape(
  getRequest.types,
  ["TableName", "Key", "ProjectionExpression", "ExpressionAttributeNames"],
  [],
);

const shape: RequestShape = {
  types: {
    ReturnConsumedCapacity: returnConsumedCapacity,
    TransactItems: makeTransactItemsType("TransactGetItem", {
      Get: { type: "FieldStruct<Get>", notNull: true, children: getTypes },
    }),
  },
};

const Request = z.object({
  ReturnConsumedCapacity: z.string().optional(),
  TransactItems: z.array(z.object({ Get: ItemTarget })),
});

const Answer = z.object({ Item: z.unknown().optional() });

/**
 * Runs TransactGetItems: reads all items at one moment, while no write runs.
 * @throws TransactionCanceledException, ValidationException, ResourceNotFoundException
 */
export async function transactGetItems(database: Database, body: Data): Promise<unknown> {
  const { store } = database;
  const request = Request.parse(checkRequest(shape, body, store));
  const gets = request.TransactItems.map(({ Get }): ItemTarget => {
    const get = { ...Get, ConsistentRead: true, ReturnConsumedCapacity: request.ReturnConsumedCapacity };
    checkAction(getRequest.custom, get, store);
    return get;
  });
  const items = await findItemIds(store, gets);
  return database.conflicts.runReadTransaction(items, async (overtaken) => {
    await database.pause();
    return database.exclusive(async () => {
      const outcomes: ActionOutcome[] = [];
      for (const get of gets) outcomes.push(await attemptAction(store, get, () => run(getItem, store, get)));
      const answers = requireAnswers(
        outcomes.map((outcome, place) => (overtaken().has(place) ? conflicting : outcome)),
      );
      return {
        Responses: answers.map((answer) => Answer.parse(answer)),
        ...sumCapacity("ReadCapacityUnits", answers),
      };
    });
  });
}

const Consumed = z.object({
  ConsumedCapacity: z.object({ TableName: z.string(), CapacityUnits: z.number() }).optional(),
});

/**
 * The `ConsumedCapacity` of a transaction. A transaction costs twice as much as its actions (developer guide, "Capacity management for
 * transactions"). The result is empty if the request did not ask for consumed capacity.
 */
export function sumCapacity(
  kind: "ReadCapacityUnits" | "WriteCapacityUnits",
  answers: readonly unknown[],
): Readonly<Record<string, unknown>> {
  const units = new Map<string, number>();
  for (const answer of answers) {
    const consumed = Consumed.safeParse(answer).data?.ConsumedCapacity;
    if (consumed === undefined) continue;
    units.set(consumed.TableName, (units.get(consumed.TableName) ?? 0) + 2 * consumed.CapacityUnits);
  }
  if (units.size === 0) return {};
  return {
    ConsumedCapacity: Array.from(units, ([TableName, CapacityUnits]) => ({
      TableName,
      CapacityUnits,
      [kind]: CapacityUnits,
    })),
  };
}
