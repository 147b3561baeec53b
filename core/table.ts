import { BatchGetCommand, type DynamoDBDocumentClient, TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { createConversions, createGetTransaction, createWriteTransaction, Entity, Service } from "electrodb";
import * as z from "zod";
import * as Follow from "./record/follow.ts";
import * as Market from "./record/market.ts";
import * as Payment from "./record/payment.ts";
import * as Press from "./record/press.ts";
import * as Relayer from "./record/relayer.ts";
import * as Views from "./record/views.ts";
import * as Wallet from "./record/wallet.ts";
import { makeWrites } from "./record/write.ts";
import * as Writing from "./record/writing.ts";
import { openTurns } from "./turn.ts";

/**
 * Opens the table. `findCaller` returns a value that identifies the running function. Writes of different functions never share a
 * transaction, because each function has its own permissions.
 */
export function openTable(
  client: DynamoDBDocumentClient,
  table: string,
  findCaller: () => unknown = () => undefined,
) {
  retryOnConflict(client);
  retryUnansweredKeys(client);
  const configuration = { client, table };
  const entities = makeLazily({
    agent: () => new Entity(Press.agentRecord, configuration),
    answer: () => new Entity(Writing.answerRecord, configuration),
    audit: () => new Entity(Press.auditRecord, configuration),
    authorization: () => new Entity(Payment.authorizationRecord, configuration),
    body: () => new Entity(Press.bodyRecord, configuration),
    byline: () => new Entity(Press.bylineRecord, configuration),
    counter: () => new Entity(Wallet.counterRecord, configuration),
    feedToken: () => new Entity(Follow.feedTokenRecord, configuration),
    follow: () => new Entity(Follow.followRecord, configuration),
    follower: () => new Entity(Follow.followerRecord, configuration),
    followers: () => new Entity(Follow.followersRecord, configuration),
    followList: () => new Entity(Follow.followListRecord, configuration),
    fundsChange: () => new Entity(Wallet.fundsChangeRecord, configuration),
    gas: () => new Entity(Relayer.gasRecord, configuration),
    generation: () => new Entity(Writing.generationRecord, configuration),
    identifier: () => new Entity(Payment.identifierRecord, configuration),
    keyring: () => new Entity(Relayer.keyringRecord, configuration),
    listedSession: () => new Entity(Wallet.listedSessionRecord, configuration),
    manuscript: () => new Entity(Writing.manuscriptRecord, configuration),
    manuscriptNames: () => new Entity(Writing.manuscriptNamesRecord, configuration),
    manuscriptText: () => new Entity(Writing.manuscriptTextRecord, configuration),
    market: () => new Entity(Market.marketRecord, configuration),
    marks: () => new Entity(Market.marksRecord, configuration),
    mint: () => new Entity(Press.mintRecord, configuration),
    minted: () => new Entity(Press.mintedRecord, configuration),
    mintSlot: () => new Entity(Press.mintSlotRecord, configuration),
    errand: () => new Entity(Wallet.errandRecord, configuration),
    nonce: () => new Entity(Wallet.nonceRecord, configuration),
    offer: () => new Entity(Writing.offerRecord, configuration),
    overview: () => new Entity(Market.overviewRecord, configuration),
    press: () => new Entity(Press.pressRecord, configuration),
    profile: () => new Entity(Press.profileRecord, configuration),
    privateFeed: () => new Entity(Follow.privateFeedRecord, configuration),
    publisher: () => new Entity(Press.publisherRecord, configuration),
    push: () => new Entity(Follow.pushRecord, configuration),
    pushOwner: () => new Entity(Follow.pushOwnerRecord, configuration),
    quota: () => new Entity(Wallet.quotaRecord, configuration),
    receipt: () => new Entity(Payment.receiptRecord, configuration),
    relayer: () => new Entity(Relayer.relayerRecord, configuration),
    relayUse: () => new Entity(Wallet.relayUseRecord, configuration),
    run: () => new Entity(Press.runRecord, configuration),
    series: () => new Entity(Market.seriesRecord, configuration),
    session: () => new Entity(Wallet.sessionRecord, configuration),
    settlement: () => new Entity(Payment.settlementRecord, configuration),
    spend: () => new Entity(Wallet.spendRecord, configuration),
    transaction: () => new Entity(Relayer.transactionRecord, configuration),
    transfer: () => new Entity(Payment.transferRecord, configuration),
    unpaid: () => new Entity(Payment.unpaidRecord, configuration),
    verdict: () => new Entity(Press.verdictRecord, configuration),
    viewFile: () => new Entity(Views.viewFileRecord, configuration),
    views: () => new Entity(Views.viewsRecord, configuration),
    vote: () => new Entity(Press.voteRecord, configuration),
  });
  const transaction: Service<typeof entities>["transaction"] = {
    get: (work) => createGetTransaction(entities, work),
    write: (work) => createWriteTransaction(entities, work),
  };
  // ElectroDB can send a transaction only if at least one entity already exists, so the entity `nonce` is made here.
  void entities.nonce;
  const read = makeBatchReader(client, table);
  /** Builds writes faster than ElectroDB does. The fast writes are used for the records that each payment writes. */
  const writes = {
    authorization: makeWrites(Payment.authorizationRecord, table),
    settlement: makeWrites(Payment.settlementRecord, table),
    transfer: makeWrites(Payment.transferRecord, table),
  };
  return {
    entities,
    collections: makeLazily({
      author: () => {
        const { press, profile } = entities;
        return new Service({ press, profile }, configuration).collections.author;
      },
    }),
    transaction,
    together: read,
    joined: batchReads(read),
    write: batchWrites(client, findCaller),
    writes,
    /**
     * Builds the parameters of the reads for `together`. An entity's `get` needs six times as long to build the same parameters. Used for
     * the records that each payment reads.
     */
    gets: makeLazily({
      agent: () => makeGet(createConversions(entities.agent).byAccessPattern.byPressId),
      gas: () => makeGet(createConversions(entities.gas).byAccessPattern.byDay),
      identifier: () => makeGet(createConversions(entities.identifier).byAccessPattern.byName),
      relayer: () => makeGet(createConversions(entities.relayer).byAccessPattern.byAddress),
      session: () => makeGet(createConversions(entities.session).byAccessPattern.byToken),
      settlement: () => makeGet(createConversions(entities.settlement).byAccessPattern.byPayer),
      unpaid: () => makeGet(createConversions(entities.unpaid).byAccessPattern.byNonce),
    }),
  };
}
export type Table = ReturnType<typeof openTable>;

/**
 * An object whose parts are made at their first use. ElectroDB checks a record's definition when the record's entity is made. Checking a
 * definition takes milliseconds, and each function uses only a few of the records. ElectroDB's transactions use every enumerable entity, so
 * a part becomes enumerable only at its first use.
 */
function makeLazily<Makers extends Readonly<Record<string, () => unknown>>>(makers: Makers) {
  const parts = {};
  for (const [name, make] of Object.entries(makers)) {
    const get = () => {
      const value = make();
      Object.defineProperty(parts, name, { value, enumerable: true });
      return value;
    };
    Object.defineProperty(parts, name, { get, configurable: true });
  }
  return z.custom<{ readonly [Name in keyof Makers]: ReturnType<Makers[Name]> }>().parse(parts);
}

type Index<Composite> = {
  readonly fromComposite: { toKeys(composite: Composite, options: { readonly strict: "all" }): unknown };
};

/** Throws if a part of the key is missing. */
function makeGet<Composite>({ fromComposite }: Index<Composite>) {
  return (composite: Composite) => ({ Key: fromComposite.toKeys(composite, { strict: "all" }) });
}

/**
 * Makes the client retry a single write that was refused because of a transaction on the same item. A refused write has changed nothing,
 * and the SDK itself does not retry it. The function `transact` retries transactions.
 */
function retryOnConflict({ middlewareStack }: DynamoDBDocumentClient): void {
  middlewareStack.add(
    (next) => async (request) => {
      try {
        return await next(request);
      } catch (error) {
        const isConflict = error instanceof Error && error.name === "TransactionConflictException";
        throw isConflict ? Object.assign(error, { $retryable: { throttling: false } }) : error;
      }
    },
    // The client runs this middleware again for each of the client's own retries.
    { step: "deserialize", priority: "high", name: "repeatConflicts", override: true },
  );
}

const Batch = z.looseObject({
  Responses: z.record(z.string(), z.array(z.unknown())).default({}),
  UnprocessedKeys: z.record(z.string(), z.unknown()).default({}),
});

/** The maximum number of retries for keys that a busy table has left unanswered. */
const mostRounds = 8;

/**
 * Makes the client ask again for the keys that a BatchGetItem has left unanswered. If keys are left unanswered, DynamoDB still answers with
 * success, so the unanswered items would seem to be missing. Throws a `ThrottlingException` after too many retries.
 */
function retryUnansweredKeys({ middlewareStack }: DynamoDBDocumentClient): void {
  middlewareStack.add(
    (next) => async (request) => {
      const answer = await next(request);
      if (!("UnprocessedKeys" in answer.output)) return answer;
      const { Responses, ...first } = Batch.parse(answer.output);
      let left = first.UnprocessedKeys;
      for (let round = 1; Object.keys(left).length > 0; round += 1) {
        if (round > mostRounds) {
          const error = new Error("The table left keys of a read unanswered");
          throw Object.assign(error, { name: "ThrottlingException" });
        }
        const input = Object.assign({}, request.input, { RequestItems: left });
        const more = Batch.parse((await next({ ...request, input })).output);
        for (const [table, items] of Object.entries(more.Responses))
          Responses[table] = [...(Responses[table] ?? []), ...items];
        left = more.UnprocessedKeys;
      }
      Object.assign(answer.output, { Responses, UnprocessedKeys: left });
      return answer;
    },
    { step: "initialize", priority: "high", name: "repeatUnansweredKeys", override: true },
  );
}

const Params = z.object({ Key: z.object({ pk: z.string(), sk: z.string() }) });
type RawItem = Record<string, unknown>;

const nameKey = ({ pk, sk }: z.infer<typeof Params>["Key"]) => `${pk}\n${sk}`;

/**
 * Reads items of any entities in one consistent request. Each requested item is given by the parameters of its entity's `get`. Unlike a
 * transaction of reads, this request is never cancelled by a concurrent write, but the items may have been read at different moments.
 * Returns the items in the given order, with `undefined` for a missing item. An entity's `parse` converts each item.
 */
function makeBatchReader(client: DynamoDBDocumentClient, table: string) {
  return async (gets: readonly unknown[]): Promise<readonly ({ readonly Item: RawItem } | undefined)[]> => {
    const keys = gets.map((get) => Params.parse(get).Key);
    const found = new Map<string, RawItem>();
    const Keys = [...new Map(keys.map((key) => [nameKey(key), key])).values()];
    if (Keys.length === 0) return [];
    const { Responses = {} } = await client.send(
      new BatchGetCommand({ RequestItems: { [table]: { Keys, ConsistentRead: true } } }),
    );
    for (const item of Responses[table] ?? []) found.set(nameKey(Params.shape.Key.parse(item)), item);
    return keys.map((key) => {
      const Item = found.get(nameKey(key));
      return Item === undefined ? undefined : { Item };
    });
  };
}

type BatchRead = ReturnType<typeof makeBatchReader>;

/** The maximum number of keys in a request to DynamoDB. */
const mostKeys = 100;

/**
 * Reads items as the reader from `makeBatchReader` does, but combines the reads that all callers make in one turn of the event loop into
 * one request. With many callers, the joined request saves many requests to the table. If the shared request fails, each caller reads again
 * in a separate request, because the keys of another caller may be the cause.
 */
function batchReads(read: BatchRead): BatchRead {
  const join = openTurns(read);
  return async (own) => {
    const { asked, first, answer } = join(own, (others) => others.length + own.length <= mostKeys);
    try {
      return (await answer).slice(first, first + own.length);
    } catch (error) {
      if (asked.length === own.length) throw error;
      return read(own);
    }
  };
}

/** The outcome of a transaction. If the transaction was cancelled, `data` has DynamoDB's reason for each write. */
export type TransactionOutcome = {
  readonly canceled: boolean;
  readonly data: readonly { readonly code?: string | undefined }[];
};

type TransactItems = NonNullable<TransactWriteCommand["input"]["TransactItems"]>;
/** Gives the SDK's type to the writes that ElectroDB has built. */
const TransactItems = z.custom<TransactItems>();

const Canceled = z.object({
  name: z.literal("TransactionCanceledException"),
  CancellationReasons: z.array(z.object({ Code: z.string().optional() })),
});
/** An error with which DynamoDB says that it has written nothing. */
const Refused = z.object({ $fault: z.literal("client") });

/**
 * All writes of one caller are made in one transaction. Requests of one function in the same turn of the event loop share a transaction,
 * unless they write the same record. If the shared transaction is refused, each caller gets a transaction of its own, because the writes of
 * another caller may be the cause (invariant 9).
 */
function batchWrites(client: DynamoDBDocumentClient, findCaller: () => unknown) {
  const send = async (items: TransactItems): Promise<TransactionOutcome> => {
    try {
      await client.send(new TransactWriteCommand({ TransactItems: items }));
      return { canceled: false, data: [] };
    } catch (error) {
      const { data } = Canceled.safeParse(error);
      if (data === undefined) throw error;
      return { canceled: true, data: data.CancellationReasons.map(({ Code }) => ({ code: Code })) };
    }
  };
  type Write = { readonly item: TransactItems[number]; readonly key: string; readonly caller: unknown };
  const join = openTurns((writes: readonly Write[]) => send(writes.map(({ item }) => item)));
  return async (built: unknown): Promise<TransactionOutcome> => {
    const items = TransactItems.parse(built);
    const caller = findCaller();
    const own = items.map((item) => {
      const { Put, Update, Delete, ConditionCheck } = item;
      const key = Params.shape.Key.parse(Put?.Item ?? (Update ?? Delete ?? ConditionCheck)?.Key);
      return { item, key: nameKey(key), caller };
    });
    const keys = new Set(own.map(({ key }) => key));
    const { asked, answer } = join(
      own,
      (others) =>
        others.length + own.length <= mostKeys &&
        others.every((other) => other.caller === caller && !keys.has(other.key)),
    );
    try {
      const shared = await answer;
      if (!shared.canceled || asked.length === own.length) return shared;
    } catch (error) {
      if (asked.length === own.length || !Refused.safeParse(error).success) throw error;
    }
    return send(items);
  };
}
