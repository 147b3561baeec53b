import { Entity, type EntityConfiguration } from "electrodb";

/** One audit of a press, whole. Numbered by the count that its run was; those that came to nothing leave gaps. */
export function auditEntity(configuration: EntityConfiguration) {
  return new Entity(
    {
      model: { service: "market", entity: "audit", version: "1" },
      attributes: {
        id: { type: "number", required: true, padding: { length: 12, char: "0" } },
        number: { type: "number", required: true, padding: { length: 3, char: "0" } },
        revision: { type: "number", required: true },
        /** The run that it came from: a step that is repeated finds its own work by it. */
        run: { type: "string", required: true },
        /** The stored report: parsed with `AuditReport` on the way out. */
        report: { type: "any", required: true },
        /** The publisher's answers to its findings, kept apart: the report's own bytes stay as they were stored. */
        disputes: {
          type: "list",
          items: {
            type: "map",
            properties: {
              issue: { type: "number", required: true },
              text: { type: "string", required: true },
              at: { type: "string", required: true },
            },
          },
        },
        /** How often the answers were changed. */
        disputeChanges: { type: "number" },
      },
      indexes: {
        byPress: {
          pk: { field: "pk", composite: ["id"], casing: "none" },
          sk: { field: "sk", composite: ["number"], casing: "none" },
        },
      },
    } as const,
    configuration,
  );
}
