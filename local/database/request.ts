import conditionParser, { type Context, type Parsed, type Parser } from "dynalite/db/conditionParser.js";
import { type Data, type Store, validationError } from "dynalite/db/index.js";
import updateParser from "dynalite/db/updateParser.js";
import { type Custom, checkTypes, checkValidations, type Types } from "dynalite/validations/index.js";
import * as z from "zod";

/** The allowed parameters of a request, in dynalite's schema language. */
export interface RequestShape {
  readonly types: Types;
  readonly custom?: Custom | undefined;
}

export const returnConsumedCapacity = { type: "String", enum: ["INDEXES", "TOTAL", "NONE"] } as const;
export const returnItemCollectionMetrics = { type: "String", enum: ["SIZE", "NONE"] } as const;
export const returnOldItem = { type: "String", enum: ["ALL_OLD", "NONE"] } as const;

/** Makes the schema of a table transaction's list of actions. Each entry of the list may have the members that `children` describes. */
export function makeTransactItemsType(name: string, children: Types) {
  const type = `ValueStruct<${name}>`;
  const size = { lengthGreaterThanOrEqual: 1, lengthLessThanOrEqual: 100 };
  return { type: "List", notNull: true, ...size, children: { type, children } };
}

/**
 * The request's known parameters after their conversion, with parsed expressions.
 * @throws SerializationException, ValidationException
 */
export function checkRequest(shape: RequestShape, body: Data, store: Store): Data {
  const data = checkTypes(body, shape.types);
  checkValidations(data, shape.types, shape.custom, store);
  allowMissingOperands(data);
  return data;
}

/**
 * Parses the expressions of one action of a table transaction, in place.
 * @throws ValidationException
 */
export function checkAction(custom: Custom | undefined, data: Data, store: Store): void {
  const invalid = custom?.(data, store);
  if (invalid !== undefined) throw validationError(invalid);
  allowMissingOperands(data);
}

/** The schema of an action of a table transaction: the action's members, and which members are required. */
export function makeActionShape(
  types: Types,
  members: readonly string[],
  required: readonly string[],
): Types {
  const entries = members.map((member) => [
    member,
    required.includes(member) ? makeRequiredType(types[member]) : types[member],
  ]);
  return { ...Object.fromEntries(entries) };
}

function makeRequiredType(type: unknown): unknown {
  return typeof type === "object" ? { ...type, notNull: true } : { type, notNull: true };
}

/**
 * A syntax node of an expression that dynalite has parsed. The operands of a syntax node are paths (arrays), values or other syntax nodes.
 */
const ExpressionNode = z.looseObject({ type: z.string(), args: z.array(z.unknown()) });
type ExpressionNode = z.infer<typeof ExpressionNode>;

const WithExpression = z.looseObject({ expression: z.unknown() });

/**
 * Makes comparisons with a missing attribute behave as in DynamoDB: `<>` is true, and every other comparison is false. dynalite itself
 * treats two missing attributes as equal, and throws an error for some operators. The parsed expressions are changed in place.
 */
function allowMissingOperands(data: Data): void {
  for (const name of ["_condition", "_filter"]) {
    const parsed = WithExpression.safeParse(data[name]).data;
    if (parsed !== undefined) data[name] = { ...parsed, expression: rewriteExpression(parsed.expression) };
  }
}

function rewriteExpression(expression: unknown): unknown {
  const node = ExpressionNode.safeParse(expression).data;
  if (node === undefined) return expression;
  const [first, ...others] = node.args;
  switch (node.type) {
    case "and":
    case "or":
    case "not":
      return { ...node, args: node.args.map(rewriteExpression) };
    case "between":
      return makeAndNode([
        rewriteComparison(">=", first, others[0]),
        rewriteComparison("<=", first, others[1]),
      ]);
    case "in":
      return others
        .map((other) => rewriteComparison("=", first, other))
        .reduce((a, b) => ({ type: "or", args: [a, b] }));
    case "<>":
      return isValue(others[0])
        ? node
        : { type: "or", args: [{ type: "not", args: [makeExistsNode(first)] }, node] };
    default:
      return isValue(others[0]) ? node : makeAndNode([makeExistsNode(first), node]);
  }
}

