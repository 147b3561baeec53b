import { Entity, type EntityConfiguration, type EntityItem } from "electrodb";
import { model, primary } from "../port/entity.ts";

const attributes = {
  tokenHash: { type: "string", required: true },
  /** What its wallet calls it by: it opens nothing. */
  id: { type: "string", required: true },
  wallet: { type: "string", required: true },
  /** How it was born: a payment proves a permit, not a sign-in, and does not publish (design §4). */
  origin: { type: ["sign-in", "payment"] as const, required: true },
  createdAt: { type: "string", required: true },
  /** Seconds since the epoch. */
  expiresAt: { type: "number", required: true },
} as const;

/** A session under the SHA-256 of its token, so that the table cannot be used to sign in. */
export function sessionEntity(configuration: EntityConfiguration) {
  return new Entity(
    { model: model("session"), attributes, indexes: { byToken: primary(["tokenHash"]) } } as const,
    configuration,
  );
}
export type SessionItem = EntityItem<ReturnType<typeof sessionEntity>>;

/**
 * The same under its wallet. An index would show a session a moment after it opens, and one that is not seen is not ended.
 */
export function listedSessionEntity(configuration: EntityConfiguration) {
  return new Entity(
    {
      model: model("listedSession"),
      attributes,
      indexes: { ofWallet: primary(["wallet"], ["id"]) },
    } as const,
    configuration,
  );
}

/** A sign-in message that waits for its signature. Deleted by the verification that uses it. */
export function nonceEntity(configuration: EntityConfiguration) {
  return new Entity(
    {
      model: model("nonce"),
      attributes: {
        nonce: { type: "string", required: true },
        wallet: { type: "string", required: true },
        /** The EIP-4361 text: what was stored is what is verified. */
        message: { type: "string", required: true },
        /** Seconds since the epoch. */
        expiresAt: { type: "number", required: true },
      },
      indexes: {
        byNonce: primary(["nonce"]),
      },
    } as const,
    configuration,
  );
}
