import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { ClientRequest, createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { type AttributeValue, DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import * as z from "zod";
import { parseJson } from "../../core/error.ts";
import { readCorrelation } from "../../functions/lib/log.ts";
import * as runtime from "../../functions/lib/runtime.ts";
import { storage } from "../../functions/storage.ts";
import { platformMnemonic } from "../../local/devnet/accounts.ts";
import type { Service } from "../../local/service.ts";
import { setEnvironment } from "../../local/settings.ts";
import { type LocalServer, listen, makePartStarter } from "../../local/stand-in.ts";
import { openDevnetClient, startTestDevnet } from "../../tests/support/devnet.ts";
import { startTestService } from "../../tests/support/service.ts";
import { type Ledger, openLedger } from "./ledger.ts";

export type BenchService = Pick<Service, "origin" | "rpcUrl" | "stop"> &
  AsyncDisposable & { readonly ledger: Ledger };

/** An amount of wei that is larger than the amount that any benchmark spends. */
const wealth = 10n ** 20n;

/**
 * Starts the whole service on this machine and counts the requests that the service's functions send. The measured service has the same
 * number of relayers and the same log settings as a stage, and its chain makes blocks at the real chain's interval.
 */
export async function startBenchService(relayers: number, site?: string): Promise<BenchService> {
  const parts = makePartStarter();
  const ledger = openLedger();
  parts.atEnd(
    setEnvironment({
      RELAYER_MNEMONIC: platformMnemonic,
      RELAYER_COUNT: String(relayers),
      POWERTOOLS_LOG_LEVEL: "INFO",
      POWERTOOLS_METRICS_DISABLED: "false",
    }),
  );
  parts.atEnd(watchLogs(ledger));
  parts.atEnd(tagRequests(ledger));
  // The adapter of the relayers is made only once, at its first use. The next line makes the relayers' adapter now, because the service
  // will set `RELAYER_COUNT` to another number when it starts.
  const addresses = await runtime.measuredRelayers().addresses();
  const makeDetour = (watch: (endpoint: string) => RequestWatch) => async (endpoint: string) =>
    (await parts.start("proxy", () => startProxy(endpoint, watch(endpoint)))).endpoint;
  const countExecution: RequestWatch = async ({ by }) => {
    if (by !== undefined) ledger.add(by, { executions: 1 });
    return {};
  };
  try {
    const service = await parts.start("service", () =>
      startTestService({
        site,
        startChain: () => startTestDevnet({ blockTime: 100 }),
        detours: {
          database: makeDetour((endpoint) => watchTable(endpoint, ledger)),
          chain: makeDetour(() => watchChain(ledger)),
          workflows: makeDetour(() => countExecution),
        },
      }),
    );
    const chain = openDevnetClient(service.rpcUrl);
    for (const address of addresses) await chain.setBalance({ address, value: wealth });
    const { origin, rpcUrl } = service;
    return { origin, rpcUrl, ledger, stop: parts.stop, [Symbol.asyncDispose]: parts.stop };
  } catch (error) {
    await parts.stop();
    throw error;
  }
}

const Call = z.object({ method: z.string() });

function watchChain(ledger: Ledger): RequestWatch {
  return async ({ by, body }) => {
    if (by === undefined) return {};
    const calls = [z.union([z.array(Call), Call]).parse(JSON.parse(body))].flat();
    // Callers of the RPC relay signed their transactions themselves, so these transactions are not counted as the service's own.
    const own = by === "rpc" ? [] : calls.filter(({ method }) => method.startsWith("eth_sendRawTransaction"));
    ledger.add(by, { rpcTrips: 1, signatures: own.length });
    return {};
  };
}

/** A request on its way to a part of the service. */
type ServiceRequest = {
  /** The function that sent the request; `undefined` for requests of the runtime itself. */
  readonly by: string | undefined;
  readonly target: string | undefined;
  readonly body: string;
};

/**
 * A `RequestWatch` sees each request and can change the request's body. A `RequestWatch` can return a function that gets the reply to the
 * request.
 */
export type RequestWatch = (
  passing: ServiceRequest,
) => Promise<{ readonly body?: string; readonly answered?: (reply: string) => Promise<void> }>;

/** Starts a proxy in front of a part of the service. The proxy lets every request through. */
function startProxy(endpoint: string, watch: RequestWatch): Promise<LocalServer> {
  return listen(
    createServer((request, response) => {
      proxyRequest(endpoint, watch, request, response).catch((error: unknown) => {
        response.destroy(error instanceof Error ? error : new Error(String(error)));
      });
    }),
  );
}

async function proxyRequest(
  endpoint: string,
  watch: RequestWatch,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const raw = await buffer(request);
  const readHeader = (name: string) => [request.headers[name]].flat()[0];
  const { body = raw, answered } = await watch({
    by: readHeader(byHeader),
    target: readHeader("x-amz-target"),
    body: raw.toString(),
  });
  const dropped = new Set([byHeader, "host", "connection", "content-length", "transfer-encoding", "expect"]);
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    dropped.has(name) || value === undefined ? [] : [[name, String(value)] satisfies [string, string]],
  );
  const reply = await fetch(endpoint + request.url, {
    method: request.method ?? "GET",
    headers,
    ...(raw.length > 0 && { body: Buffer.from(body) }),
  });
  const bytes = Buffer.from(await reply.arrayBuffer());
  await answered?.(bytes.toString());
  response.writeHead(
    reply.status,
    [...reply.headers]
      .filter(
        ([name]) => !/^(connection|keep-alive|transfer-encoding|content-encoding|content-length)$/.test(name),
      )
      .flat(),
  );
  response.end(bytes);
}

/** The header that tells a proxy which function sent the request. */
const byHeader = "x-measured-function";

const SdkRequest = z.object({ request: z.instanceof(ClientRequest) });
/** `z.object` would copy the request, but the header must be set on the original request. */
const Fetch = z.object({
  request: z.custom<{ readonly addHeader: (name: string, value: string) => void }>(
    (request) => typeof request === "object" && request !== null && "addHeader" in request,
  ),
});

/**
 * Adds the function's id to every request that a function of this process sends. Once the returned callback has been called, new requests
 * get no function id. No proxy sees requests to queues, because queue clients use a queue's own address. Therefore `tagRequests` counts the
 * requests to queues.
 */
function tagRequests(ledger: Ledger): () => void {
  const markSdk = (message: unknown) => {
    const id = readCorrelation().function;
    if (id === undefined) return;
    const { request } = SdkRequest.parse(message);
    // An upload of a large file gets no function id: Node.js has already sent the headers of the upload, because the client first asks the
    // server for permission (`Expect`).
    if (request.headersSent) return;
    request.setHeader(byHeader, id);
    const isMessage = String(request.getHeader("x-amz-target")).startsWith("AmazonSQS.");
    if (isMessage) ledger.add(String(id), { messages: 1 });
  };
  const markFetch = (message: unknown) => {
    const id = readCorrelation().function;
    if (id !== undefined) Fetch.parse(message).request.addHeader(byHeader, String(id));
  };
  subscribe("http.client.request.created", markSdk);
  subscribe("undici:request:create", markFetch);
  return () => {
    unsubscribe("http.client.request.created", markSdk);
    unsubscribe("undici:request:create", markFetch);
  };
}

/** Bytes that CloudWatch Logs counts for each event in addition to its text. */
const eventOverhead = 26;

const Line = z.looseObject({ function: z.string() });

/**
 * Removes the functions' log lines and metrics from this process's output, and counts the removed bytes, until the returned callback is
 * called. All output other than the functions' log lines and metrics is written as usual.
 */
function watchLogs(ledger: Ledger): () => void {
  const { stdout, stderr } = process;
  const restore = [stdout, stderr].map((stream) => {
    const write = stream.write.bind(stream);
    stream.write = (chunk: string | Uint8Array, ...rest: never[]) => {
      const others = String(chunk)
        .split("\n")
        .filter((line) => line === "" || !countLine(line, ledger));
      return others.every((line) => line === "") ? true : write(chunk, ...rest);
    };
    return () => {
      stream.write = write;
    };
  });
  return () => {
    for (const undo of restore) undo();
  };
}

function countLine(line: string, ledger: Ledger): boolean {
  if (!line.startsWith("{")) return false;
  const parsed = Line.safeParse(parseJson(line));
  if (!parsed.success) return false;
  ledger.add(parsed.data.function, { logBytes: Buffer.byteLength(line) + eventOverhead });
  return true;
}

const Value = z.custom<AttributeValue>((value) => typeof value === "object" && value !== null);
const Keyed = z.object({
  TableName: z.string(),
  Key: z.record(z.string(), Value).optional(),
  Item: z.record(z.string(), Value).optional(),
});
const Transaction = z.object({
  TransactItems: z.array(
    z.object({
      Put: Keyed.optional(),
      Update: Keyed.optional(),
      Delete: Keyed.optional(),
      ConditionCheck: Keyed.optional(),
    }),
  ),
});
const Consumed = z.object({ CapacityUnits: z.number() });
const Answer = z.object({ ConsumedCapacity: z.union([Consumed, z.array(Consumed)]).optional() });

const singleWrites = ["PutItem", "UpdateItem", "DeleteItem"];
const reads = ["GetItem", "BatchGetItem", "Query", "TransactGetItems"];

/**
 * Counts requests to the table and their units. The stand-in database reports read units. Write units are computed from the items before
 * and after the write, because the stand-in does not bill indexes.
 */
function watchTable(endpoint: string, ledger: Ledger): RequestWatch {
  const client = new DynamoDBClient({ endpoint });
  const read = async ({
    TableName,
    Key,
    Item: put,
  }: z.infer<typeof Keyed>): Promise<TableItem | undefined> => {
    const { [storage.partitionKey]: pk, [storage.sortKey]: sk } = Key ?? put ?? {};
    if (pk === undefined || sk === undefined) throw new TypeError("A change names no key");
    const found = await client.send(new GetItemCommand({ TableName, Key: { pk, sk }, ConsistentRead: true }));
    return found.Item;
  };
  return async ({ by, target, body }) => {
    const operation = target?.split(".")[1] ?? "";
    if (by === undefined) return {};
    if (reads.includes(operation)) {
      const asked = Object.assign(z.looseObject({}).parse(JSON.parse(body)), {
        ReturnConsumedCapacity: "TOTAL",
      });
      return {
        body: JSON.stringify(asked),
        answered: async (reply) => {
          const used = [Answer.parse(JSON.parse(reply)).ConsumedCapacity ?? []].flat();
          const told = used.reduce((sum, { CapacityUnits }) => sum + CapacityUnits, 0);
          // DynamoDB bills half a unit for a read that finds no item; the stand-in bills zero.
          const readUnits = Math.max(told, 0.5);
          ledger.add(by, { tableRequests: 1, readUnits });
        },
      };
    }
    const changes = listChanges(operation, body);
    const before = await Promise.all(changes.map(read));
    return {
      answered: async () => {
        const after = await Promise.all(changes.map(read));
        const countUnits = (_: unknown, index: number) =>
          countWriteUnits(before[index], after[index], operation === "TransactWriteItems");
        const units = changes.map(countUnits).reduce((sum, unit) => sum + unit, 0);
        ledger.add(by, { tableRequests: 1, writeUnits: units });
      },
    };
  };
}

function listChanges(operation: string, body: string): readonly z.infer<typeof Keyed>[] {
  const parsed: unknown = JSON.parse(body);
  if (singleWrites.includes(operation)) return [Keyed.parse(parsed)];
  if (operation !== "TransactWriteItems") throw new TypeError(`A function asks the table for ${operation}`);
  return Transaction.parse(parsed).TransactItems.flatMap(
    ({ Put, Update, Delete, ConditionCheck }) => Put ?? Update ?? Delete ?? ConditionCheck ?? [],
  );
}

export type TableItem = Readonly<Record<string, AttributeValue>>;

/** The size of an item in bytes, as DynamoDB bills it (developer guide, "DynamoDB item sizes and formats"). */
export function computeItemSize(item: TableItem): number {
  return Object.entries(item).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + computeValueSize(value),
    0,
  );
}

