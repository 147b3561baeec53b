import { Entity, type EntityConfiguration, type EntityItem } from "electrodb";
import { gsi2, model, primary } from "../port/entity.ts";

/** The one vote of a wallet on a press: its newest on the chain (specification §4.6, rule 3). */
export function voteEntity(configuration: EntityConfiguration) {
  return new Entity(
    {
      model: model("vote"),
      attributes: {
        pressId: { type: "number", required: true },
        wallet: { type: "string", required: true },
        value: { type: "number", required: true },
        /** Empty for none. */
        tag: { type: "string", required: true },
        txHash: { type: "string", required: true },
        /** Block and index of the transaction, padded so that later ones sort after earlier ones. */
        position: { type: "string", required: true },
        /** When it was cast: ISO 8601. */
        at: { type: "string", required: true },
        /** Whether the wallet had unlocked the press when the vote was recorded last. */
        reader: { type: "boolean" },
        /** Frozen facts of the press, for the history. */
        slug: { type: "string", required: true },
        headline: { type: "string", required: true },
        stock: { type: "string", required: true },
      },
      indexes: {
        byPress: primary(["pressId"], ["wallet"]),
        byVoter: gsi2(["wallet"], ["at", "position"]),
      },
    } as const,
    configuration,
  );
}
export type VoteItem = EntityItem<ReturnType<typeof voteEntity>>;
