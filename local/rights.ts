import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import * as z from "zod";
import { type Job, jobs } from "../functions/jobs.ts";
import { readCorrelation } from "../functions/lib/log.ts";
import { type Route, routes } from "../functions/routes.ts";
import { listKeys, splitReads } from "../functions/storage.ts";

const At = z.object({ pk: z.string() });
const Item = z.object({ Key: At.optional(), Item: At.optional() });
const Batch = z.object({ RequestItems: z.record(z.string(), z.object({ Keys: z.array(At) })) });
const Query = z.object({
  IndexName: z.string().optional(),
  ExpressionAttributeNames: z.record(z.string(), z.string()),
  ExpressionAttributeValues: z.record(z.string(), z.unknown()),
});
const Transaction = z.object({ TransactItems: z.array(z.unknown()) });

/** The values that IAM checks for one item or query: an action of DynamoDB, and a partition key of the table or of an index. */
export type TableAction = {
  readonly action: string;
  readonly index: string | undefined;
  readonly key: string;
};

/** Even inside a transaction, IAM checks the action on each item. */
const makeItemCheck = (action: string) => (input: unknown) => {
  const { Key, Item: put } = Item.parse(input);
  return [{ action, index: undefined, key: (Key ?? put)?.pk ?? "" }];
};
const actions = {
  Get: "GetItem",
  Put: "PutItem",
  Update: "UpdateItem",
  Delete: "DeleteItem",
  ConditionCheck: "ConditionCheckItem",
} as const;
const listItemChecks = (input: unknown) =>
  Transaction.parse(input).TransactItems.flatMap((one) =>
    Object.entries(actions).flatMap(([name, action]) => {
      const asked: unknown = Object(one)[name];
      return asked === undefined ? [] : makeItemCheck(action)(asked);
    }),
  );

/** The actions that IAM checks for each SDK command. */
const askedBy: Readonly<Record<string, (input: unknown) => readonly TableAction[]>> = {
  GetCommand: makeItemCheck("GetItem"),
  PutCommand: makeItemCheck("PutItem"),
  UpdateCommand: makeItemCheck("UpdateItem"),
  DeleteCommand: makeItemCheck("DeleteItem"),
  TransactGetCommand: listItemChecks,
  TransactWriteCommand: listItemChecks,
  BatchGetCommand: (input) =>
    Object.values(Batch.parse(input).RequestItems).flatMap(({ Keys }) =>
      Keys.map(({ pk: key }) => ({ action: "BatchGetItem", index: undefined, key })),
    ),
  QueryCommand: (input) => {
    const {
      IndexName: index,
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: values,
    } = Query.parse(input);
    const [placeholder = ""] = Object.entries(names).find(([, name]) => /^(?:gsi\dpk|pk)$/.test(name)) ?? [];
    return [{ action: "Query", index, key: String(values[placeholder.replace("#", ":")]) }];
  },
};

/** The actions that IAM checks for a DynamoDB command; `undefined` if the command is not in `askedBy`. */
export function listAskedActions(command: unknown): readonly TableAction[] | undefined {
  return askedBy[Object(command).constructor.name]?.(Object(command).input);
}

/** DynamoDB's refusal of an action that the function's role does not allow. */
class AccessDenied extends Error {
  override readonly name = "AccessDeniedException";
}

const rows = new Map<string, Route | Job>([...routes, ...jobs].map((row) => [row.id, row]));
const writing = new Set(["PutItem", "UpdateItem", "DeleteItem", "ConditionCheckItem"]);

/** Whether IAM would let the function of a route or job perform the action. */
function isAllowed(
  { access, reads, writes = [] }: Route | Job,
  { action, index, key }: TableAction,
): boolean {
  if (writing.has(action)) return access.includes("table:write") && matchesAny(key, listKeys(writes));
  if (!access.includes("table:read")) return false;
  if (reads === undefined) return true;
  const { kinds, indexes } = splitReads(reads);
  return index === undefined ? matchesAny(key, listKeys(kinds)) : indexes.some((name) => name === index);
}

/** Compiles each key pattern once. */
const forms = new Map<string, RegExp>();

function matchesAny(key: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => {
    const form =
      forms.get(pattern) ??
      new RegExp(`^${pattern.replace(/[$]/g, "\\$").replaceAll("?", ".").replaceAll("*", ".*")}$`, "s");
    forms.set(pattern, form);
    return form.test(key);
  });
}

/**
 * Replaces IAM until `stop` is called: a function's request to the table is refused, as on AWS, if the function's row among the routes and
 * jobs does not allow the request.
 */
export function enforceRights(): { readonly stop: () => void } {
  const { prototype } = DynamoDBDocumentClient;
  const { send } = prototype;
  const guarded = function (this: unknown, ...sent: unknown[]): unknown {
    const row = rows.get(String(readCorrelation().function));
    const refused =
      row === undefined ? undefined : listAskedActions(sent[0])?.find((asked) => !isAllowed(row, asked));
    if (refused === undefined) return Reflect.apply(send, this, sent);
    const { action, index = "the table", key } = refused;
    return Promise.reject(new AccessDenied(`${row?.id} may not dynamodb:${action} ${key} of ${index}`));
  };
  Reflect.set(prototype, "send", guarded);
  return { stop: () => void Reflect.set(prototype, "send", send) };
}
