import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { storage } from "../../functions/storage.ts";

export type Item = Readonly<Record<string, AttributeValue>>;

/** Bytes of an item as DynamoDB bills them (developer guide, "DynamoDB item sizes and formats"). */
export function itemSize(item: Item): number {
  return Object.entries(item).reduce((sum, [name, value]) => sum + utf8(name) + valueSize(value), 0);
}

function valueSize(value: AttributeValue): number {
  if (value.S !== undefined) return utf8(value.S);
  if (value.N !== undefined) return Math.ceil(value.N.replace(/^-|\.|^0+|0+$/g, "").length / 2) + 1;
  if (value.L !== undefined) return value.L.reduce((sum, one) => sum + 1 + valueSize(one), 3);
  if (value.M !== undefined) return Object.keys(value.M).length + 3 + itemSize(value.M);
  if (value.BOOL !== undefined || value.NULL !== undefined) return 1;
  throw new TypeError(`The table holds nothing of the kind ${Object.keys(value)}`);
}

function utf8(text: string): number {
  return Buffer.byteLength(text);
}

/**
 * Write units of one change, with those of the indexes that it touches: an index costs one write where it gains, loses
 * or keeps an item that has changed, two where the item moves within it. In a transaction the table's own are doubled.
 */
export function writeUnits(
  before: Item | undefined,
  after: Item | undefined,
  inTransaction: boolean,
): number {
  const own = units(Math.max(sizeOf(before), sizeOf(after)));
  const changed = JSON.stringify(before) !== JSON.stringify(after);
  const ofIndexes = changed
    ? storage.indexes.reduce((sum, index) => sum + indexUnits(before, after, index), 0)
    : 0;
  return own * (inTransaction ? 2 : 1) + ofIndexes;
}

function indexUnits(
  before: Item | undefined,
  after: Item | undefined,
  index: (typeof storage.indexes)[number],
): number {
  const [was, is] = [before, after].map((item) => keyIn(item, index));
  if (was === is) return was === undefined ? 0 : units(Math.max(sizeOf(before), sizeOf(after)));
  return (was === undefined ? 0 : units(sizeOf(before))) + (is === undefined ? 0 : units(sizeOf(after)));
}

function keyIn(item: Item | undefined, { partitionKey, sortKey }: (typeof storage.indexes)[number]) {
  const [partition, sort] = [item?.[partitionKey]?.S, item?.[sortKey]?.S];
  return partition === undefined || sort === undefined ? undefined : `${partition}\n${sort}`;
}

function sizeOf(item: Item | undefined): number {
  return item === undefined ? 0 : itemSize(item);
}

/** A started kilobyte is one, and so is a change of nothing. */
function units(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / 1024));
}
