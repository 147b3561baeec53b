import { Entity, type EntityConfiguration } from "electrodb";
import { model, paddedId, primary } from "../port/entity.ts";

/** A publisher's word that a transaction minted a press, and what became of it. Kept for a day. */
export function mintEntity(configuration: EntityConfiguration) {
  return new Entity(
    {
      model: model("mint"),
      attributes: {
        id: paddedId,
        txHash: { type: "string", required: true },
        wallet: { type: "string", required: true },
        /** `pending` from its being taken on; `done` once the press is live, by whichever transaction. */
        state: { type: ["pending", "refused", "done"] as const, required: true },
        /** The code of a refusal. */
        code: { type: "string" },
        expiresAt: { type: "number", required: true },
      },
      indexes: {
        byClaim: primary(["id"], ["txHash"]),
      },
    } as const,
    configuration,
  );
}

/** One of the places that a press has for claims under way, and the claim in it. */
export function mintSlotEntity(configuration: EntityConfiguration) {
  return new Entity(
    {
      model: model("mintSlot"),
      attributes: {
        id: paddedId,
        slot: { type: "number", required: true },
        txHash: { type: "string", required: true },
        /** Milliseconds: when the claim was taken on. Its message names the same moment. */
        since: { type: "number", required: true },
        /** Milliseconds: a claim that is still here by then has lost its message, and the place is free. */
        dueAt: { type: "number", required: true },
        expiresAt: { type: "number", required: true },
      },
      indexes: {
        byPress: primary(["id"], ["slot"]),
      },
    } as const,
    configuration,
  );
}

/** A mint transaction that has made a press live: it serves for one press only. */
export function mintedEntity(configuration: EntityConfiguration) {
  return new Entity(
    {
      model: model("minted"),
      attributes: {
        txHash: { type: "string", required: true },
        id: { type: "number", required: true },
      },
      indexes: {
        byTransaction: primary(["txHash"]),
      },
    } as const,
    configuration,
  );
}
