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
        /** The stored transaction that is in flight, or may be. */
        inFlight: { type: "string" },
        /** Milliseconds until which payments are likely to wait for a transaction: whoever finds the key free takes them along. */
        crowdUntil: { type: "number" },
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

/** A transaction of ours, stored before it is broadcast, with what it is to bring about (design §4). */
export function transactionEntity(configuration: EntityConfiguration) {
  return new Entity(
    {
      model: { service: "market", entity: "transaction", version: "1" },
      attributes: {
        /** The lease under which it was signed. Not in a press's partition: who may write presses may not write these. */
        id: { type: "string", required: true, label: "transaction" },
        relayer: { type: "string", required: true },
        /** `landed`: the chain has it, whatever came of its intents; `over`: none of its intents waits for it any more. */
        state: { type: ["stored", "landed", "over"] as const, required: true },
        nonce: { type: "number", required: true },
        rawTx: { type: "string", required: true },
        /** The current hash first, then those that it replaced: any of them may still be the one that lands. */
        hashes: { type: "list", items: { type: "string" }, required: true },
        /** What it carries, in the order of its calls, by the names that their owners gave. */
        intents: { type: "list", items: { type: "string" }, required: true },
        /** Wei a gas unit, as decimal text: the most that is ever offered for it, where that is less than the stage's. */
        maxPrice: { type: "string" },
        /** Seconds since the epoch. */
        expiresAt: { type: "number", required: true },
      },
      indexes: {
        byId: {
          pk: { field: "pk", composite: ["id"], casing: "none" },
          sk: { field: "sk", composite: [], casing: "none" },
        },
      },
    } as const,
    configuration,
  );
}

export type TransactionItem = EntityItem<ReturnType<typeof transactionEntity>>;

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

/** What we have spent on gas for a subject on a UTC day, beyond what its fees carry. Amounts are USDG base units. */
export function gasEntity(configuration: EntityConfiguration) {
  return new Entity(
    {
      model: { service: "market", entity: "gas", version: "1" },
      attributes: {
        /** A payee (account.ts), or a wallet, code, what a proxy leads to, or the service (gas-budget.ts). */
        subject: { type: "string", required: true },
        /** `YYYY-MM-DD`. */
        day: { type: "string", required: true },
        /** Includes what is reserved for what is under way, */
        spent: { type: "number", required: true },
        /** which of a wallet's is so much. */
        kept: { type: "number" },
        /** Milliseconds until which its next payment waits. */
        cooldownUntil: { type: "number" },
        /** Seconds since the epoch. */
        expiresAt: { type: "number", required: true },
      },
      indexes: {
        byDay: {
          pk: { field: "pk", composite: ["subject"], casing: "none" },
          sk: { field: "sk", composite: ["day"], casing: "none" },
        },
      },
    } as const,
    configuration,
  );
}

export type GasItem = EntityItem<ReturnType<typeof gasEntity>>;
