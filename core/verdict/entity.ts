import { Entity, type EntityConfiguration, type EntityItem } from "electrodb";

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
        /** Of a posted one. In the former form also of one that is sent, with the next three (`drainFormer`). */
        txHash: { type: "string" },
        rawTx: { type: "string" },
        nonce: { type: "number" },
        /** Hashes of transactions that the current one replaced; any of them may still be the one that lands. */
        replaced: { type: "list", items: { type: "string" } },
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

/** The auditor's key as it was recorded before there was one outbox (`drainFormer`). */
export function auditorEntity(configuration: EntityConfiguration) {
  return new Entity(
    {
      model: { service: "market", entity: "auditor", version: "1" },
      attributes: {
        address: { type: "string", required: true },
        /** Who holds the key, absent when it is free. */
        lease: { type: "string" },
        /** Milliseconds; who takes a lapsed lease first ends what the key has in flight. */
        leaseUntil: { type: "number" },
        /** The nonce that the next transaction takes unless the chain says more. */
        nextNonce: { type: "number", required: true },
        /** The press whose verdict is in flight, or may be. */
        inFlight: { type: "number" },
      },
      indexes: {
        byAddress: {
          pk: { field: "pk", composite: ["address"], casing: "none" },
          sk: { field: "sk", composite: [], casing: "none" },
        },
      },
    } as const,
    configuration,
  );
}
