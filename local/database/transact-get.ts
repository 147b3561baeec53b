import getItem from "dynalite/actions/getItem.js";
import type { Data } from "dynalite/db/index.js";
import * as getRequest from "dynalite/validations/getItem.js";
import * as z from "zod";
import { transactionCapacity } from "./capacity.ts";
import { Target } from "./condition.ts";
import type { Database } from "./database.ts";
import {
  checkAction,
  checkRequest,
  type RequestShape,
  returnConsumedCapacity,
  shapeOfAction,
} from "./request.ts";
import { run } from "./store.ts";
import { answersOf, attempt, conflicting, itemsOf, type Outcome } from "./transaction.ts";

const getTypes = shapeOfAction(
  getRequest.types,
  ["TableName", "Key", "ProjectionExpression", "ExpressionAttributeNames"],
  [],
);

const shape: RequestShape = {
  types: {
    ReturnConsumedCapacity: returnConsumedCapacity,
    TransactItems: {
      type: "List",
      notNull: true,
      lengthGreaterThanOrEqual: 1,
      lengthLessThanOrEqual: 100,
      children: {
        type: "ValueStruct<TransactGetItem>",
        children: { Get: { type: "FieldStruct<Get>", notNull: true, children: getTypes } },
      },
    },
  },
};

const Request = z.object({
  ReturnConsumedCapacity: z.string().optional(),
  TransactItems: z.array(z.object({ Get: Target })),
});

const Answer = z.object({ Item: z.unknown().optional() });

/** TransactGetItems: all items as of one moment, between writes.
 * @throws TransactionCanceledException, ValidationException, ResourceNotFoundException */
export async function transactGetItems(database: Database, body: Data): Promise<unknown> {
  const { store } = database;
  const request = Request.parse(checkRequest(shape, body, store));
  const gets = request.TransactItems.map(({ Get }): Target => {
    const get = { ...Get, ConsistentRead: true, ReturnConsumedCapacity: request.ReturnConsumedCapacity };
    checkAction(getRequest.custom, get, store);
    return get;
  });
  const items = await itemsOf(store, gets);
  return database.conflicts.reading(items, async (overtaken) => {
    await database.pause();
    return database.exclusive(async () => {
      const outcomes: Outcome[] = [];
      for (const get of gets) outcomes.push(await attempt(store, get, () => run(getItem, store, get)));
      const answers = answersOf(
        outcomes.map((outcome, place) => (overtaken().has(place) ? conflicting : outcome)),
      );
      return {
        Responses: answers.map((answer) => Answer.parse(answer)),
        ...transactionCapacity("ReadCapacityUnits", answers),
      };
    });
  });
}
