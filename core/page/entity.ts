import { Entity, type EntityConfiguration } from "electrodb";

/** How far all pages have been ordered anew since they came to look different. There is one. */
export function roundEntity(configuration: EntityConfiguration) {
  return new Entity(
    {
      model: { service: "market", entity: "round", version: "1" },
      attributes: {
        name: { type: ["pages"] as const, required: true },
        /** The look that the round gives them. */
        look: { type: "string", required: true },
        /** Where the list of live presses goes on; absent at its start and at its end. */
        cursor: { type: "string" },
        complete: { type: "boolean", required: true },
        /** ISO 8601. */
        changedAt: { type: "string", required: true },
      },
      indexes: {
        byName: {
          pk: { field: "pk", composite: ["name"], casing: "none" },
          sk: { field: "sk", composite: [], casing: "none" },
        },
      },
    } as const,
    configuration,
  );
}
