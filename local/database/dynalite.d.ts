/** The parts of dynalite 4.0.0 that this project uses. dynalite ships without types. */
declare module "dynalite/db/index.js" {
  export type Data = Record<string, unknown>;
  export type Item = Record<string, Record<string, unknown>>;
  export type Callback<T = unknown> = (error: Error | null | undefined, value?: T) => void;
  export type Action = (store: Store, data: Data, callback: Callback) => void;

  interface KeyElement {
    readonly AttributeName: string;
    readonly KeyType: "HASH" | "RANGE";
  }
  export interface Index {
    readonly IndexName: string;
    readonly KeySchema: readonly KeyElement[];
  }
  export interface Table {
    readonly TableName: string;
    readonly KeySchema: readonly KeyElement[];
    readonly GlobalSecondaryIndexes?: readonly Index[];
    readonly LocalSecondaryIndexes?: readonly Index[];
  }

  export type Write =
    | { readonly type: "put"; readonly key: string; readonly value: unknown }
    | { readonly type: "del"; readonly key: string };
  export interface Range {
    readonly gte?: string;
    readonly gt?: string;
    readonly lte?: string;
    readonly lt?: string;
    readonly limit?: number;
    readonly reverse?: boolean;
  }
  export interface Level {
    open(): Promise<void>;
    close(): Promise<void>;
    get(key: string): Promise<unknown>;
    batch(writes: readonly Write[]): Promise<void>;
    iterator(range: Range): { all(): Promise<[string, unknown][]> };
    keys(range: Range): { all(): Promise<string[]> };
  }
  export interface SubDb {
    get(key: string, callback: Callback): void;
    put(key: string, value: unknown, callback: Callback): void;
    del(key: string, callback: Callback): void;
    batch(writes: readonly Write[], callback: Callback): void;
    createValueStream(range: Range): import("node:stream").Readable;
    lock(key: string, run: (release: (callback: Callback) => Callback) => void): void;
  }
  export interface TableDb extends SubDb {
    readonly awsAccountId: string;
    readonly awsRegion: string;
  }
  export interface Store {
    readonly options: { readonly maxItemSize: number };
    readonly db: Level;
    readonly tableDb: TableDb;
    getItemDb(table: string): SubDb;
    getIndexDb(kind: string, table: string, index: string): SubDb;
    getTagDb(table: string): SubDb;
    deleteItemDb(table: string, callback: Callback): void;
    deleteIndexDb(kind: string, table: string, index: string, callback: Callback): void;
    deleteTagDb(table: string, callback: Callback): void;
    getTable(
      table: string,
      ...rest: [callback: Callback<Table>] | [checkStatus: boolean, callback: Callback<Table>]
    ): void;
  }

  export function create(options: {
    readonly path?: string;
    readonly createTableMs: number;
    readonly deleteTableMs: number;
    readonly updateTableMs: number;
  }): Store;
  export function createKey(item: Item, table: Table): string;
  export function validateKey(key: Item, table: Table): Error | null | undefined;
  export function validateItem(item: Item, table: Table): Error | null | undefined;
  export function validationError(message: string): Error;
  export function checkConditional(data: Data, existing: Item | undefined): Error | null | undefined;
  export function itemSize(item: Item): number;
  export function capacityUnits(item: Item | undefined, isRead: boolean, isConsistent: boolean): number;
}

declare module "dynalite/validations/index.js" {
  import type { Data, Store } from "dynalite/db/index.js";
  export type Types = Readonly<Record<string, unknown>>;
  export type Custom = (data: Data, store: Store) => string | undefined;
  export function checkTypes(data: Data, types: Types): Data;
  export function checkValidations(data: Data, types: Types, custom: Custom | undefined, store: Store): void;
}

declare module "dynalite/validations/*.js" {
  import type { Custom, Types } from "dynalite/validations/index.js";
  export const types: Types;
  export const custom: Custom | undefined;
}

declare module "dynalite/actions/*.js" {
  import type { Action } from "dynalite/db/index.js";

  const action: Action;
  export default action;
}

declare module "dynalite/db/conditionParser.js" {
  /** The placeholders for names and values that no expression has used yet. A used placeholder is deleted. */
  export interface Context {
    readonly attrNames?: Readonly<Record<string, string>>;
    readonly attrVals?: Readonly<Record<string, object>>;
    readonly unusedAttrNames: Record<string, unknown>;
    readonly unusedAttrVals: Record<string, unknown>;
  }
  /** A parsed condition has an `expression`, and a parsed update expression has `sections`. */
  export interface Parsed {
    readonly expression?: unknown;
    readonly sections?: unknown;
  }
  export interface Parser {
    /** For an invalid expression, throws an error or returns the error's text. */
    parse(text: string, options: { readonly context: Context }): Parsed | string;
  }
  const parser: Parser;
  export default parser;
}

declare module "dynalite/db/updateParser.js" {
  export { default } from "dynalite/db/conditionParser.js";
}
