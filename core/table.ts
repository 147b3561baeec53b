import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { Service } from "electrodb";
import { auditEntity } from "./audit/entity.ts";
import { generationEntity, offerEntity } from "./draft/entity.ts";
import { marketEntity, marksEntity } from "./market/entity.ts";
import { mintEntity, mintedEntity, mintSlotEntity } from "./mint/entity.ts";
import {
  authorizationEntity,
  gasEntity,
  identifierEntity,
  settlementEntity,
  transferEntity,
} from "./payment/entity.ts";
import { agentEntity, bodyEntity, pressEntity, publisherEntity, runEntity } from "./press/entity.ts";
import { counterEntity, quotaEntity, spendEntity } from "./quota/entity.ts";
import { keyringEntity, relayerEntity } from "./relayer/entity.ts";
import { relayUseEntity } from "./rpc/entity.ts";
import { nonceEntity, sessionEntity } from "./session/entity.ts";
import { auditorEntity, verdictEntity } from "./verdict/entity.ts";
import { voteEntity } from "./vote/entity.ts";

/** The one table through the one ElectroDB service. */
export function openTable(client: DynamoDBDocumentClient, table: string) {
  repeatConflicts(client);
  const configuration = { client, table };
  return new Service(
    {
      agent: agentEntity(configuration),
      audit: auditEntity(configuration),
      auditor: auditorEntity(configuration),
      authorization: authorizationEntity(configuration),
      body: bodyEntity(configuration),
      counter: counterEntity(configuration),
      gas: gasEntity(configuration),
      generation: generationEntity(configuration),
      identifier: identifierEntity(configuration),
      keyring: keyringEntity(configuration),
      market: marketEntity(configuration),
      marks: marksEntity(configuration),
      mint: mintEntity(configuration),
      minted: mintedEntity(configuration),
      mintSlot: mintSlotEntity(configuration),
      nonce: nonceEntity(configuration),
      offer: offerEntity(configuration),
      press: pressEntity(configuration),
      publisher: publisherEntity(configuration),
      quota: quotaEntity(configuration),
      relayer: relayerEntity(configuration),
      relayUse: relayUseEntity(configuration),
      run: runEntity(configuration),
      session: sessionEntity(configuration),
      settlement: settlementEntity(configuration),
      spend: spendEntity(configuration),
      transfer: transferEntity(configuration),
      verdict: verdictEntity(configuration),
      vote: voteEntity(configuration),
    },
    configuration,
  );
}
export type Table = ReturnType<typeof openTable>;

/**
 * Has the client repeat a plain write that was refused because a transaction is at work on its item: nothing was
 * written. The SDK does not by itself. Transactions are repeated by `transact`.
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
    // Inside the client's own repeating.
    { step: "deserialize", priority: "high", name: "repeatConflicts", override: true },
  );
}
