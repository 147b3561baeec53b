import { Entity, type EntityConfiguration, type EntityItem } from "electrodb";

/** A key that pays gas: who holds it, until when, and what it has in flight. One transaction at a time. */
export function relayerEntity(configuration: EntityConfiguration) {
  return new Entity(
    {
      model: { service: "market", entity: "relayer", version: "1" },
      attributes: {
        address: { type: "string", required: true },
        /** The claim that holds the key, absent when it is free. */
        lease: { type: "string" },
        /** Milliseconds; a lease that lapsed with a transaction in flight is resolved by whoever finds it. */
        leaseUntil: { type: "number" },
        /** The nonce that the next transaction takes unless the chain says more. */
        nextNonce: { type: "number", required: true },
        /** The settlement whose transaction is in flight, or may be. */
        inFlight: {
          type: "map",
          properties: {
            wallet: { type: "string", required: true },
            pressId: { type: "number", required: true },
            leg: { type: ["fee", "publisher"] as const, required: true },
          },
        },
      },
      indexes: {
        byAddress: {
          pk: { field: "pk", composite: ["address"], casing: "none" },
          sk: { field: "sk", composite: [], casing: "none" },
        },
      },
    } as const,
    configuration,
  );
}
export type RelayerItem = EntityItem<ReturnType<typeof relayerEntity>>;

/** The addresses of the relayers' keys, so that a new process need not ask KMS for each. */
export function keyringEntity(configuration: EntityConfiguration) {
  return new Entity(
    {
      model: { service: "market", entity: "keyring", version: "1" },
      attributes: {
        name: { type: ["relayers"] as const, required: true },
        /** By key id; parsed where it is read. */
        addresses: { type: "any", required: true },
        /** Milliseconds when KMS said so. */
        writtenAt: { type: "number", required: true },
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
