import * as fc from "fast-check";

/** A JSON value that `mutate` can change. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

const makeNested = (depth: number): JsonValue =>
  Array.from({ length: depth }).reduce<JsonValue>((inner) => [inner], "bottom");

/** Values that often break programs. */
const nasty: readonly JsonValue[] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  1,
  0.1,
  -1.5,
  2 ** 31,
  2 ** 53,
  -(2 ** 53),
  1e21,
  1e308,
  "",
  " ",
  "0",
  "-1",
  "1e3",
  "NaN",
  "Infinity",
  "0x",
  "0X0",
  "0xzz",
  `0x${"0".repeat(40)}`,
  `0x${"f".repeat(40)}`,
  `0x${"0".repeat(64)}`,
  `0x${"F".repeat(64)}`,
  `0x${"f".repeat(65)}`,
  `0x${"1b".repeat(65)}`,
  `0x${"00".repeat(5_000)}`,
  "9".repeat(78),
  "1".repeat(400),
  "\0",
  "a\0b",
  "\n\r\t",
  "\u202e\u0000\uffff",
  "\ud800",
  "😀".repeat(50),
  "ﬁ İ ß ①",
  "a".repeat(10_000),
  "word ".repeat(200),
  "' OR 1=1 --",
  "</press>{{7*7}}",
  "__proto__",
  "constructor",
  "1970-01-01T00:00:00.000Z",
  "+275760-09-13T00:00:00.001Z",
  [],
  {},
  [null],
  [[], {}],
  { constructor: { prototype: { polluted: true } } },
  Array.from({ length: 1_000 }, () => 0),
  makeNested(500),
];

type Mutation = {
  readonly at: number;
  readonly how: "replace" | "remove" | "add" | "double" | "case" | "cut" | "extend";
  readonly what: JsonValue;
};

export type Mutations = readonly Mutation[];

export const mutations: fc.Arbitrary<Mutations> = fc.oneof(
  { weight: 4, arbitrary: fc.constant([]) },
  {
    weight: 5,
    arbitrary: fc.array(
      fc.record({
        at: fc.nat(1_000),
        how: fc.constantFrom(
          "replace",
          "replace",
          "replace",
          "remove",
          "add",
          "double",
          "case",
          "cut",
          "extend",
        ),
        what: fc.oneof(
          { weight: 4, arbitrary: fc.constantFrom(...nasty) },
          { weight: 1, arbitrary: makeJsonValues() },
        ),
      }),
      { minLength: 1, maxLength: 2 },
    ),
  },
);

function makeJsonValues(): fc.Arbitrary<JsonValue> {
  return fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.string({ unit: "binary" }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.maxSafeInteger(),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(fc.string(), tie("value"), { maxKeys: 3, noNullPrototype: true }),
    ),
  })).value;
}

/** Applies each mutation to the value or to one of the values inside it. */
export function mutate(value: JsonValue, changes: Mutations): JsonValue {
  return changes.reduce((now, change) => changeAt(now, change.at % countValues(now), change), value);
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Counts a JSON value and all values inside it. */
function countValues(value: JsonValue): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce((sum: number, inner: JsonValue) => sum + countValues(inner), 1);
}

/**
 * Changes the value at index `at`. Index 0 is the value itself, and the values inside it follow in the order in which the JSON text
 * contains them.
 */
function changeAt(value: JsonValue, at: number, change: Mutation): JsonValue {
  if (at === 0) return changeValue(value, change);
  if (typeof value !== "object" || value === null) return value;
  let left = at - 1;
  const inside = Object.entries<JsonValue>(value).flatMap(
    ([name, inner]): readonly (readonly [string, JsonValue])[] => {
      const size = countValues(inner);
      const here = left;
      left -= size;
      if (here < 0 || here >= size) return [[name, inner]];
      if (here === 0 && change.how === "remove") return [];
      return [[name, changeAt(inner, here, change)]];
    },
  );
  return isList(value) ? inside.map(([, inner]) => inner) : Object.fromEntries(inside);
}

function changeValue(value: JsonValue, { how, what, at }: Mutation): JsonValue {
  if (how === "replace" || how === "remove") return what;
  if (typeof value === "string") {
    if (how === "case") return at % 2 === 0 ? value.toUpperCase() : value.toLowerCase();
    if (how === "cut") return value.slice(0, Math.floor(value.length / 2));
    return value + (how === "double" ? value : "0");
  }
  if (typeof value === "number")
    return how === "double" ? value * 2 : how === "cut" ? value / 2 : String(value);
  if (typeof value !== "object" || value === null) return what;
  if (isList(value)) return how === "double" ? [...value, ...value] : [...value, what];
  return { ...value, [at % 3 === 0 ? "__proto__" : `extra${at}`]: what };
}

/** Ways to damage the JSON text of a request's body or payment. */
export const spoilers = {
  "as it is": (text: string) => text,
  truncated: (text: string) => text.slice(0, Math.floor(text.length * 0.7)),
  "with its first key twice": (text: string) => text.replace(/^\{("[^"]*"):/, "{$1:null,$1:"),
  "with a word behind it": (text: string) => `${text}garbage`,
  "with a byte order mark": (text: string) => `\ufeff${text}`,
  "with a comment": (text: string) => `/* */${text}`,
  "with NaN": (text: string) => text.replace(/:[^,{}[\]]*/, ":NaN"),
  "with an endless number": (text: string) => text.replace(/:[^,{}[\]]*/, `:1${"0".repeat(400)}`),
  "in single quotes": (text: string) => text.replaceAll('"', "'"),
  "nested a hundred thousand deep": () => "[".repeat(100_000),
  "nested and closed": (text: string) => `${'{"a":'.repeat(2_000)}${text}${"}".repeat(2_000)}`,
  "of white space": () => " \n\t ",
  "with nothing in it": () => "",
  "as a string": (text: string) => JSON.stringify(text),
  "too large": (text: string) => text.padEnd(300_000, " "),
} as const;
export type CorruptionName = keyof typeof spoilers;
