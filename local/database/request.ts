import type { Data, Store } from "dynalite/db/index.js";
import { validationError } from "dynalite/db/index.js";
import { type Custom, checkTypes, checkValidations, type Types } from "dynalite/validations/index.js";
import { allowMissingOperands } from "./missing-operands.ts";

/** What a request may contain, in dynalite's own schema language. */
export interface RequestShape {
  readonly types: Types;
  readonly custom?: Custom | undefined;
}

export const tableName = {
  type: "String",
  notNull: true,
  regex: "[a-zA-Z0-9_.-]+",
  lengthGreaterThanOrEqual: 3,
  lengthLessThanOrEqual: 255,
} as const;

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
