import { Entity, type EntityConfiguration } from "electrodb";

/**
 * What the source last said: the stock list, or one stock's quote. All times are milliseconds. One reader asks at a
 * time, until `askingUntil`; after a refusal nobody asks until `refusedUntil`.
 */
export function marketEntity(configuration: EntityConfiguration) {
  return new Entity(
    {
      model: { service: "market", entity: "market", version: "1" },
      attributes: {
        /** `stocks`, or `quote:` and the symbol. */
        name: { type: "string", required: true },
        /** Absent until the source has answered once; parsed where it is read. */
        value: { type: "any" },
        freshUntil: { type: "number" },
        askingUntil: { type: "number" },
        refusedUntil: { type: "number" },
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

/** The last price of every stock that was asked for, in one item. */
export function marksEntity(configuration: EntityConfiguration) {
  return new Entity(
    {
      model: { service: "market", entity: "marks", version: "1" },
      attributes: {
        name: { type: ["marks"] as const, required: true },
        /** By symbol; parsed where it is read. */
        marks: { type: "any" },
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
