import { type Data, type Store, validationError } from "dynalite/db/index.js";
import { type Custom, checkTypes, checkValidations, type Types } from "dynalite/validations/index.js";
import * as z from "zod";

/** What a request may contain, in dynalite's own schema language. */
export interface RequestShape {
  readonly types: Types;
  readonly custom?: Custom | undefined;
}

export const returnConsumedCapacity = { type: "String", enum: ["INDEXES", "TOTAL", "NONE"] } as const;
export const returnItemCollectionMetrics = { type: "String", enum: ["SIZE", "NONE"] } as const;
export const returnOldItem = { type: "String", enum: ["ALL_OLD", "NONE"] } as const;

/** The request's known parameters, converted, its expressions parsed.
 * @throws SerializationException, ValidationException */
export function checkRequest(shape: RequestShape, body: Data, store: Store): Data {
  const data = checkTypes(body, shape.types);
  checkValidations(data, shape.types, shape.custom, store);
  allowMissingOperands(data);
  return data;
}

/** Parses the expressions of one action of a transaction, in place.
 * @throws ValidationException */
export function checkAction(custom: Custom | undefined, data: Data, store: Store): void {
  const invalid = custom?.(data, store);
  if (invalid !== undefined) throw validationError(invalid);
  allowMissingOperands(data);
}

/** The members of a shape that a transaction's action has, some of them required. */
export function shapeOfAction(types: Types, members: readonly string[], required: readonly string[]): Types {
  const entries = members.map((member) => [
    member,
    required.includes(member) ? mustHave(types[member]) : types[member],
  ]);
  return { ...Object.fromEntries(entries) };
}

function mustHave(type: unknown): unknown {
  return typeof type === "object" ? { ...type, notNull: true } : { type, notNull: true };
}

/** A node of an expression parsed by dynalite; its operands are paths (arrays), values, or nodes. */
const Node = z.looseObject({ type: z.string(), args: z.array(z.unknown()) });
type Node = z.infer<typeof Node>;

const Parsed = z.looseObject({ expression: z.unknown() });

/** Makes comparisons of attributes that an item lacks come out as DynamoDB's: false, `<>` true. dynalite takes two
 * missing attributes for equal and throws at some operators. Changes the parsed expressions of a request in place. */
function allowMissingOperands(data: Data): void {
  for (const name of ["_condition", "_filter"]) {
    const parsed = Parsed.safeParse(data[name]).data;
    if (parsed !== undefined) data[name] = { ...parsed, expression: rewrite(parsed.expression) };
  }
}

function rewrite(expression: unknown): unknown {
  const node = Node.safeParse(expression).data;
  if (node === undefined) return expression;
  const [first, ...others] = node.args;
  switch (node.type) {
    case "and":
    case "or":
    case "not":
      return { ...node, args: node.args.map(rewrite) };
    case "between":
      return all([compare(">=", first, others[0]), compare("<=", first, others[1])]);
    case "in":
      return others
        .map((other) => compare("=", first, other))
        .reduce((a, b) => ({ type: "or", args: [a, b] }));
    case "<>":
      return isValue(others[0]) ? node : { type: "or", args: [{ type: "not", args: [exists(first)] }, node] };
    default:
      return isValue(others[0]) ? node : all([exists(first), node]);
  }
}

function compare(type: string, left: unknown, right: unknown): unknown {
  return rewrite({ type, args: [left, right] });
}

function exists(operand: unknown): Node {
  return { type: "function", name: "attribute_exists", args: [operand] };
}

function all([first, second]: readonly [unknown, unknown]): Node {
  return { type: "and", args: [first, second] };
}

/** Only a value is never missing; a function without a second operand has none to miss. */
function isValue(operand: unknown): boolean {
  return !Array.isArray(operand) && !Node.safeParse(operand).success;
}
