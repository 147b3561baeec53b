/**
 * What every record of the one table has in common: its model, and the names of its keys. Keys keep the casing of what
 * they are made of.
 */
type Part = readonly string[];

export function model<const Name extends string>(entity: Name) {
  return { service: "market", entity, version: "1" } as const;
}

/** A number in a key, padded so that keys sort as numbers do. */
export const paddedId = { type: "number", required: true, padding: { length: 12, char: "0" } } as const;

/** The key under which a record lies. */
export function primary<const Pk extends Part, const Sk extends Part = readonly []>(pk: Pk, sk?: Sk) {
  return {
    pk: { field: "pk", composite: pk, casing: "none" },
    sk: { field: "sk", composite: sk ?? [], casing: "none" },
  } as const;
}

/** The same by an index. */
export function gsi1<const Pk extends Part, const Sk extends Part>(pk: Pk, sk: Sk) {
  return {
    index: "gsi1",
    pk: { field: "gsi1pk", composite: pk, casing: "none" },
    sk: { field: "gsi1sk", composite: sk, casing: "none" },
  } as const;
}

export function gsi2<const Pk extends Part, const Sk extends Part>(pk: Pk, sk: Sk) {
  return {
    index: "gsi2",
    pk: { field: "gsi2pk", composite: pk, casing: "none" },
    sk: { field: "gsi2sk", composite: sk, casing: "none" },
  } as const;
}

export function gsi3<const Pk extends Part, const Sk extends Part>(pk: Pk, sk: Sk) {
  return {
    index: "gsi3",
    pk: { field: "gsi3pk", composite: pk, casing: "none" },
    sk: { field: "gsi3sk", composite: sk, casing: "none" },
  } as const;
}
