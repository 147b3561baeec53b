import { BatchGetCommand, type DynamoDBDocumentClient, paginateQuery } from "@aws-sdk/lib-dynamodb";
import { Service } from "electrodb";
import * as z from "zod";
import { auditEntity } from "./record/audit.ts";
import { verdictEntity, voteEntity } from "./record/feedback.ts";
import { marketEntity, marksEntity, overviewEntity, seriesEntity } from "./record/market.ts";
import {
  authorizationEntity,
  identifierEntity,
  settlementEntity,
  transferEntity,
  unpaidEntity,
} from "./record/payment.ts";
import {
  agentEntity,
  bodyEntity,
  mintEntity,
  mintedEntity,
  mintSlotEntity,
  pressEntity,
  publisherEntity,
  runEntity,
} from "./record/press.ts";
import { receiptEntity } from "./record/receipt.ts";
import { gasEntity, keyringEntity, relayerEntity, transactionEntity } from "./record/relayer.ts";
import {
  counterEntity,
  fundsChangeEntity,
  listedSessionEntity,
  moveEntity,
  nonceEntity,
  quotaEntity,
  relayUseEntity,
  sessionEntity,
  spendEntity,
} from "./record/wallet.ts";
import {
  generationEntity,
  manuscriptEntity,
  manuscriptNamesEntity,
  manuscriptTextEntity,
  offerEntity,
} from "./record/writing.ts";

export function openTable(client: DynamoDBDocumentClient, table: string) {
  repeatConflicts(client);
  const configuration = { client, table };
  const service = new Service(
    {
      agent: agentEntity(configuration),
      audit: auditEntity(configuration),
      authorization: authorizationEntity(configuration),
      body: bodyEntity(configuration),
      counter: counterEntity(configuration),
      fundsChange: fundsChangeEntity(configuration),
      gas: gasEntity(configuration),
      generation: generationEntity(configuration),
      identifier: identifierEntity(configuration),
      keyring: keyringEntity(configuration),
      listedSession: listedSessionEntity(configuration),
      manuscript: manuscriptEntity(configuration),
      manuscriptNames: manuscriptNamesEntity(configuration),
      manuscriptText: manuscriptTextEntity(configuration),
      market: marketEntity(configuration),
      marks: marksEntity(configuration),
      mint: mintEntity(configuration),
      minted: mintedEntity(configuration),
      mintSlot: mintSlotEntity(configuration),
      move: moveEntity(configuration),
      nonce: nonceEntity(configuration),
      offer: offerEntity(configuration),
      overview: overviewEntity(configuration),
      press: pressEntity(configuration),
      publisher: publisherEntity(configuration),
      quota: quotaEntity(configuration),
      receipt: receiptEntity(configuration),
      relayer: relayerEntity(configuration),
      relayUse: relayUseEntity(configuration),
      run: runEntity(configuration),
      series: seriesEntity(configuration),
      session: sessionEntity(configuration),
      settlement: settlementEntity(configuration),
      spend: spendEntity(configuration),
      transaction: transactionEntity(configuration),
      transfer: transferEntity(configuration),
      unpaid: unpaidEntity(configuration),
      verdict: verdictEntity(configuration),
      vote: voteEntity(configuration),
    },
    configuration,
  );
  return Object.assign(service, {
    together: together(client, table),
    partition: partition(client, table),
  });
}
export type Table = ReturnType<typeof openTable>;

/**
 * Makes the client retry a single write that was refused because of a transaction on its item, when nothing was written. The SDK does not
 * do that itself. Transactions are retried by `transact`.
 */
function repeatConflicts({ middlewareStack }: DynamoDBDocumentClient): void {
  middlewareStack.add(
    (next) => async (request) => {
      try {
        return await next(request);
      } catch (error) {
        const isConflict = error instanceof Error && error.name === "TransactionConflictException";
        throw isConflict ? Object.assign(error, { $retryable: { throttling: false } }) : error;
      }
    },
    // Runs inside the client's own retries.
    { step: "deserialize", priority: "high", name: "repeatConflicts", override: true },
  );
}

const Params = z.object({ Key: z.object({ pk: z.string(), sk: z.string() }) });
type Item = Record<string, unknown>;

/** Retries for keys that a busy table left out. */
const mostRounds = 8;

/**
 * Reads items of any entities in one consistent request, given the parameters of their `get`s. Unlike a transaction of reads, it is never
 * cancelled by a concurrent write, but the items may be of different moments. Returns them in the given order, `undefined` for missing
 * ones. An entity's `parse` converts each.
 */
function together(client: DynamoDBDocumentClient, table: string) {
  return async (gets: readonly unknown[]): Promise<readonly ({ readonly Item: Item } | undefined)[]> => {
    const keys = gets.map((get) => Params.parse(get).Key);
    const name = ({ pk, sk }: { readonly pk: string; readonly sk: string }) => `${pk}\n${sk}`;
    const found = new Map<string, Item>();
    let asked: Record<string, unknown>[] = [...new Map(keys.map((key) => [name(key), key])).values()];
    for (let round = 0; asked.length > 0; round += 1) {
      if (round === mostRounds) throw new Error("The table leaves out keys again and again");
      const { Responses = {}, UnprocessedKeys = {} } = await client.send(
        new BatchGetCommand({ RequestItems: { [table]: { Keys: asked, ConsistentRead: true } } }),
      );
      for (const item of Responses[table] ?? []) found.set(name(Params.shape.Key.parse(item)), item);
      asked = UnprocessedKeys[table]?.Keys ?? [];
    }
    return keys.map((key) => {
      const Item = found.get(name(key));
      return Item === undefined ? undefined : { Item };
    });
  };
}

const Ask = z.object({
  IndexName: z.string(),
  ExpressionAttributeNames: z.record(z.string(), z.string()),
  ExpressionAttributeValues: z.record(z.string(), z.unknown()),
});
const Kind = z.object({ __edb_e__: z.string() });

/**
 * Reads all items of one index partition, of any entities, the highest sort key first: one request, and another for every further megabyte.
 * `query` is any entity's query of that partition. Returns the items by their entity's name.
 */
function partition(client: DynamoDBDocumentClient, table: string) {
  return async (query: unknown): Promise<ReadonlyMap<string, readonly { readonly Item: Item }[]>> => {
    const { IndexName, ExpressionAttributeNames, ExpressionAttributeValues } = Ask.parse(query);
    const pages = paginateQuery(
      { client },
      {
        TableName: table,
        IndexName,
        KeyConditionExpression: "#pk = :pk",
        ExpressionAttributeNames: { "#pk": ExpressionAttributeNames["#pk"] ?? "" },
        ExpressionAttributeValues: { ":pk": ExpressionAttributeValues[":pk"] },
        ScanIndexForward: false,
      },
    );
    const found = new Map<string, { readonly Item: Item }[]>();
    for await (const { Items = [] } of pages) {
      for (const Item of Items) {
        const { __edb_e__: name } = Kind.parse(Item);
        found.set(name, [...(found.get(name) ?? []), { Item }]);
      }
    }
    return found;
  };
}
