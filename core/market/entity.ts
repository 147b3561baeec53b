import { Entity, type EntityConfiguration } from "electrodb";
import { model, primary } from "../port/entity.ts";

/**
 * What the source last said: the stock list, or one stock's quote. All times are milliseconds. One reader asks at a
 * time, until `askingUntil`; after a refusal nobody asks until `refusedUntil`.
 */
export function marketEntity(configuration: EntityConfiguration) {
  return new Entity(
    {
      model: model("market"),
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
        byName: primary(["name"]),
      },
    } as const,
    configuration,
  );
}

/** The last price of every stock that was asked for, in one item. */
export function marksEntity(configuration: EntityConfiguration) {
  return new Entity(
    {
      model: model("marks"),
      attributes: {
        name: { type: ["marks"] as const, required: true },
        /** By symbol; parsed where it is read. */
        marks: { type: "any" },
      },
      indexes: {
        byName: primary(["name"]),
      },
    } as const,
    configuration,
  );
}
