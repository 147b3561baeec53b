import * as z from "zod";

type Described = { readonly description?: string | undefined };
type Numeric = Described & { readonly minimum?: number | undefined; readonly maximum?: number | undefined };
type Node =
  | (Described & {
      readonly type: "object";
      readonly properties: Readonly<Record<string, Node>>;
      readonly required: readonly string[];
    })
  | (Described & { readonly type: "array"; readonly items: Node })
  | (Described & { readonly type: "string"; readonly enum?: readonly string[] | undefined })
  | (Numeric & { readonly type: "integer" | "number" })
  | (Described & { readonly type: "boolean" });

const described = { description: z.string().optional() };
const Node: z.ZodType<Node> = z.lazy(() =>
  z.discriminatedUnion("type", [
    z.object({ ...Fields.shape, ...described }),
    z.object({ type: z.literal("array"), items: Node, ...described }),
    z.object({ type: z.literal("string"), enum: z.array(z.string()).optional(), ...described }),
    z.object({
      type: z.enum(["integer", "number"]),
      minimum: z.number().optional(),
      maximum: z.number().optional(),
      ...described,
    }),
    z.object({ type: z.literal("boolean"), ...described }),
  ]),
);
const Fields = z.object({
  type: z.literal("object"),
  properties: z.record(z.string(), Node),
  required: z.array(z.string()),
});

/**
 * A form as a tool's `inputSchema`, in the words that every model of Bedrock takes: `type`, `properties` and `required`
 * at the top, below it also `items`, `enum`, `description`, `minimum` and `maximum`. Amazon Nova refuses others; the
 * form itself holds the limits that this leaves out. Throws a ZodError for a form that these words cannot say.
 */
export function toolSchema(form: z.ZodType): z.infer<typeof Fields> {
  return Fields.parse(z.toJSONSchema(form, { io: "input" }));
}

const numberText = /^\s*-?\d+(?:\.\d+)?\s*$/;

/** What a model put into a call, with the numbers that it wrote as text where the schema wants numbers. */
export function withNumbers(value: unknown, schema: Node): unknown {
  switch (schema.type) {
    case "integer":
    case "number":
      return typeof value === "string" && numberText.test(value) ? Number(value) : value;
    case "array":
      return Array.isArray(value) ? value.map((item) => withNumbers(item, schema.items)) : value;
    case "object": {
      const fields = z.record(z.string(), z.unknown()).safeParse(value);
      if (!fields.success) return value;
      return Object.fromEntries(
        Object.entries(fields.data).map(([name, field]) => {
          const known = schema.properties[name];
          return [name, known === undefined ? field : withNumbers(field, known)];
        }),
      );
    }
    default:
      return value;
  }
}
