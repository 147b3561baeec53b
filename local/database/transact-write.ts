import { crc32 } from "node:zlib";
import deleteItem from "dynalite/actions/deleteItem.js";
import putItem from "dynalite/actions/putItem.js";
import updateItem from "dynalite/actions/updateItem.js";
import {
  capacityUnits,
  type Data,
  itemSize,
  type Store,
  validationError,
  type Write,
} from "dynalite/db/index.js";
import * as deleteRequest from "dynalite/validations/deleteItem.js";
import type { Custom, Types } from "dynalite/validations/index.js";
import * as putRequest from "dynalite/validations/putItem.js";
import * as updateRequest from "dynalite/validations/updateItem.js";
import * as z from "zod";
import { type Database, runWrite, type StagedWrites } from "./database.ts";
import {
  checkAction,
  checkRequest,
  makeActionShape,
  makeTransactItemsType,
  type RequestShape,
  returnConsumedCapacity,
  returnItemCollectionMetrics,
  returnOldItem,
} from "./request.ts";
import { ApiError, checkCondition, ItemTarget, makePrefixRange, run } from "./store.ts";
import {
  type ActionOutcome,
  attemptAction,
  conflicting,
  findItemIds,
  requireAnswers,
  sumCapacity,
} from "./transaction.ts";

const expression = ["ConditionExpression", "ExpressionAttributeNames", "ExpressionAttributeValues"];

type ActionRunner = (store: Store, data: ItemTarget) => Promise<unknown>;

interface ActionKind {
  readonly types: Types;
  readonly custom: Custom | undefined;
  readonly perform: ActionRunner;
}

const kinds: Readonly<Record<string, ActionKind>> = {
  ConditionCheck: {
    types: makeActionShape(deleteRequest.types, ["TableName", "Key", ...expression], ["ConditionExpression"]),
    custom: deleteRequest.custom,
    perform: performCheck,
  },
  Put: {
    types: makeActionShape(putRequest.types, ["TableName", "Item", ...expression], []),
    custom: putRequest.custom,
    perform: (store, data) => run(putItem, store, data),
  },
  Update: {
    types: makeActionShape(
      updateRequest.types,
      ["TableName", "Key", "UpdateExpression", ...expression],
      ["UpdateExpression"],
    ),
    custom: updateRequest.custom,
    perform: (store, data) => run(updateItem, store, data),
  },
  Delete: {
    types: makeActionShape(deleteRequest.types, ["TableName", "Key", ...expression], []),
    custom: deleteRequest.custom,
    perform: (store, data) => run(deleteItem, store, data),
  },
};

/** The members that an entry of TransactItems may have, for the schema of the request. */
const actionTypes: Types = Object.fromEntries(
  Object.entries(kinds).map(([name, kind]) => [
    name,
    {
      type: `FieldStruct<${name}>`,
      children: { ...kind.types, ReturnValuesOnConditionCheckFailure: returnOldItem },
    },
  ]),
);

const maxBytes = 4 * 1024 * 1024;
const shape: RequestShape = {
  types: {
    ClientRequestToken: { type: "String", lengthGreaterThanOrEqual: 1, lengthLessThanOrEqual: 36 },
    ReturnConsumedCapacity: returnConsumedCapacity,
    ReturnItemCollectionMetrics: returnItemCollectionMetrics,
    TransactItems: makeTransactItemsType("TransactWriteItem", actionTypes),
  },
};

const Request = z.object({
  ClientRequestToken: z.string().optional(),
  ReturnConsumedCapacity: z.string().optional(),
  TransactItems: z.array(z.record(z.string(), ItemTarget)),
});

/**
 * Runs TransactWriteItems. Either all actions take effect or no action does, and no other write happens in between. Requests with the same
 * client token take effect once.
 * @throws TransactionCanceledException, TransactionInProgressException, IdempotentParameterMismatchException,
 * ValidationException, ResourceNotFoundException
 */
