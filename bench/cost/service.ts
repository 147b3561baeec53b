import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { ClientRequest, createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { type AttributeValue, DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import * as z from "zod";
import { correlation } from "../../functions/lib/log.ts";
import * as runtime from "../../functions/lib/runtime.ts";
import { storage } from "../../functions/storage.ts";
import { platformMnemonic } from "../../local/devnet/accounts.ts";
import type { Service } from "../../local/service.ts";
import { setEnvironment } from "../../local/settings.ts";
import { type Listening, listen, makeParts } from "../../local/stand-in.ts";
import { devnetClient, startTestDevnet } from "../../tests/support/devnet.ts";
import { startTestService } from "../../tests/support/service.ts";
import { type Ledger, openLedger, type Usage } from "./ledger.ts";

export type Measured = Pick<Service, "origin" | "rpcUrl"> & {
  readonly ledger: Ledger;
  readonly stop: () => Promise<void>;
};

/** As many wei as no bench uses up. */
const wealth = 10n ** 20n;

/**
 * The whole service on this machine, every request of its functions counted on its way, with as many relayers as a stage
 * has, blocks as far apart as the chain's, and the logs of a stage.
 */
export async function startMeasured(relayers: number, site?: string): Promise<Measured> {
  const parts = makeParts();
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
  parts.atEnd(markRequests(ledger));
  // Before the service says how many the devnet has: functions keep the ports that they were given first.
  const addresses = await runtime.relayers().addresses();
  const through = (watch: (endpoint: string) => Watch) => async (endpoint: string) =>
    (await parts.start("proxy", () => startProxy(endpoint, watch(endpoint)))).endpoint;
  const counting = (used: Partial<Usage>) =>
    through(() => async ({ by }) => {
      if (by !== undefined) ledger.add(by, used);
      return {};
    });
  try {
    const service = await parts.start("service", () =>
      startTestService({
        site,
        startChain: () => startTestDevnet({ blockTime: 100 }),
        detours: {
          database: through((endpoint) => watchTable(endpoint, ledger)),
          chain: through(() => watchChain(ledger)),
          workflows: counting({ executions: 1 }),
          files: counting({ fileRequests: 1 }),
        },
      }),
    );
    const chain = devnetClient(service.rpcUrl);
    for (const address of addresses) await chain.setBalance({ address, value: wealth });
    return { origin: service.origin, rpcUrl: service.rpcUrl, ledger, stop: parts.stop };
  } catch (error) {
    await parts.stop();
    throw error;
  }
}

const Call = z.object({ method: z.string() });

function watchChain(ledger: Ledger): Watch {
  return async ({ by, body }) => {
    if (by === undefined) return {};
    const calls = [z.union([z.array(Call), Call]).parse(JSON.parse(body))].flat();
    // What others send through the relay they have signed themselves.
    const own = by === "rpc" ? [] : calls.filter(({ method }) => method.startsWith("eth_sendRawTransaction"));
    ledger.add(by, { rpcTrips: 1, rpcCalls: calls.length, signatures: own.length });
    return {};
  };
}

/** One request on its way to a part of the service. */
type Passing = {
  /** The function that sent it; nobody for what the runtime itself asks. */
  readonly by: string | undefined;
  readonly target: string | undefined;
  readonly body: string;
};

/** Sees a request before it goes on, and may change its body; what it answers sees the reply. */
export type Watch = (
  passing: Passing,
) => Promise<{ readonly body?: string; readonly answered?: (reply: string) => Promise<void> }>;

/** Stands before a part and lets everything through. */
function startProxy(endpoint: string, watch: Watch): Promise<Listening> {
  return listen(
    createServer((request, response) => {
      pass(endpoint, watch, request, response).catch((error: unknown) => {
        response.destroy(error instanceof Error ? error : new Error(String(error)));
      });
    }),
    0,
  );
}

async function pass(endpoint: string, watch: Watch, request: IncomingMessage, response: ServerResponse) {
  const raw = await buffer(request);
  const header = (name: string) => [request.headers[name]].flat()[0];
  const { body = raw, answered } = await watch({
    by: header(byHeader),
    target: header("x-amz-target"),
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

/** Carries to a proxy whose request it is. */
const byHeader = "x-measured-function";

const SdkRequest = z.object({ request: z.instanceof(ClientRequest) });
/** The request itself, and no copy of it: the header has to be its own. */
const Fetch = z.object({
  request: z.custom<{ readonly addHeader: (name: string, value: string) => void }>(
    (request) => typeof request === "object" && request !== null && "addHeader" in request,
  ),
});

/**
 * Marks every request that a function of this process sends with the function's id, until it is told to stop. Those to
 * queues are counted here: their clients go to a queue's own address, past any proxy.
 */
function markRequests(ledger: Ledger): () => void {
  const markSdk = (message: unknown) => {
    const id = correlation().function;
    if (id === undefined) return;
    const { request } = SdkRequest.parse(message);
    request.setHeader(byHeader, id);
    const isMessage = String(request.getHeader("x-amz-target")).startsWith("AmazonSQS.");
    if (isMessage) ledger.add(String(id), { messages: 1 });
  };
  const markFetch = (message: unknown) => {
    const id = correlation().function;
    if (id !== undefined) Fetch.parse(message).request.addHeader(byHeader, String(id));
  };
  subscribe("http.client.request.created", markSdk);
  subscribe("undici:request:create", markFetch);
  return () => {
    unsubscribe("http.client.request.created", markSdk);
    unsubscribe("undici:request:create", markFetch);
  };
}

/** What CloudWatch Logs counts besides the text of each event. */
const eventOverhead = 26;

const Line = z.looseObject({ function: z.string(), ModelTokens: z.number().optional() });

/**
 * Takes the functions' lines, and the metrics in them, out of this process's output and counts them instead, until it is
 * told to stop. Everything else is written as ever.
 */
function watchLogs(ledger: Ledger): () => void {
  const { stdout, stderr } = process;
  const restore = [stdout, stderr].map((stream) => {
    const write = stream.write.bind(stream);
    stream.write = (chunk: string | Uint8Array, ...rest: never[]) => {
      const others = String(chunk)
        .split("\n")
        .filter((line) => line === "" || !counted(line, ledger));
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

function counted(line: string, ledger: Ledger): boolean {
  if (!line.startsWith("{")) return false;
  const parsed = Line.safeParse(parse(line));
  if (!parsed.success) return false;
  ledger.add(parsed.data.function, {
    logLines: 1,
    logBytes: Buffer.byteLength(line) + eventOverhead,
    modelTokens: parsed.data.ModelTokens ?? 0,
  });
  return true;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
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
 * Counts requests to the table and their units: those of reads as the database tells them, those of writes from the
 * items before and after, because the stand-in knows nothing of what indexes cost.
 */
function watchTable(endpoint: string, ledger: Ledger): Watch {
  const client = new DynamoDBClient({ endpoint });
  const read = async ({ TableName, Key, Item: put }: z.infer<typeof Keyed>): Promise<Item | undefined> => {
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
          // A read that finds nothing is half a unit in the cloud, and nothing to the stand-in.
          const readUnits = Math.max(told, 0.5);
          ledger.add(by, { tableRequests: 1, readUnits });
        },
      };
    }
    const changes = changesOf(operation, body);
    const before = await Promise.all(changes.map(read));
    return {
      answered: async () => {
        const after = await Promise.all(changes.map(read));
        const one = (_: unknown, index: number) =>
          writeUnits(before[index], after[index], operation === "TransactWriteItems");
        const units = changes.map(one).reduce((sum, unit) => sum + unit, 0);
        ledger.add(by, { tableRequests: 1, writeUnits: units });
      },
    };
  };
}

function changesOf(operation: string, body: string): readonly z.infer<typeof Keyed>[] {
  const parsed: unknown = JSON.parse(body);
  if (singleWrites.includes(operation)) return [Keyed.parse(parsed)];
  if (operation !== "TransactWriteItems") throw new TypeError(`A function asks the table for ${operation}`);
  return Transaction.parse(parsed).TransactItems.flatMap(
    ({ Put, Update, Delete, ConditionCheck }) => Put ?? Update ?? Delete ?? ConditionCheck ?? [],
  );
}

export type Item = Readonly<Record<string, AttributeValue>>;

/** Bytes of an item as DynamoDB bills them (developer guide, "DynamoDB item sizes and formats"). */
export function itemSize(item: Item): number {
  return Object.entries(item).reduce((sum, [name, value]) => sum + utf8(name) + valueSize(value), 0);
}

function valueSize(value: AttributeValue): number {
  if (value.S !== undefined) return utf8(value.S);
  if (value.N !== undefined) return Math.ceil(value.N.replace(/^-|\.|^0+|0+$/g, "").length / 2) + 1;
  if (value.L !== undefined) return value.L.reduce((sum, one) => sum + 1 + valueSize(one), 3);
  if (value.M !== undefined) return Object.keys(value.M).length + 3 + itemSize(value.M);
  if (value.BOOL !== undefined || value.NULL !== undefined) return 1;
  throw new TypeError(`The table holds nothing of the kind ${Object.keys(value)}`);
}

function utf8(text: string): number {
  return Buffer.byteLength(text);
}

/**
 * Write units of one change, with those of the indexes that it touches: an index costs one write where it gains, loses
 * or keeps an item that has changed, two where the item moves within it. In a transaction the table's own are doubled.
 */
export function writeUnits(
  before: Item | undefined,
  after: Item | undefined,
  inTransaction: boolean,
): number {
  const own = units(Math.max(sizeOf(before), sizeOf(after)));
  const changed = JSON.stringify(before) !== JSON.stringify(after);
  const ofIndexes = changed
    ? storage.indexes.reduce((sum, index) => sum + indexUnits(before, after, index), 0)
    : 0;
  return own * (inTransaction ? 2 : 1) + ofIndexes;
}

function indexUnits(
  before: Item | undefined,
  after: Item | undefined,
  index: (typeof storage.indexes)[number],
): number {
  const [was, is] = [before, after].map((item) => keyIn(item, index));
  if (was === is) return was === undefined ? 0 : units(Math.max(sizeOf(before), sizeOf(after)));
  return (was === undefined ? 0 : units(sizeOf(before))) + (is === undefined ? 0 : units(sizeOf(after)));
}

function keyIn(item: Item | undefined, { partitionKey, sortKey }: (typeof storage.indexes)[number]) {
  const [partition, sort] = [item?.[partitionKey]?.S, item?.[sortKey]?.S];
  return partition === undefined || sort === undefined ? undefined : `${partition}\n${sort}`;
}

function sizeOf(item: Item | undefined): number {
  return item === undefined ? 0 : itemSize(item);
}

/** A started kilobyte is one, and so is a change of nothing. */
function units(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / 1024));
}
