import { Entity, type EntityConfiguration, type EntityItem } from "electrodb";
import { model, primary } from "./keys.ts";

/**
 * A receipt that was signed, by the log of the transfer that it is for. It lies in a partition of its own, so that the
 * open endpoint that writes it may write nothing of a payment's.
 */
export function receiptEntity(configuration: EntityConfiguration) {
  return new Entity(
    {
      model: model("receipt"),
      attributes: {
        receiptOf: { type: "string", required: true },
        logIndex: { type: "number", required: true },
        payload: {
          type: "map",
          properties: {
            version: { type: "number", required: true },
            network: { type: "string", required: true },
            resourceUrl: { type: "string", required: true },
            payer: { type: "string", required: true },
            issuedAt: { type: "number", required: true },
            transaction: { type: "string", required: true },
          },
          required: true,
        },
        signature: { type: "string", required: true },
      },
      indexes: { byLog: primary(["receiptOf"], ["logIndex"]) },
    } as const,
    configuration,
  );
}

export type ReceiptItem = EntityItem<ReturnType<typeof receiptEntity>>;