export async function transactWriteItems(database: Database, body: Data, text: string): Promise<unknown> {
  const now = Math.floor(Date.now() / 1000);
  const request = Request.parse(checkRequest(shape, body, database.store));
  const payload = `${text.length} ${crc32(text)}`;
  const actions = request.TransactItems.map((item) =>
    readAction(item, request.ReturnConsumedCapacity, database.store),
  );
  const token = request.ClientRequestToken;

  const apply = (taken: ReadonlySet<number>) =>
    runWrite(database, async (stage) => {
      if (token !== undefined && (await isTokenUsed(database.store, token, payload, now))) return {};
      const outcomes: ActionOutcome[] = [];
      for (const [place, { data, perform }] of actions.entries()) {
        const outcome = taken.has(place)
          ? conflicting
          : await attemptAction(stage.store, data, () => perform(stage.store, data));
        outcomes.push(outcome);
      }
      const answers = requireAnswers(outcomes);
      checkSize(stage);
      if (token !== undefined) stage.writes.push(...makeTokenWrites(token, payload, now));
      return sumCapacity("WriteCapacityUnits", answers);
    });
  const { conflicts, store } = database;
  return conflicts.underToken(token, async () => {
    const targets = actions.map((action) => action.data);
    return conflicts.runWriteTransaction(await findItemIds(store, targets), async (taken) => {
      await database.pause();
      return apply(taken);
    });
  });
}

function checkSize(stage: StagedWrites): void {
  const bytes = stage.items.reduce((sum, { item }) => sum + itemSize(item), 0);
  if (bytes <= maxBytes) return;
  throw validationError(`Transaction payload size cannot exceed 4MB. Payload Size: ${bytes}`);
}

/**
 * The one action in an entry of TransactItems, with parsed expressions.
 * @throws ValidationException
 */
function readAction(
  item: Readonly<Record<string, ItemTarget>>,
  capacity: string | undefined,
  store: Store,
): { readonly data: ItemTarget; readonly perform: ActionRunner } {
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
  const data: ItemTarget = { ...first[1], ReturnConsumedCapacity: capacity };
  checkAction(kind.custom, data, store);
  return { data, perform: kind.perform };
}

async function performCheck(store: Store, data: ItemTarget): Promise<unknown> {
  const item = await checkCondition(store, data);
  const asked = data.ReturnConsumedCapacity !== undefined && data.ReturnConsumedCapacity !== "NONE";
  return asked
    ? { ConsumedCapacity: { TableName: data.TableName, CapacityUnits: capacityUnits(item, false, true) } }
    : {};
}

/**
 * A ClientRequestToken is valid for ten minutes after its transaction (API reference, TransactWriteItems).
 */
const validSeconds = 600;

const Used = z.object({ payload: z.string(), expires: z.number() });

/**
 * Whether a transaction with this token and payload was applied.
 * @param payload the request's length and checksum; a client that repeats a request sends the same bytes
 * @param now Unix time in seconds
 * @throws IdempotentParameterMismatchException if the token came with another payload
 */
async function isTokenUsed(store: Store, token: string, payload: string, now: number): Promise<boolean> {
  const used = Used.optional().parse(await store.db.get(makeTokenKey(token)));
  if (used === undefined || used.expires <= now) return false;
  if (used.payload === payload) return true;
  throw new ApiError("IdempotentParameterMismatchException", {
    Message: "The request uses the same client token as a previous, but non-identical request.",
  });
}

/**
 * Remembers an applied transaction. The returned writes must be in the same batch as the transaction's writes.
 * @param now Unix time in seconds
 */
function makeTokenWrites(token: string, payload: string, now: number): Write[] {
  const expires = now + validSeconds;
  return [{ type: "put", key: makeTokenKey(token), value: { payload, expires } }];
}

/**
 * Deletes expired tokens at the start, so that the number of stored tokens stays small.
 * @param now Unix time in seconds
 */
export async function forgetTokens(store: Store, now: number): Promise<void> {
  const tokens = await store.db.iterator(makePrefixRange(makeTokenKey(""))).all();
  const expired = tokens.filter(([, used]) => Used.parse(used).expires <= now);
  await store.db.batch(expired.map(([key]): Write => ({ type: "del", key })));
}

function makeTokenKey(token: string): string {
  return `token~${token}`;
}
