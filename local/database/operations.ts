import batchGetItem from "dynalite/actions/batchGetItem.js";
import batchWriteItem from "dynalite/actions/batchWriteItem.js";
import createTable from "dynalite/actions/createTable.js";
import deleteItem from "dynalite/actions/deleteItem.js";
import deleteTable from "dynalite/actions/deleteTable.js";
import describeTable from "dynalite/actions/describeTable.js";
import getItem from "dynalite/actions/getItem.js";
import listTables from "dynalite/actions/listTables.js";
import listTagsOfResource from "dynalite/actions/listTagsOfResource.js";
import putItem from "dynalite/actions/putItem.js";
import query from "dynalite/actions/query.js";
import scan from "dynalite/actions/scan.js";
import tagResource from "dynalite/actions/tagResource.js";
import untagResource from "dynalite/actions/untagResource.js";
import updateItem from "dynalite/actions/updateItem.js";
import updateTable from "dynalite/actions/updateTable.js";
import type { Action, Data } from "dynalite/db/index.js";
import * as batchGetItemRequest from "dynalite/validations/batchGetItem.js";
import * as batchWriteItemRequest from "dynalite/validations/batchWriteItem.js";
import * as createTableRequest from "dynalite/validations/createTable.js";
import * as deleteItemRequest from "dynalite/validations/deleteItem.js";
import * as deleteTableRequest from "dynalite/validations/deleteTable.js";
import * as describeTableRequest from "dynalite/validations/describeTable.js";
import * as getItemRequest from "dynalite/validations/getItem.js";
import * as listTablesRequest from "dynalite/validations/listTables.js";
import * as listTagsOfResourceRequest from "dynalite/validations/listTagsOfResource.js";
import * as putItemRequest from "dynalite/validations/putItem.js";
import * as queryRequest from "dynalite/validations/query.js";
import * as scanRequest from "dynalite/validations/scan.js";
import * as tagResourceRequest from "dynalite/validations/tagResource.js";
import * as untagResourceRequest from "dynalite/validations/untagResource.js";
import * as updateItemRequest from "dynalite/validations/updateItem.js";
import * as updateTableRequest from "dynalite/validations/updateTable.js";
import * as z from "zod";
import { itemIdOf } from "./conflicts.ts";
import { type Database, write } from "./database.ts";
import { checkRequest, type RequestShape, returnOldItem } from "./request.ts";
import { run, runConditionally, Target } from "./store.ts";
import { transactWriteItems } from "./transact-write.ts";
import { transactGetItems } from "./transaction.ts";

/** Answers one request. @param body its parameters as they came */
export type Operation = (database: Database, body: Data) => Promise<unknown>;

/** Every operation of the API that the database knows. */
export const operations: ReadonlyMap<string, Operation> = new Map([
  ["GetItem", reading(getItem, getItemRequest)],
  ["BatchGetItem", reading(batchGetItem, batchGetItemRequest)],
  ["Query", reading(query, queryRequest)],
  ["Scan", reading(scan, scanRequest)],
  ["PutItem", conditional(putItem, putItemRequest)],
  ["UpdateItem", conditional(updateItem, updateItemRequest)],
  ["DeleteItem", conditional(deleteItem, deleteItemRequest)],
  ["BatchWriteItem", writing(batchWriteItem, batchWriteItemRequest)],
  ["TransactWriteItems", transactWriteItems],
  ["TransactGetItems", transactGetItems],
  ["CreateTable", changingTable(createTable, createTableRequest)],
  ["UpdateTable", changingTable(updateTable, updateTableRequest)],
  ["DeleteTable", changingTable(deleteTable, deleteTableRequest)],
  ["DescribeTable", reading(describeTable, describeTableRequest)],
  ["ListTables", reading(listTables, listTablesRequest)],
  ["TagResource", writing(tagResource, tagResourceRequest)],
  ["UntagResource", writing(untagResource, untagResourceRequest)],
  ["ListTagsOfResource", reading(listTagsOfResource, listTagsOfResourceRequest)],
]);

function reading(action: Action, shape: RequestShape): Operation {
  return ({ store }, body) => run(action, store, checkRequest(shape, body, store));
}

function writing(action: Action, shape: RequestShape): Operation {
  return (database, body) => {
    const data = checkRequest(shape, body, database.store);
    return write(database, (stage) => run(action, stage.store, data));
  };
}

function conditional(action: Action, shape: RequestShape): Operation {
  const types = { ...shape.types, ReturnValuesOnConditionCheckFailure: returnOldItem };
  return (database, body) => {
    const data = checkRequest({ types, custom: shape.custom }, body, database.store);
    return plainly(database, Target.parse(data), () =>
      write(database, (stage) => runConditionally(action, stage.store, data)),
    );
  };
}

async function plainly<T>(database: Database, target: Target, act: () => Promise<T>): Promise<T> {
  const item = await itemIdOf(database.store, target);
  return database.conflicts.writingPlainly(item, async () => {
    await database.pause();
    return act();
  });
}

function changingTable(action: Action, shape: RequestShape): Operation {
  return (database, body) => {
    const data = checkRequest(shape, body, database.store);
    return write(database, async (stage) => {
      const answer = await run(action, stage.store, data);
      await stage.tableSettled;
      const table = z.string().parse(data.TableName);
      stage.afterCommit.push(() => database.forgetTable(table));
      return answer;
    });
  };
}
