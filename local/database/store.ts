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

/** Runs one of dynalite's actions.
 * @throws its error, see failure.ts */
export async function run(action: Action, store: Store, data: Data): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  action(store, data, (error, answer) => (error ? reject(error) : resolve(answer)));
  return promise;
}

/** A table's description.
 * @throws ResourceNotFoundException */
export async function findTable(store: Store, name: string): Promise<Table> {
  const { promise, resolve, reject } = Promise.withResolvers<Table>();
  store.getTable(name, true, (error, table) => {
    if (table !== undefined) resolve(table);
    else reject(error);
  });
  return promise;
}

/** The item with the key that `keyed` (a key or a whole item) holds. */
async function findItem(store: Store, table: Table, keyed: Item): Promise<Item | undefined> {
  const found = await store.db.get(itemPrefix(table.TableName) + createKey(keyed, table));
  return isItem(found) ? found : undefined;
}

export function isItem(value: unknown): value is Item {
  return typeof value === "object" && value !== null;
}

/** Where dynalite 4.0.0 keeps a table's items in the level store. */
export function itemPrefix(table: string): string {
  return `item-${table}~`;
}

/** Where it keeps the entries of an index of `kind` Local or Global. */
export function indexPrefix(kind: string, table: string, index: string): string {
  return `index-${kind.toLowerCase()}~${table}~${index}~`;
}

/** The bounds of all keys that begin with `prefix`. */
export function below(prefix: string): { readonly gte: string; readonly lt: string } {
  return { gte: prefix, lt: `${prefix}\u{10ffff}` };
}

/** What a failed request answers: the JSON 1.0 protocol's error body under its status. */
export interface Failure {
  readonly statusCode: number;
  readonly body: Readonly<Record<string, unknown>>;
}

const apiVersion = "com.amazonaws.dynamodb.v20120810";
const failureShape = z.object({ statusCode: z.int(), body: z.looseObject({ __type: z.string() }) });
const messageShape = z.object({ body: z.object({ message: z.string() }) });

/** An error of the DynamoDB API, in the shape of those that dynalite throws. */
export class ApiError extends Error implements Failure {
  override readonly name = "ApiError";
  readonly statusCode = 400;
  readonly body: Readonly<Record<string, unknown>>;

  /** @param type the exception's name, such as `TransactionCanceledException` */
  constructor(type: string, members: Readonly<Record<string, unknown>>) {
    super(type);
    this.body = { __type: `${apiVersion}#${type}`, ...members };
  }
}

/** The answer that an error stands for, or undefined where it is no error of the API but a fault of ours. */
export function failureOf(error: unknown): Failure | undefined {
  return failureShape.safeParse(error).data;
}

/** The exception's name without its namespace, such as `ValidationException`. */
export function failureType(error: unknown): string | undefined {
  return failureShape.safeParse(error).data?.body.__type.split("#")[1];
}

/** The message of an error of dynalite's. */
export function failureMessage(error: unknown): string {
  return messageShape.safeParse(error).data?.body.message ?? "";
}

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