function rewriteComparison(type: string, left: unknown, right: unknown): unknown {
  return rewriteExpression({ type, args: [left, right] });
}

function makeExistsNode(operand: unknown): ExpressionNode {
  return { type: "function", name: "attribute_exists", args: [operand] };
}

function makeAndNode([first, second]: readonly [unknown, unknown]): ExpressionNode {
  return { type: "and", args: [first, second] };
}

/**
 * Whether an operand is a value; a value is never missing. `undefined` also counts as a value: it stands for the second operand of a
 * function with only one operand.
 */
function isValue(operand: unknown): boolean {
  return !Array.isArray(operand) && !ExpressionNode.safeParse(operand).success;
}

/**
 * The result of the first parse of an expression: the parsed expression with the values of the first request, and the names and values that
 * the expression uses.
 */
interface CachedExpression {
  readonly parsed: Parsed;
  readonly values: ReadonlyMap<unknown, string>;
  readonly usedNames: readonly string[];
  readonly usedValues: readonly string[];
}

/** Matches expressions whose validity may depend on a value itself, not only on the value's type. */
const judgesValues = /between|attribute_type/i;

/** The maximum number of cached expressions. The service has about a hundred expressions. */
const most = 2_000;

const known = new Map<string, CachedExpression>();
const parsers = [conditionParser, updateParser].map((parser) => ({ parser, parse: parser.parse }));

/**
 * Lets dynalite parse each condition and each update expression once. Parsing is the slowest part of a write. The service sends the same
 * expressions again and again, only with other values. Expressions that are refused are not cached.
 */
export function cacheExpressions(): void {
  for (const [index, { parser, parse }] of parsers.entries()) {
    parser.parse = (text, options) => {
      if (judgesValues.test(text)) return parse(text, options);
      const { attrNames = {}, attrVals = {}, unusedAttrNames, unusedAttrVals } = options.context;
      const types = Object.entries(attrVals).map(([name, value]) => [name, ...Object.keys(value)]);
      const key = JSON.stringify([index, text, attrNames, types]);
      const found = known.get(key) ?? parseUncached(key, parse, text, options.context);
      if (typeof found === "string") return found;
      for (const name of found.usedNames) delete unusedAttrNames[name];
      for (const name of found.usedValues) delete unusedAttrVals[name];
      const { expression, sections } = found.parsed;
      // Each request gets a copy, because dynalite writes an update's results into the parsed expression.
      return {
        ...found.parsed,
        expression: replaceValues(expression, found.values, attrVals),
        sections: replaceValues(sections, found.values, attrVals),
      };
    };
  }
}

function parseUncached(key: string, parse: Parser["parse"], text: string, context: Context) {
  const { attrNames = {}, attrVals = {} } = context;
  const left = { names: { ...attrNames }, values: { ...attrVals } };
  const parsed = parse(text, {
    context: { ...context, unusedAttrNames: left.names, unusedAttrVals: left.values },
  });
  const usedNames = Object.keys(attrNames).filter((name) => !(name in left.names));
  const usedValues = Object.keys(attrVals).filter((name) => !(name in left.values));
  if (typeof parsed === "string") return parsed;
  if (known.size >= most) known.clear();
  const values = new Map(Object.entries(attrVals).map(([name, value]) => [value, name]));
  const found: CachedExpression = { parsed, values, usedNames, usedValues };
  known.set(key, found);
  return found;
}

/** A copy of a parsed expression that contains the current request's values instead of the first request's values. */
function replaceValues(
  node: unknown,
  oldValues: CachedExpression["values"],
  newValues: Readonly<Record<string, unknown>>,
): unknown {
  const name = oldValues.get(node);
  if (name !== undefined) return newValues[name];
  if (Array.isArray(node)) return node.map((part) => replaceValues(part, oldValues, newValues));
  if (typeof node !== "object" || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([part, value]) => [part, replaceValues(value, oldValues, newValues)]),
  );
}
