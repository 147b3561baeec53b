import parser, { type Context, type Parsed } from "dynalite/db/conditionParser.js";

/** An expression as it was parsed first, the values that stood in it then, and which names and values it uses. */
interface Known {
  readonly parsed: Parsed;
  readonly values: ReadonlyMap<unknown, string>;
  readonly usedNames: readonly string[];
  readonly usedValues: readonly string[];
}

/** What may be refused for its values, and not only for their types. */
const judgesValues = /between|attribute_type/i;

/** Expressions that are remembered: the service has some hundred. */
const most = 2_000;

const { parse } = parser;
const known = new Map<string, Known>();

/**
 * Has dynalite parse each condition once: that takes longer than all else that a write costs, and the service's conditions
 * differ in their values only. Refused ones are not remembered.
 */
export function rememberConditions(): void {
  parser.parse = (text, options) => {
    if (judgesValues.test(text)) return parse(text, options);
    const { context } = options;
    const { attrNames = {}, attrVals = {}, unusedAttrNames, unusedAttrVals } = context;
    const types = Object.entries(attrVals).map(([name, value]) => [name, ...Object.keys(value)]);
    const key = JSON.stringify([text, attrNames, types]);
    const found = known.get(key);
    if (found === undefined) return parseFirst(key, text, context);
    for (const name of found.usedNames) delete unusedAttrNames[name];
    for (const name of found.usedValues) delete unusedAttrVals[name];
    return { ...found.parsed, expression: withValues(found.parsed.expression, found.values, attrVals) };
  };
}

function parseFirst(key: string, text: string, context: Context): Parsed | string {
  const { attrNames = {}, attrVals = {}, unusedAttrNames, unusedAttrVals } = context;
  const left = { names: { ...attrNames }, values: { ...attrVals } };
  const parsed = parse(text, {
    context: { ...context, unusedAttrNames: left.names, unusedAttrVals: left.values },
  });
  const usedNames = Object.keys(attrNames).filter((name) => !(name in left.names));
  const usedValues = Object.keys(attrVals).filter((name) => !(name in left.values));
  for (const name of usedNames) delete unusedAttrNames[name];
  for (const name of usedValues) delete unusedAttrVals[name];
  if (typeof parsed === "string") return parsed;
  if (known.size >= most) known.clear();
  const values = new Map(Object.entries(attrVals).map(([name, value]) => [value, name]));
  known.set(key, { parsed, values, usedNames, usedValues });
  return parsed;
}

/** A copy of what was parsed, with the values of now in the place of those of then. */
function withValues(node: unknown, then: Known["values"], now: Readonly<Record<string, unknown>>): unknown {
  const name = then.get(node);
  if (name !== undefined) return now[name];
  if (Array.isArray(node)) return node.map((part) => withValues(part, then, now));
  if (typeof node !== "object" || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([part, value]) => [part, withValues(value, then, now)]),
  );
}
