import {
  type Action,
  checkConditional,
  createKey,
  type Data,
  type Item,
  type Store,
  type Table,
  validateKey,
} from "dynalite/db/index.js";
import * as z from "zod";

/**
 * Runs one of dynalite's actions.
 * @throws the action's error, see failure.ts
 */
export async function run(action: Action, store: Store, data: Data): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  action(store, data, (error, answer) => (error ? reject(error) : resolve(answer)));
  return promise;
}

/** @throws ResourceNotFoundException */
export async function findTable(store: Store, name: string): Promise<Table> {
  const { promise, resolve, reject } = Promise.withResolvers<Table>();
  store.getTable(name, true, (error, table) => {
    if (table !== undefined) resolve(table);
    else reject(error);
  });
  return promise;
}

/** Returns the item whose key is in `keyed`; `keyed` is a key or a whole item. */
async function findItem(store: Store, table: Table, keyed: Item): Promise<Item | undefined> {
  const found = await store.db.get(makeItemPrefix(table.TableName) + createKey(keyed, table));
  return isItem(found) ? found : undefined;
}

export function isItem(value: unknown): value is Item {
  return typeof value === "object" && value !== null;
}

/** The prefix under which dynalite 4.0.0 stores a table's items. */
export function makeItemPrefix(table: string): string {
  return `item-${table}~`;
}

/** The prefix of an index's entries. `kind` is Local or Global. */
export function makeIndexPrefix(kind: string, table: string, index: string): string {
  return `index-${kind.toLowerCase()}~${table}~${index}~`;
}

/** The bounds of all keys that begin with `prefix`. */
export function makePrefixRange(prefix: string): { readonly gte: string; readonly lt: string } {
  return { gte: prefix, lt: `${prefix}\u{10ffff}` };
}

/** The answer to a failed request: the error body of the JSON 1.0 protocol, with its status. */
export interface ApiFailure {
  readonly statusCode: number;
  readonly body: Readonly<Record<string, unknown>>;
}

const apiVersion = "com.amazonaws.dynamodb.v20120810";
const failureShape = z.object({ statusCode: z.int(), body: z.looseObject({ __type: z.string() }) });
const messageShape = z.object({ body: z.object({ message: z.string() }) });

/** An error of the DynamoDB API, shaped like dynalite's own errors. */
export class ApiError extends Error implements ApiFailure {
  override readonly name = "ApiError";
  readonly statusCode = 400;
  readonly body: Readonly<Record<string, unknown>>;

  /** @param type the exception's name, such as `TransactionCanceledException` */
  constructor(type: string, members: Readonly<Record<string, unknown>>) {
    super(type);
    this.body = { __type: `${apiVersion}#${type}`, ...members };
  }
}

/** The answer for an error of the API; `undefined` for any other error, which is a defect of the stand-in. */
export function readFailure(error: unknown): ApiFailure | undefined {
  return failureShape.safeParse(error).data;
}

/** The exception's name without its namespace, such as `ValidationException`. */
export function readFailureType(error: unknown): string | undefined {
  return failureShape.safeParse(error).data?.body.__type.split("#")[1];
}

export function readFailureText(error: unknown): string {
  return messageShape.safeParse(error).data?.body.message ?? "";
}

const conditionFailed = "ConditionalCheckFailedException";

/** Attributes of an item, which dynalite has already checked. */
const AttributeMap = z.custom<Readonly<Record<string, Readonly<Record<string, unknown>>>>>();

/** The parameters that identify an action's item, and the parameter that says whether a failed condition returns this item. */
export const ItemTarget = z.looseObject({
  TableName: z.string(),
  Key: AttributeMap.optional(),
  Item: AttributeMap.optional(),
  ReturnValuesOnConditionCheckFailure: z.enum(["ALL_OLD", "NONE"]).optional(),
});
export type ItemTarget = z.infer<typeof ItemTarget>;

/** The key of a write's target: the `Key`, or the `Item` that contains the key. */
export function readKey(target: ItemTarget): Item {
  return target.Key ?? target.Item ?? {};
}

export function isConditionFailure(error: unknown): boolean {
  return readFailureType(error) === conditionFailed;
}

/** The item that a failed condition returns, if the request asks for the item and the item exists. */
export async function readOldItem(store: Store, target: ItemTarget): Promise<{ readonly Item?: Item }> {
  if (target.ReturnValuesOnConditionCheckFailure !== "ALL_OLD") return {};
  const item = await findItem(store, await findTable(store, target.TableName), readKey(target));
  return item === undefined ? {} : { Item: item };
}

/**
 * Runs a put, update or delete. A failed condition returns the item if `ReturnValuesOnConditionCheckFailure` asks for it; dynalite itself
 * does not support this option.
 */
export async function runConditionally(action: Action, store: Store, data: Data): Promise<unknown> {
  try {
    return await run(action, store, data);
  } catch (error) {
    if (!isConditionFailure(error)) throw error;
    throw new ApiError(conditionFailed, {
      message: "The conditional request failed",
      ...(await readOldItem(store, ItemTarget.parse(data))),
    });
  }
}

/**
 * The ConditionCheck of a transaction, shaped like dynalite's actions.
 * @throws ConditionalCheckFailedException, ValidationException
 */
export async function checkCondition(store: Store, target: ItemTarget): Promise<Item | undefined> {
  const table = await findTable(store, target.TableName);
  const invalid = validateKey(readKey(target), table);
  if (invalid) throw invalid;
  const item = await findItem(store, table, readKey(target));
  const failed = checkConditional(target, item);
  if (failed) throw failed;
  return item;
}