function computeValueSize(value: AttributeValue): number {
  if (value.S !== undefined) return Buffer.byteLength(value.S);
  if (value.N !== undefined) return Math.ceil(value.N.replace(/^-|\.|^0+|0+$/g, "").length / 2) + 1;
  if (value.L !== undefined) return value.L.reduce((sum, one) => sum + 1 + computeValueSize(one), 3);
  if (value.M !== undefined) return Object.keys(value.M).length + 3 + computeItemSize(value.M);
  if (value.BOOL !== undefined || value.NULL !== undefined) return 1;
  throw new TypeError(`The size of a table value of the kind ${Object.keys(value)} is not known`);
}

/**
 * The write units of one change to an item, including the units for the indexes. An index costs one write if it gains, loses or keeps a
 * changed item, and two writes if the item moves within the index. In a DynamoDB transaction, the write to the table costs twice the usual
 * units, but the writes to indexes cost the usual units.
 */
export function countWriteUnits(
  before: TableItem | undefined,
  after: TableItem | undefined,
  inTransaction: boolean,
): number {
  const own = computeWriteUnits(Math.max(computeSize(before), computeSize(after)));
  const changed = JSON.stringify(before) !== JSON.stringify(after);
  const ofIndexes = changed
    ? storage.indexes.reduce((sum, index) => sum + computeIndexUnits(before, after, index), 0)
    : 0;
  return own * (inTransaction ? 2 : 1) + ofIndexes;
}

function computeIndexUnits(
  before: TableItem | undefined,
  after: TableItem | undefined,
  index: (typeof storage.indexes)[number],
): number {
  const [was, is] = [before, after].map((item) => readIndexKey(item, index));
  if (was === is)
    return was === undefined ? 0 : computeWriteUnits(Math.max(computeSize(before), computeSize(after)));
  return (
    (was === undefined ? 0 : computeWriteUnits(computeSize(before))) +
    (is === undefined ? 0 : computeWriteUnits(computeSize(after)))
  );
}

function readIndexKey(
  item: TableItem | undefined,
  { partitionKey, sortKey }: (typeof storage.indexes)[number],
) {
  const [partition, sort] = [item?.[partitionKey]?.S, item?.[sortKey]?.S];
  return partition === undefined || sort === undefined ? undefined : `${partition}\n${sort}`;
}

function computeSize(item: TableItem | undefined): number {
  return item === undefined ? 0 : computeItemSize(item);
}

/** Each started kilobyte counts as one write unit, and an empty change counts as one unit. */
function computeWriteUnits(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / 1024));
}
