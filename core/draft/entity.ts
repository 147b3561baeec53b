import { Entity, type EntityConfiguration } from "electrodb";
import { model, paddedId, primary } from "../port/entity.ts";

/** The angles that a wallet was shown for a stock, so that an angle's id means to us what it meant to the caller. */
export function offerEntity(configuration: EntityConfiguration) {
  return new Entity(
    {
      model: model("offer"),
      attributes: {
        wallet: { type: "string", required: true },
        stock: { type: "string", required: true },
        /** Grows with every showing. */
        version: { type: "number", required: true },
        /** Parsed where it is read. */
        shown: { type: "any", required: true },
        expiresAt: { type: "number", required: true },
      },
      indexes: {
        byStock: primary(["wallet"], ["stock"]),
      },
    } as const,
    configuration,
  );
}

/**
 * An AI draft. It is `writing` while the model works, which holds its place in the day's count until `dueAt`, and is
 * kept for good once it is `written`.
 */
export function generationEntity(configuration: EntityConfiguration) {
  return new Entity(
    {
      model: model("generation"),
      attributes: {
        wallet: { type: "string", required: true },
        /** Padded in keys, so that they sort as numbers do. */
        id: paddedId,
        state: { type: ["writing", "written"] as const, required: true },
        stock: { type: "string", required: true },
        /** The angle and the sources as the model saw them, and its draft: parsed where they are read. */
        angle: { type: "any", required: true },
        sources: { type: "any", required: true },
        draft: { type: "any" },
        /** Model and prompt version. */
        engine: { type: "string", required: true },
        createdAt: { type: "string", required: true },
        /** The UTC day on which it counts, `YYYY-MM-DD`. */
        day: { type: "string", required: true },
        /** Milliseconds: whoever is still writing then has died. */
        dueAt: { type: "number", required: true },
        /** Absent once it is written. */
        expiresAt: { type: "number" },
      },
      indexes: {
        byWallet: primary(["wallet"], ["id"]),
      },
    } as const,
    configuration,
  );
}
