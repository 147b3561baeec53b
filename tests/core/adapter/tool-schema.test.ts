import { describe, expect, test } from "vitest";
import * as z from "zod";
import { convertNumbers, makeToolSchema } from "../../../core/adapter/model/ask.ts";
import { Reading } from "../../../core/audit/reading.ts";
import { Draft } from "../../../core/draft/schema.ts";

/** Lists all keywords that a schema uses. */
function listKeywords(schema: unknown): string[] {
  const node = z.record(z.string(), z.unknown()).parse(schema);
  const properties = z.record(z.string(), z.unknown()).parse(node.properties ?? {});
  const below = [...Object.values(properties), ...(node.items === undefined ? [] : [node.items])];
  return [...Object.keys(node), ...below.flatMap(listKeywords)];
}

describe.each([
  ["reading", Reading],
  ["draft", Draft],
])("the schema of a %s is accepted by every model", (_what, form) => {
  const schema = makeToolSchema(form);

  test("the only keywords at the top level of the schema are type, properties and required", () => {
    expect(Object.keys(schema).toSorted()).toEqual(["properties", "required", "type"]);
    expect(schema.required).toEqual(Object.keys(schema.properties));
  });

  test("the schema uses only keywords that every model accepts", () => {
    const plain = ["type", "properties", "required", "items", "enum", "description", "minimum", "maximum"];
    expect(listKeywords(schema).filter((word) => !plain.includes(word))).toEqual([]);
  });
});

test("a schema states the range of a number, but not the length of a text, which only zod checks", () => {
  expect(makeToolSchema(Reading)).toMatchObject({
    properties: {
      findings: {
        type: "array",
        items: {
          properties: {
            weight: { type: "integer", minimum: 1, maximum: 3 },
            concern: { enum: expect.any(Array) },
          },
        },
      },
    },
  });
  expect(JSON.stringify(makeToolSchema(Reading))).not.toMatch(
    /Length|Items|\$schema|additional|pattern|readOnly/,
  );
});

test("a zod schema is refused with an error if the accepted keywords cannot express the schema", () => {
  expect(() => makeToolSchema(z.object({ either: z.union([z.string(), z.number()]) }))).toThrow(z.ZodError);
  expect(() => makeToolSchema(z.array(z.string()))).toThrow(z.ZodError);
});

describe("numbers that are written as text become numbers", () => {
  const schema = makeToolSchema(
    z.object({ score: z.int(), name: z.string(), parts: z.array(z.object({ share: z.number() })) }),
  );

  test("numbers that are written as text are converted at any depth, but only where the schema wants a number", () => {
    expect(
      convertNumbers({ score: " 88 ", name: "88", parts: [{ share: "-0.5" }], more: "1" }, schema),
    ).toEqual({
      score: 88,
      name: "88",
      parts: [{ share: -0.5 }],
      more: "1",
    });
  });

  test.each(["", " ", "eighty", "1e3", "0x10", "8 8", "Infinity", null, true, []])(
    "the text %j is not converted to a number",
    (score) => {
      expect(convertNumbers({ score }, schema)).toEqual({ score });
    },
  );

  test.each([undefined, null, "fine", 3, [1]])(
    "the input %j is left unchanged, because it is not an object",
    (input) => {
      expect(convertNumbers(input, schema)).toEqual(input);
    },
  );
});
