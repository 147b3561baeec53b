import * as z from "zod";

type Json = z.core.util.JSONType;

const FILLER = "Local stand-in. ";
const FORMATS: Readonly<Record<string, string>> = {
  "date-time": "2026-01-01T00:00:00Z",
  date: "2026-01-01",
  email: "stand-in@example.com",
  uri: "https://example.com/",
  uuid: "00000000-0000-4000-8000-000000000000",
};

const node = z.looseObject({
  const: z.json().optional(),
  enum: z.array(z.json()).optional(),
  default: z.json().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  $ref: z.string().optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  properties: z.record(z.string(), z.unknown()).default({}),
  required: z.array(z.string()).default([]),
  items: z.unknown().optional(),
  minItems: z.int().default(0),
  format: z.string().optional(),
  minLength: z.int().default(1),
  maxLength: z.int().optional(),
  minimum: z.number().optional(),
  exclusiveMinimum: z.number().optional(),
  maximum: z.number().optional(),
  exclusiveMaximum: z.number().optional(),
  multipleOf: z.number().optional(),
});
type Node = z.output<typeof node>;

/**
 * The smallest value that fits a JSON schema: required properties only, the first of several choices.
 * Patterns and combined schemas (`allOf`, `not`) are not followed.
 */
export function minimalInstance(schema: unknown, root: unknown = schema): Json {
  const one = node.parse(schema);
  if (one.const !== undefined) return one.const;
  if (one.default !== undefined) return one.default;
  if (one.enum?.[0] !== undefined) return one.enum[0];
  if (one.$ref !== undefined) return minimalInstance(resolve(one.$ref, root), root);
  const choice = one.anyOf?.[0] ?? one.oneOf?.[0];
  if (choice !== undefined) return minimalInstance(choice, root);
  switch (Array.isArray(one.type) ? one.type[0] : one.type) {
    case "string":
      return minimalText(one);
    case "integer":
      return minimalNumber(one, one.multipleOf ?? 1);
    case "number":
      return minimalNumber(one, one.multipleOf);
    case "boolean":
      return false;
    case "null":
      return null;
    case "array":
      return Array.from({ length: one.minItems }, () => minimalInstance(one.items ?? {}, root));
    default:
      return Object.fromEntries(
        one.required.map((name) => [name, minimalInstance(one.properties[name] ?? {}, root)]),
      );
  }
}

function minimalText({ format, minLength, maxLength }: Node): string {
  const known = format === undefined ? undefined : FORMATS[format];
  if (known !== undefined) return known;
  const text = FILLER.repeat(Math.ceil(Math.max(minLength, FILLER.length) / FILLER.length));
  return text.slice(
    0,
    Math.min(Math.max(minLength, FILLER.length - 1), maxLength ?? Number.POSITIVE_INFINITY),
  );
}

function minimalNumber(one: Node, step: number | undefined): number {
  const unit = step ?? 1;
  if (one.exclusiveMinimum !== undefined) {
    if (step !== undefined || one.exclusiveMaximum === undefined)
      return (Math.floor(one.exclusiveMinimum / unit) + 1) * unit;
    return (one.exclusiveMinimum + one.exclusiveMaximum) / 2;
  }
  if (one.minimum !== undefined)
    return step === undefined ? one.minimum : Math.ceil(one.minimum / step) * step;
  const highest = one.maximum ?? (one.exclusiveMaximum === undefined ? 0 : one.exclusiveMaximum - unit);
  return Math.min(0, step === undefined ? highest : Math.floor(highest / step) * step);
}

/** Follows a reference within the document, such as `#/$defs/issue`. */
function resolve(reference: string, root: unknown): unknown {
  const steps = reference.replace(/^#\/?/, "").split("/").filter(Boolean);
  return steps.reduce<unknown>((from, step) => {
    const next = z.record(z.string(), z.unknown()).parse(from)[step];
    if (next === undefined) throw new Error(`The schema has no ${reference}.`);
    return next;
  }, root);
}
