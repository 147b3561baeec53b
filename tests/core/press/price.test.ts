import fc from "fast-check";
import { expect, test } from "vitest";
import { toUnits, toUsdg } from "../../../core/press/schema.ts";

test.each([
  ["0.01", 10_000n],
  ["1.5", 1_500_000n],
  ["19.99", 19_990_000n],
  ["0.000001", 1n],
  ["1000", 1_000_000_000n],
])("an amount of %s USDG is %s base units", (amount, units) => {
  expect(toUnits(amount)).toBe(units);
});

test.each(["", "-1", "1e-7", "1e21", "0.1234567", ".5", "5.", "1,5", "NaN", "0x10", " 1", String(0.1 + 0.2)])(
  "the text %j is refused as an amount",
  (amount) => {
    expect(toUnits(amount)).toBeUndefined();
  },
);

test("every amount is the same after conversion to base units and back", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 1_000_000_000n }), (units) => {
      // JavaScript writes very small numbers with an exponent, and a price must not have an exponent.
      fc.pre(units >= 10n);
      expect(toUnits(String(toUsdg(units)))).toBe(units);
      expect(toUsdg(String(units))).toBe(Number(units) / 1_000_000);
    }),
  );
});
