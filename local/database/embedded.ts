import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { crc32 } from "node:zlib";
import batchGetItem from "dynalite/actions/batchGetItem.js";
import batchWriteItem from "dynalite/actions/batchWriteItem.js";
import createTable from "dynalite/actions/createTable.js";
import deleteItem from "dynalite/actions/deleteItem.js";
import deleteTable from "dynalite/actions/deleteTable.js";
import describeTable from "dynalite/actions/describeTable.js";
import getItem from "dynalite/actions/getItem.js";
import listTables from "dynalite/actions/listTables.js";
import putItem from "dynalite/actions/putItem.js";
import query from "dynalite/actions/query.js";
import scan from "dynalite/actions/scan.js";
import updateItem from "dynalite/actions/updateItem.js";
import type { Action, Data } from "dynalite/db/index.js";
import * as batchGetItemRequest from "dynalite/validations/batchGetItem.js";
import * as batchWriteItemRequest from "dynalite/validations/batchWriteItem.js";
import * as createTableRequest from "dynalite/validations/createTable.js";
import * as deleteItemRequest from "dynalite/validations/deleteItem.js";
import * as deleteTableRequest from "dynalite/validations/deleteTable.js";
import * as describeTableRequest from "dynalite/validations/describeTable.js";
import * as getItemRequest from "dynalite/validations/getItem.js";
import * as listTablesRequest from "dynalite/validations/listTables.js";
import * as putItemRequest from "dynalite/validations/putItem.js";
import * as queryRequest from "dynalite/validations/query.js";
import * as scanRequest from "dynalite/validations/scan.js";
import * as updateItemRequest from "dynalite/validations/updateItem.js";
import * as z from "zod";
import { parseJson } from "../../core/error.ts";
import { bind, type LocalServer } from "../stand-in.ts";
import { type Database, findItemId, openDatabase, runWrite } from "./database.ts";
import type { DatabaseOptions } from "./index.ts";
import { cacheExpressions, checkRequest, type RequestShape, returnOldItem } from "./request.ts";
import { type ApiFailure, ItemTarget, readFailure, run, runConditionally } from "./store.ts";
import { forgetTokens, transactWriteItems } from "./transact-write.ts";
import { transactGetItems } from "./transaction.ts";

/**
 * Starts the database in this process. The database has dynalite's tables, indexes and expressions, plus two features that dynalite lacks:
 * transactions, and the return of an item when a condition fails. The database does not delete expired items (time to live).
 * @throws Error if another process uses the directory
 */
export async function startEmbedded(options: DatabaseOptions): Promise<LocalServer> {
  cacheExpressions();
  const database = await openDatabase(options);
  await forgetTokens(database.store, Math.floor(Date.now() / 1000));
  const server = await serve(database, options);
  return {
    endpoint: server.endpoint,
    async stop() {
      await server.stop();
      await database.store.db.close();
    },
  };
}

const maxRequestBytes = 16 * 1024 * 1024;
const contentType = "application/x-amz-json-1.0";
const targetPrefix = "DynamoDB_20120810.";

const Body = z.record(z.string(), z.unknown());

/**
 * A database can imitate faults by delayed answers. The values are the chance of a delay, and the delay in milliseconds, which is longer
 * than any client waits.
 */
const stallChance = 1 / 300;
const stallTime = 30_000;

/** Serves DynamoDB's JSON 1.0 protocol on 127.0.0.1. */
export async function serve(
  database: Database,
  { rough }: Pick<DatabaseOptions, "rough"> = {},
): Promise<LocalServer> {
  const underWay = new Set<Promise<void>>();
  const stopping = new AbortController();
  const stall = async () => {
    if (rough?.chance(stallChance) !== true) return;
    await delay(stallTime, undefined, { signal: stopping.signal }).catch(() => undefined);
  };
  const server = createServer((request, response) => {
    const handled = handle(database, request, response, stall).finally(() => underWay.delete(handled));
    underWay.add(handled);
  });
  return {
    endpoint: `http://127.0.0.1:${await bind(server, 0)}`,
    async stop() {
      const closed = once(server, "close");
      server.close();
      stopping.abort();
      await Promise.all(underWay);
      server.closeAllConnections();
      await closed;
    },
  };
}

async function handle(
  database: Database,
  request: IncomingMessage,
  response: ServerResponse,
  stall: () => Promise<void>,
): Promise<void> {
  try {
    if (request.method === "GET")
      return sendText(response, 200, "healthy: dynamodb.us-east-1.amazonaws.com ");
    // A browser page cannot send DynamoDB's `content-type` and `authorization` headers without a preflight request, which this server never
    // allows.
    if (request.headers["content-type"] !== contentType) return sendFailure(response, unknownOperation);
    if (!request.headers.authorization?.startsWith("AWS4-")) return sendFailure(response, noToken);
    const operation = operations.get(readActionName(request));
    if (operation === undefined) return sendFailure(response, unknownOperation);
    const text = await readBody(request);
    if (text === undefined) return sendFailure(response, tooLarge);
    // Malformed JSON gets the same answer as a body that is no object.
    const body = Body.safeParse(parseJson(text));
    if (!body.success) return sendFailure(response, noSerialization);
    const answer = await operation(database, body.data, text);
    await stall();
    sendText(response, 200, JSON.stringify(answer === "" ? {} : answer));
  } catch (error) {
    if (!request.complete) {
      // The request is incomplete if the client disconnects while it sends the request.
      response.destroy();
      return;
    }
    const failure = readFailure(error);
    if (failure === undefined) console.error("The database failed at a request.", error);
    sendFailure(response, failure ?? internal);
  }
}

