import { Entity, type EntityConfiguration } from "electrodb";
import { model, primary } from "../port/entity.ts";

/** What a wallet has used of a daily limit. UTC days. */
export function quotaEntity(configuration: EntityConfiguration) {
  return new Entity(
    {
      model: model("quota"),
      attributes: {
        wallet: { type: "string", required: true },
        kind: { type: ["draft", "generation"] as const, required: true },
        /** `YYYY-MM-DD`. */
        day: { type: "string", required: true },
        used: { type: "number", required: true },
        expiresAt: { type: "number", required: true },
      },
      indexes: {
        byDay: primary(["wallet"], ["kind", "day"]),
      },
    } as const,
    configuration,
  );
}

/**
 * What the model's calls have cost on a UTC day, by whose budget they come out of: a wallet's, all new wallets' or the
 * whole service's. In millionths of a US dollar, calls under way included at what they cost at most.
 */
export function spendEntity(configuration: EntityConfiguration) {
  return new Entity(
    {
      model: model("spend"),
      attributes: {
        owner: { type: "string", required: true },
        /** `YYYY-MM-DD`. */
        day: { type: "string", required: true },
        spent: { type: "number", required: true },
        /** What calls have cost that came to nothing by the model's fault: bounded like the other, and counted for nobody. */
        wasted: { type: "number", required: true },
        expiresAt: { type: "number", required: true },
      },
      indexes: {
        byDay: primary(["owner"], ["day"]),
      },
    } as const,
    configuration,
  );
}

/** The last id given out. A failed save leaves a gap, which is harmless; a shared lock would not be. */
export function counterEntity(configuration: EntityConfiguration) {
  return new Entity(
    {
      model: model("counter"),
      attributes: {
        name: { type: ["press", "generation"] as const, required: true },
        last: { type: "number", required: true },
      },
      indexes: {
        byName: primary(["name"]),
      },
    } as const,
    configuration,
  );
}
