import { Entity, type EntityConfiguration, type EntityItem } from "electrodb";
import { gsi2, model, primary } from "./keys.ts";

/** The one vote of a wallet on a press: its newest on the chain (specification §4.6, rule 3). */
export function voteEntity(configuration: EntityConfiguration) {
  return new Entity(
    {
      model: model("vote"),
      attributes: {
        pressId: { type: "number", required: true },
        wallet: { type: "string", required: true },
        value: { type: "number", required: true },
        /** Empty for none. */
        tag: { type: "string", required: true },
        txHash: { type: "string", required: true },
        /** Block and index of the transaction, padded so that later ones sort after earlier ones. */
        position: { type: "string", required: true },
        /** When it was cast: ISO 8601. */
        at: { type: "string", required: true },
        /** Whether the wallet had unlocked the press when the vote was recorded last. */
        reader: { type: "boolean" },
        /** Frozen facts of the press, for the history. */
        slug: { type: "string", required: true },
        headline: { type: "string", required: true },
        stock: { type: "string", required: true },
      },
      indexes: {
        byPress: primary(["pressId"], ["wallet"]),
        byVoter: gsi2(["wallet"], ["at", "position"]),
      },
    } as const,
    configuration,
  );
}
export type VoteItem = EntityItem<ReturnType<typeof voteEntity>>;

/** The auditor's word on a live press, on its way to the chain or there. */
export function verdictEntity(configuration: EntityConfiguration) {
  return new Entity(
    {
      model: { service: "market", entity: "verdict", version: "1" },
      attributes: {
        /** The press. */
        id: { type: "number", required: true, padding: { length: 12, char: "0" } },
        /** `sent` is in a stored transaction; `refused` was never sent, or was reverted (record.ts). */
        state: { type: ["sent", "posted", "refused"] as const, required: true },
        /** The wallet that speaks. */
        auditor: { type: "string", required: true },
        /** The feedback file, whose bytes the chain has the hash of; absent of what was refused. */
        file: { type: "string" },
        /** The stored transaction that it is in, while it is sent (core/relayer). */
        transaction: { type: "string" },
        /** Of a posted one. */
        txHash: { type: "string" },
        /** Why it was refused, as the registry said it. */
        reason: { type: "string" },
        /** ISO 8601. */
        changedAt: { type: "string", required: true },
      },
      indexes: {
        byPress: {
          pk: { field: "pk", composite: ["id"], casing: "none" },
          sk: { field: "sk", composite: [], casing: "none" },
        },
      },
    } as const,
    configuration,
  );
}
export type VerdictItem = EntityItem<ReturnType<typeof verdictEntity>>;
