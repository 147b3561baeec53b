import * as fc from "fast-check";
import * as z from "zod";
import type { JsonValue } from "./mutate.ts";

const Names = z.record(z.string(), z.unknown());
/** The part of JSON Schema that the service's document uses for inputs. */
const Schema = z.looseObject({
  $ref: z.string().optional(),
  const: z.json().optional(),
  enum: z.array(z.json()).optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  properties: Names.optional(),
  required: z.array(z.string()).optional(),
  items: z.unknown().optional(),
  minItems: z.int().optional(),
  maxItems: z.int().optional(),
  pattern: z.string().optional(),
  minLength: z.int().optional(),
  maxLength: z.int().optional(),
  minimum: z.number().optional(),
  exclusiveMinimum: z.number().optional(),
  maximum: z.number().optional(),
});
type Schema = z.infer<typeof Schema>;

/** Makes values that fit a schema. `named` gives valid values for the fields with certain names. */
export function makeValues(
  schema: unknown,
  schemas: Readonly<Record<string, unknown>>,
  named: Readonly<Record<string, readonly JsonValue[]>>,
): fc.Arbitrary<JsonValue> {
  return makeSchemaValues(schema, 0);

  function makeSchemaValues(subschema: unknown, depth: number): fc.Arbitrary<JsonValue> {
    const one = Schema.parse(subschema ?? {});
    if (one.$ref !== undefined) return makeSchemaValues(schemas[one.$ref.split("/").at(-1) ?? ""], depth + 1);
    if (one.const !== undefined) return fc.constant(one.const);
    if (one.enum !== undefined) return fc.constantFrom(...one.enum);
    const choices = one.anyOf ?? one.oneOf;
    if (choices !== undefined)
      return fc.oneof(...choices.map((choice) => makeSchemaValues(choice, depth + 1)));
    if (one.type === "object") return makeObjects(one, depth);
    if (one.type === "array") {
      const { minItems = 0, maxItems = 4 } = one;
      return fc.array(makeSchemaValues(one.items, depth + 1), {
        minLength: minItems,
        maxLength: Math.min(maxItems, minItems + 3),
      });
    }
    return makeScalars(one);
  }

  function makeObjects({ properties = {}, required = [] }: Schema, depth: number): fc.Arbitrary<JsonValue> {
    const fields = Object.entries(properties).map(([name, field]) => {
      const known = named[name];
      const values = makeSchemaValues(field, depth + 1);
      const good =
        known === undefined
          ? values
          : fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: values });
      const given = good.map((value) => [[name, value]] as const);
      return required.includes(name) ? given : fc.oneof(given, fc.constant([]));
    });
    return fc.tuple(...fields).map((entries) => Object.fromEntries(entries.flat()));
  }
}

function makeScalars(schema: Schema): fc.Arbitrary<JsonValue> {
  const {
    type,
    pattern,
    minLength = 0,
    maxLength = minLength + 60,
    minimum,
    exclusiveMinimum,
    maximum,
  } = schema;
  if (Array.isArray(type)) return fc.oneof(...type.map((one) => makeScalars({ ...schema, type: one })));
  if (type === "string") {
    if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
    return fc.string({ minLength, maxLength: Math.min(maxLength, 2_000), unit: "grapheme" });
  }
  const least = exclusiveMinimum === undefined ? (minimum ?? 0) : exclusiveMinimum + 1;
  if (type === "integer") return fc.integer({ min: least, max: maximum ?? least + 50 });
  if (type === "number") return fc.double({ min: least, max: maximum ?? 1_000, noNaN: true });
  if (type === "boolean") return fc.boolean();
  if (type === "null") return fc.constant(null);
  return fc.jsonValue({ maxDepth: 2 }).map((value) => z.json().parse(value));
}