function readActionName(request: IncomingMessage): string {
  const target = String(request.headers["x-amz-target"]);
  return target.startsWith(targetPrefix) ? target.slice(targetPrefix.length) : "";
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
  request.on("data", (chunk: Uint8Array) => {
    bytes += chunk.length;
    if (bytes <= maxRequestBytes) chunks.push(chunk);
  });
  request.on("end", () => resolve(bytes > maxRequestBytes ? undefined : Buffer.concat(chunks).toString()));
  request.on("error", reject);
  return promise;
}

function sendFailure(response: ServerResponse, { statusCode, body }: ApiFailure): void {
  sendText(response, statusCode, JSON.stringify(body));
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    "Content-Type": contentType,
    "Content-Length": Buffer.byteLength(text),
    "x-amzn-RequestId": randomBytes(26).toString("hex").toUpperCase(),
    "x-amz-crc32": String(crc32(text)),
  });
  response.end(text);
}

const unknownOperation = makeFailure("UnknownOperationException", 400, "An unknown operation was requested.");
const noSerialization = makeFailure("SerializationException", 400, "The body is not a JSON object.");
const noToken = makeFailure(
  "MissingAuthenticationTokenException",
  400,
  "Request is missing Authentication Token",
);
const tooLarge = makeFailure("RequestEntityTooLargeException", 413, "The request exceeds 16 MiB.");
const internal = makeFailure("InternalServerError", 500, "The database failed; its log says why.");

function makeFailure(type: string, statusCode: number, message: string): ApiFailure {
  return { statusCode, body: { __type: `com.amazon.coral.service#${type}`, message } };
}

export type DatabaseOperation = (database: Database, body: Data, text: string) => Promise<unknown>;

const operations: ReadonlyMap<string, DatabaseOperation> = new Map([
  ["GetItem", makeLaggingOperation(getItem, getItemRequest)],
  ["BatchGetItem", makeLaggingOperation(batchGetItem, batchGetItemRequest)],
  ["Query", makeLaggingOperation(query, queryRequest)],
  ["Scan", makeLaggingOperation(scan, scanRequest)],
  ["PutItem", makeConditionalWrite(putItem, putItemRequest)],
  ["UpdateItem", makeConditionalWrite(updateItem, updateItemRequest)],
  ["DeleteItem", makeConditionalWrite(deleteItem, deleteItemRequest)],
  ["BatchWriteItem", makeWrite(batchWriteItem, batchWriteItemRequest)],
  ["TransactWriteItems", transactWriteItems],
  ["TransactGetItems", transactGetItems],
  ["CreateTable", makeTableOperation(createTable, createTableRequest)],
  ["DeleteTable", makeTableOperation(deleteTable, deleteTableRequest)],
  ["DescribeTable", readOperation(describeTable, describeTableRequest)],
  ["ListTables", readOperation(listTables, listTablesRequest)],
]);

function readOperation(action: Action, shape: RequestShape): DatabaseOperation {
  return ({ store }, body) => run(action, store, checkRequest(shape, body, store));
}

/** A read that may return an item in an older version. */
function makeLaggingOperation(action: Action, shape: RequestShape): DatabaseOperation {
  return ({ store, history }, body) => {
    const data = checkRequest(shape, body, store);
    return run(action, history?.findVisibleStore(data) ?? store, data);
  };
}

function makeWrite(action: Action, shape: RequestShape): DatabaseOperation {
  return (database, body) => {
    const data = checkRequest(shape, body, database.store);
    return runWrite(database, (stage) => run(action, stage.store, data));
  };
}

function makeConditionalWrite(action: Action, shape: RequestShape): DatabaseOperation {
  const types = { ...shape.types, ReturnValuesOnConditionCheckFailure: returnOldItem };
  return (database, body) => {
    const data = checkRequest({ types, custom: shape.custom }, body, database.store);
    return runPlainWrite(database, ItemTarget.parse(data), () =>
      runWrite(database, (stage) => runConditionally(action, stage.store, data)),
    );
  };
}

async function runPlainWrite<T>(database: Database, target: ItemTarget, act: () => Promise<T>): Promise<T> {
  const item = await findItemId(database.store, target);
  return database.conflicts.runPlainWrite(item, async () => {
    await database.pause();
    return act();
  });
}

function makeTableOperation(action: Action, shape: RequestShape): DatabaseOperation {
  return (database, body) => {
    const data = checkRequest(shape, body, database.store);
    return runWrite(database, async (stage) => {
      const answer = await run(action, stage.store, data);
      await stage.tableSettled;
      const table = z.string().parse(data.TableName);
      stage.afterCommit.push(() => database.forgetTable(table));
      return answer;
    });
  };
}
