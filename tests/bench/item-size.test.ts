import { expect, test } from "vitest";
import { computeItemSize, countWriteUnits, type TableItem } from "../../bench/cost/service.ts";

const key = { pk: { S: "press#1" }, sk: { S: "press" } };
const kilobyte = { text: { S: "x".repeat(1024) } };
const shelved = { ...key, gsi1pk: { S: "live" }, gsi1sk: { S: "2026-01-01" } };

test.each<[string, TableItem, number]>([
  ["a text by its bytes in UTF-8", { a: { S: "é" } }, 3],
  ["a number by its significant digits", { a: { N: "-1234.50" } }, 1 + 3 + 1],
  ["a null and a boolean as a byte each", { a: { NULL: true }, b: { BOOL: false } }, 4],
  ["a list as three bytes and one for each entry", { a: { L: [{ S: "xy" }, { S: "z" }] } }, 1 + 3 + 2 + 3],
  ["a map like a list, with its names", { a: { M: { b: { S: "xy" } } } }, 1 + 3 + 1 + 3],
])("the computed size of an item counts %s", (_, item, size) => {
  expect(computeItemSize(item)).toBe(size);
});

test.each<[string, TableItem | undefined, TableItem | undefined, boolean, number]>([
  ["a small item", undefined, key, false, 1],
  ["a started kilobyte", undefined, { ...key, ...kilobyte }, false, 2],
  ["the old item, if it was larger", { ...key, ...kilobyte }, key, false, 2],
  ["a transaction, twice", undefined, { ...key, ...kilobyte }, true, 4],
  ["a condition in a transaction, twice", key, key, true, 2],
  ["an item that comes into an index", undefined, shelved, false, 2],
  ["an item that moves in an index", shelved, { ...shelved, gsi1sk: { S: "2026-01-02" } }, false, 3],
  ["an item that leaves an index", shelved, key, false, 2],
  ["an unchanged item: its index is not written", shelved, shelved, false, 1],
  ["a transaction: its indexes are written once", undefined, shelved, true, 3],
])(
  "the computed cost of a change is in write units and counts %s",
  (_, before, after, inTransaction, units) => {
    expect(countWriteUnits(before, after, inTransaction)).toBe(units);
  },
);
