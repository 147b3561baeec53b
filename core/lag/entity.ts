import { Entity, type EntityConfiguration } from "electrodb";
import { model, primary } from "../port/entity.ts";

/** The newest block that has changed what a wallet can pay with, as far as we have shown its receipt. */
export function fundsChangeEntity(configuration: EntityConfiguration) {
  return new Entity(
    {
      model: model("fundsChange"),
      attributes: {
        /** The wallet, lower-case. */
        holder: { type: "string", required: true },
        block: { type: "number", required: true },
        /** Payments that have waited for a node to show this block. */
        waits: { type: "number", required: true },
        /** Seconds since the epoch. */
        expiresAt: { type: "number", required: true },
      },
      indexes: {
        byHolder: primary(["holder"]),
      },
    } as const,
    configuration,
  );
}
