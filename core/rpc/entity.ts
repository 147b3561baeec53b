import { Entity, type EntityConfiguration } from "electrodb";

/** What the calls of one address have cost in one window of its allowance. */
export function relayUseEntity(configuration: EntityConfiguration) {
  return new Entity(
    {
      model: { service: "market", entity: "relayUse", version: "1" },
      attributes: {
        address: { type: "string", required: true },
        /** Seconds since the epoch at which the window began. */
        window: { type: "number", required: true },
        used: { type: "number", required: true },
        expiresAt: { type: "number", required: true },
      },
      indexes: {
        byWindow: {
          pk: { field: "pk", composite: ["address", "window"], casing: "none" },
          sk: { field: "sk", composite: [], casing: "none" },
        },
      },
    } as const,
    configuration,
  );
}
