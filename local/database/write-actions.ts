import deleteItem from "dynalite/actions/deleteItem.js";
import putItem from "dynalite/actions/putItem.js";
import updateItem from "dynalite/actions/updateItem.js";
import type { Store } from "dynalite/db/index.js";
import { capacityUnits, validationError } from "dynalite/db/index.js";
import * as deleteRequest from "dynalite/validations/deleteItem.js";
import type { Custom, Types } from "dynalite/validations/index.js";
import * as putRequest from "dynalite/validations/putItem.js";
import * as updateRequest from "dynalite/validations/updateItem.js";
import { checkCondition, type Target } from "./condition.ts";
import { checkAction, returnOldItem, shapeOfAction } from "./request.ts";
import { run } from "./store.ts";

const expression = ["ConditionExpression", "ExpressionAttributeNames", "ExpressionAttributeValues"];

type Perform = (store: Store, data: Target) => Promise<unknown>;

interface Kind {
  readonly types: Types;
  readonly custom: Custom | undefined;
  readonly perform: Perform;
}

const kinds: Readonly<Record<string, Kind>> = {
  ConditionCheck: {
    types: shapeOfAction(deleteRequest.types, ["TableName", "Key", ...expression], ["ConditionExpression"]),
    custom: deleteRequest.custom,
    perform: performCheck,
  },
  Put: {
    types: shapeOfAction(putRequest.types, ["TableName", "Item", ...expression], []),
    custom: putRequest.custom,
    perform: (store, data) => run(putItem, store, data),
  },
  Update: {
    types: shapeOfAction(
      updateRequest.types,
      ["TableName", "Key", "UpdateExpression", ...expression],
      ["UpdateExpression"],
    ),
    custom: updateRequest.custom,
    perform: (store, data) => run(updateItem, store, data),
  },
  Delete: {
    types: shapeOfAction(deleteRequest.types, ["TableName", "Key", ...expression], []),
    custom: deleteRequest.custom,
    perform: (store, data) => run(deleteItem, store, data),
  },
};

/** The members of one entry of TransactItems, for its schema. */
export const actionTypes: Types = Object.fromEntries(
  Object.entries(kinds).map(([name, kind]) => [
    name,
    {
      type: `FieldStruct<${name}>`,
      children: { ...kind.types, ReturnValuesOnConditionCheckFailure: returnOldItem },
    },
  ]),
);

/** The one action that an entry of TransactItems holds, its expressions parsed.
 * @throws ValidationException */
export function actionOf(
  item: Readonly<Record<string, Target>>,
  capacity: string | undefined,
  store: Store,
): { readonly data: Target; readonly perform: Perform } {
  const [first, ...others] = Object.entries(item);
  if (others.length > 0) {
    throw validationError("TransactItems can only contain one of Check, Put, Update or Delete");
  }
  const kind = first === undefined ? undefined : kinds[first[0]];
  if (first === undefined || kind === undefined) {
    throw validationError(
      "Invalid Request: TransactWriteRequest should contain Delete or Put or Update request",
    );
  }
  const data: Target = { ...first[1], ReturnConsumedCapacity: capacity };
  checkAction(kind.custom, data, store);
  return { data, perform: kind.perform };
}

async function performCheck(store: Store, data: Target): Promise<unknown> {
  const item = await checkCondition(store, data);
  const asked = data.ReturnConsumedCapacity !== undefined && data.ReturnConsumedCapacity !== "NONE";
  return asked
    ? { ConsumedCapacity: { TableName: data.TableName, CapacityUnits: capacityUnits(item, false, true) } }
    : {};
}
