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
