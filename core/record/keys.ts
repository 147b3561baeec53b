import type { Entity, EntityItem, Schema } from "electrodb";

/** The type of a table item that belongs to the given record. */
export type ItemOf<Described extends Schema<string, string, string>> = EntityItem<
  Entity<string, string, string, Described>
>;

/**
 * The common fields of every record of the table: the record's model, and the names of its keys. The letter case of a key's parts is not
 * changed.
 */
type KeyParts = readonly string[];

export function makeEntityModel<const Name extends string>(entity: Name) {
  return { service: "market", entity, version: "1" } as const;
}

/** The form of a number in a key. The number is padded with zeros, so that keys sort in the order of the numbers. */
export const paddedId = { type: "number", required: true, padding: { length: 12, char: "0" } } as const;

/** The key under which a record is stored. */
export function makePrimaryKey<const Pk extends KeyParts, const Sk extends KeyParts = readonly []>(
  pk: Pk,
  sk?: Sk,
) {
  return {
    pk: { field: "pk", composite: pk, casing: "none" },
    sk: { field: "sk", composite: sk ?? [], casing: "none" },
  } as const;
}

/** The key of a record in the table, for a record that has only one key. */
export function toKey<
  const Name extends string,
  const Pk extends KeyParts,
  const Sk extends KeyParts = readonly [],
>(name: Name, pk: Pk, sk?: Sk): { readonly [Only in Name]: ReturnType<typeof makePrimaryKey<Pk, Sk>> };
export function toKey(name: string, pk: KeyParts, sk: KeyParts = []) {
  return { [name]: makePrimaryKey(pk, sk) };
}

/** A record of the table with its keys. */
export function makeRecord<const Name extends string, const Keys, const Attributes>(
  entity: Name,
  indexes: Keys,
  attributes: Attributes,
) {
  return { model: makeEntityModel(entity), attributes, indexes } as const;
}

/** The key of a record in an index. */
function makeIndexKey<const Name extends string>(index: Name) {
  return <const Pk extends KeyParts, const Sk extends KeyParts>(pk: Pk, sk: Sk) =>
    ({
      index,
      pk: { field: `${index}pk`, composite: pk, casing: "none" },
      sk: { field: `${index}sk`, composite: sk, casing: "none" },
    }) as const;
}

export const gsi1 = makeIndexKey("gsi1");
export const gsi2 = makeIndexKey("gsi2");
export const gsi3 = makeIndexKey("gsi3");
