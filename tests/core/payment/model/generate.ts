import * as fc from "fast-check";
import type { Case, Operation, ReadFault } from "./operation.ts";

const nat = (max: number) => fc.integer({ min: 0, max });
const payer = fc.constantFrom(0, 0, 1, 1, 2);
/** One press is asked for most: requests must meet. */
const press = fc.constantFrom(0, 0, 0, 1, 1, 2);
/** Something or, so many times as often, nothing. */
function seldom<Value>(arbitrary: fc.Arbitrary<Value>, nothing: number): fc.Arbitrary<Value | undefined> {
  return fc.oneof({ weight: nothing, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
}

const crash = seldom(
  fc.record({ call: fc.integer({ min: 1, max: 14 }), when: fc.constantFrom("before", "after") }),
  2,
);

const ambush = seldom(
  fc.record({
    call: fc.integer({ min: 2, max: 9 }),
    deed: fc.constantFrom(
      "pause",
      "freeze",
      "drain",
      "revoke",
      "move press",
      "settle this",
      "settle this",
      "settle hidden",
      "take back",
      "copy",
      "copy",
      "copy",
      "stray",
      "fee spike",
    ),
  }),
  1,
);

const pay = fc.record({
  do: fc.constant("pay"),
  payer,
  press,
  leg: fc.constantFrom("next", "next", "next", "fee", "publisher"),
  header: fc.constantFrom("fresh", "fresh", "again", "again", "older"),
  life: fc.constantFrom(300, 300, 300, 9, 590, 700),
  named: fc.boolean(),
  echoes: fc.constantFrom(true, true, true, false),
  twice: fc.constantFrom(false, false, false, true),
  oldTerms: fc.boolean(),
  ambush,
  crash,
});
const readFault: fc.Arbitrary<ReadFault> = fc.oneof(
  fc.record({ kind: fc.constantFrom("silent", "no receipts", "pruned") }),
  fc.record({ kind: fc.constant("item"), at: nat(11) }),
  fc.record({ kind: fc.constant("late"), blocks: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ kind: fc.constant("mixed"), blocks: fc.integer({ min: 1, max: 4 }), at: nat(31) }),
);
const sendFault = fc.constantFrom(
  "silent",
  "refused",
  "unsupported",
  "unmined",
  "unheard",
  "mined unheard",
  "forgotten",
);

const deed = fc.oneof(
  { weight: 20, arbitrary: pay },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant("grief"), griefer: nat(3), press, again: fc.boolean() }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("reconcile"), crash }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("mine"), blocks: fc.integer({ min: 1, max: 3 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("wait"), seconds: fc.constantFrom(1, 8, 16, 31, 61, 310) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom("pause", "heal", "heal", "heal", "fee spike") }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("move press"), press }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("freeze", "drain", "revoke"), payer }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("freeze owner"), owner: nat(1) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("stray", "dry"), relayer: nat(1) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom("settle", "settle hidden"),
      which: nat(9),
      broadcast: fc.boolean(),
      two: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("settle late"), seconds: fc.constantFrom(16, 61, 240) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("copy"),
      which: fc.constantFrom(0, 0, 0, 1, 2),
      dress: fc.constantFrom("nothing", "own ticket", "own name"),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("read fault"),
      fault: readFault,
      times: fc.integer({ min: 1, max: 4 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("send fault"),
      fault: sendFault,
      times: fc.integer({ min: 1, max: 2 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("table fault"),
      fault: fc.constantFrom("before", "after", "conflict"),
      after: nat(6),
    }),
  },
);
const operation: fc.Arbitrary<Operation> = fc
  .tuple(deed, fc.oneof(nat(6), fc.constantFrom(12, 30)))
  .map(([what, steps]) => ({ ...what, steps }));

/** Runs of about `length` operations. */
export function cases(length: number): fc.Arbitrary<Case> {
  return fc.record({
    operations: fc.array(operation, { minLength: 1, maxLength: length, size: "max" }),
    choices: fc.array(nat(11), { minLength: 1, maxLength: 60, size: "max" }),
    skew: fc.constantFrom(0, 0, -2000, 2000),
    back: fc.record({
      header: fc.constantFrom("fresh", "again"),
      late: fc.boolean(),
      settled: fc.constantFrom("not", "openly", "hidden"),
    }),
  });
}
