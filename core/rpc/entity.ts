import { Entity, type EntityConfiguration } from "electrodb";
import { model, primary } from "../port/entity.ts";

/** What the calls of one address have cost in one window of its allowance. */
export function relayUseEntity(configuration: EntityConfiguration) {
  return new Entity(
    {
      model: model("relayUse"),
      attributes: {
        address: { type: "string", required: true },
        /** Seconds since the epoch at which the window began. */
        window: { type: "number", required: true },
        used: { type: "number", required: true },
        expiresAt: { type: "number", required: true },
      },
      indexes: {
        byWindow: primary(["address", "window"]),
      },
    } as const,
    configuration,
  );
}
