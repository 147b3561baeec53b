import type { Data, Store } from "dynalite/db/index.js";
import { validationError } from "dynalite/db/index.js";
import * as z from "zod";
import { type Database, write } from "./database.ts";
import { expiryWrites, settingWrite } from "./expiry.ts";
import { checkRequest, type RequestShape, tableName } from "./request.ts";
import type { StagedItem } from "./stage.ts";
import { below, findTable, isItem, itemPrefix } from "./store.ts";

const updateShape: RequestShape = {
  types: {
    TableName: tableName,
    TimeToLiveSpecification: {
      type: "FieldStruct<TimeToLiveSpecification>",
      notNull: true,
      children: {
        AttributeName: {
          type: "String",
          notNull: true,
          lengthGreaterThanOrEqual: 1,
          lengthLessThanOrEqual: 255,
        },
        Enabled: { type: "Boolean", notNull: true },
      },
    },
  },
};

const describeShape: RequestShape = { types: { TableName: tableName } };

const Update = z.object({
  TableName: z.string(),
  TimeToLiveSpecification: z.object({ AttributeName: z.string(), Enabled: z.boolean() }),
});
const Describe = z.object({ TableName: z.string() });

/** UpdateTimeToLive. It holds at once, where DynamoDB takes up to an hour.
 * @throws ValidationException, ResourceNotFoundException */
export async function updateTimeToLive(database: Database, body: Data): Promise<unknown> {
  const request = Update.parse(checkRequest(updateShape, body, database.store));
  const { TableName: table, TimeToLiveSpecification: specification } = request;
  const attribute = specification.Enabled ? specification.AttributeName : undefined;

  await write(database, async (stage) => {
    await findTable(database.store, table);
    checkChange(database.timeToLive.get(table), specification);
    stage.writes.push(settingWrite(table, attribute));
    if (attribute === undefined) {
      stage.afterCommit.push(() => database.timeToLive.delete(table));
      return;
    }
    const items = await itemsOf(database.store, table);
    stage.writes.push(...expiryWrites(new Map([[table, attribute]]), items));
    stage.afterCommit.push(() => database.timeToLive.set(table, attribute));
  });
  return { TimeToLiveSpecification: specification };
}

/** DescribeTimeToLive.
 * @throws ResourceNotFoundException */
export async function describeTimeToLive(database: Database, body: Data): Promise<unknown> {
  const { TableName } = Describe.parse(checkRequest(describeShape, body, database.store));
  await findTable(database.store, TableName);
  const AttributeName = database.timeToLive.get(TableName);
  return {
    TimeToLiveDescription:
      AttributeName === undefined
        ? { TimeToLiveStatus: "DISABLED" }
        : { TimeToLiveStatus: "ENABLED", AttributeName },
  };
}

function checkChange(
  current: string | undefined,
  wanted: { readonly AttributeName: string; readonly Enabled: boolean },
): void {
  if (current === undefined) {
    if (!wanted.Enabled) throw validationError("TimeToLive is already disabled");
    return;
  }
  if (current !== wanted.AttributeName) {
    throw validationError("TimeToLive is active on a different AttributeName");
  }
  if (wanted.Enabled) throw validationError("TimeToLive is already enabled");
}

async function itemsOf(store: Store, table: string): Promise<StagedItem[]> {
  const prefix = itemPrefix(table);
  const stored = await store.db.iterator(below(prefix)).all();
  return stored.flatMap(([key, item]) =>
    isItem(item) ? [{ table, key: key.slice(prefix.length), item }] : [],
  );
}
