import type { Schema } from "electrodb";
import type { ItemOf } from "./keys.ts";

type WriteFields = Readonly<Record<string, unknown>>;

/**
 * The functions that build the condition of a write. The functions for conditions have the same names as the functions of ElectroDB's
 * `where`.
 */
type Operations<Name> = {
  eq(attribute: Name, value: unknown): string;
  lt(attribute: Name, value: unknown): string;
  notExists(attribute: Name): string;
};

type Condition<Name> = (operations: Operations<Name>) => string;

/** One write of a table transaction, in DynamoDB's form. */
export type Write = { readonly Put: WriteFields } | { readonly Update: WriteFields };

/**
 * Builds the same conditional writes as ElectroDB, but twenty times as fast. These faster writes are used for the records that every
 * payment writes. A test compares the fast writes with the writes that ElectroDB builds. A table key of these records may only contain
 * attributes whose values need no conversion (padding would be a conversion). `upsert` changes only the attributes that it names.
 */
export function makeWrites<const Row extends Schema<string, string, string>>(row: Row, TableName: string) {
  const { entity, service, version } = row.model;
  const names = Object.keys(row.attributes);
  const required = Object.entries(row.attributes).flatMap(([name, { required }]) => (required ? [name] : []));

  function makeItem(fields: WriteFields): WriteFields {
    const missing = required.find((name) => fields[name] === undefined);
    if (missing !== undefined) throw new TypeError(`A ${entity} lacks its ${missing}`);
    const kept = names.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]]);
    return { __edb_e__: entity, __edb_v__: version, ...Object.fromEntries(kept) };
  }

  /** The item's keys in the table, and the item's keys in each index that contains the item. */
  function makeKeys(fields: WriteFields): WriteFields {
    const keys: Record<string, string> = {};
    for (const { index, pk, sk } of Object.values(row.indexes)) {
      if (index !== undefined && pk.composite.some((name) => fields[name] === undefined)) continue;
      keys[pk.field ?? "pk"] = makeKey(`$${service}`, pk.composite, fields);
      keys[sk?.field ?? "sk"] = makeKey(`$${entity}_${version}`, sk?.composite ?? [], fields);
    }
    return keys;
  }

  return {
    put: (given: ItemOf<Row>, where: Condition<keyof Row["attributes"]>): Write => ({
      Put: { TableName, Item: { ...makeItem(given), ...makeKeys(given) }, ...makeCondition(where) },
    }),
    /** The write is refused if the item exists. */
    create: (given: ItemOf<Row>): Write => ({
      Put: {
        TableName,
        Item: { ...makeItem(given), ...makeKeys(given) },
        ConditionExpression: "attribute_not_exists(#pk) AND attribute_not_exists(#sk)",
        ExpressionAttributeNames: { "#pk": "pk", "#sk": "sk" },
      },
    }),
    upsert(fields: ItemOf<Row>, where: Condition<keyof Row["attributes"]>): Write {
      const set = Object.entries(makeItem(fields));
      const condition = makeCondition(where);
      return {
        Update: {
          TableName,
          Key: makeKeys(fields),
          UpdateExpression: `SET ${set.map(([name]) => `#${name} = :${name}_u0`).join(", ")}`,
          ConditionExpression: condition.ConditionExpression,
          ExpressionAttributeNames: {
            ...condition.ExpressionAttributeNames,
            ...Object.fromEntries(set.map(([name]) => [`#${name}`, name])),
          },
          ExpressionAttributeValues: {
            ...condition.ExpressionAttributeValues,
            ...Object.fromEntries(set.map(([name, value]) => [`:${name}_u0`, value])),
          },
        },
      };
    },
  };
}

/** Throws TypeError if a part of the key is missing. */
function makeKey(prefix: string, parts: readonly string[], fields: WriteFields): string {
  return parts.reduce((key, part) => {
    if (fields[part] === undefined) throw new TypeError(`A key lacks its ${part}`);
    return `${key}#${part}_${fields[part]}`;
  }, prefix);
}

function makeCondition(where: Condition<string>) {
  const names: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  const addName = (attribute: string) => {
    names[`#${attribute}`] = attribute;
    return `#${attribute}`;
  };
  const holds = (attribute: string, operator: string, value: unknown) => {
    let count = 0;
    while (Object.hasOwn(values, `:${attribute}${count}`)) count += 1;
    values[`:${attribute}${count}`] = value;
    return `${addName(attribute)} ${operator} :${attribute}${count}`;
  };
  const ConditionExpression = where({
    eq: (attribute, value) => holds(attribute, "=", value),
    lt: (attribute, value) => holds(attribute, "<", value),
    notExists: (attribute) => `attribute_not_exists(${addName(attribute)})`,
  });
  return {
    ConditionExpression,
    ExpressionAttributeNames: names,
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  };
}
