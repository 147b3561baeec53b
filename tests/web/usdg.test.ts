import fc from "fast-check";
import { expect, test } from "vitest";
import { findLegAmount } from "../../core/payment/terms.ts";
import { formatUsdg, splitPrice } from "../../web/src/format.ts";

test.each([
  ["250000", "0.25"],
  ["1000000", "1.00"],
  ["12345", "0.012345"],
  ["1", "0.000001"],
  ["0", "0.00"],
  ["1000000000", "1,000.00"],
  ["1234567890123", "1,234,567.890123"],
])("an amount of %s base units is shown as %s USDG", (units, text) => {
  expect(formatUsdg(units)).toBe(text);
});

test("an amount of USDG is shown exactly, without rounding", () => {
  const amount = fc.bigInt({ min: 0n, max: 10n ** 15n });
  fc.assert(
    fc.property(amount, (units) => {
      const [whole = "", fraction = ""] = formatUsdg(String(units)).replaceAll(",", "").split(".");
      expect(BigInt(whole + fraction.padEnd(6, "0"))).toBe(units);
    }),
  );
});

test("the two shown parts of a price are equal to the two charged amounts", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 10n ** 12n }), (units) => {
      const { fee, publisher } = splitPrice(String(units));
      expect(BigInt(fee)).toBe(findLegAmount("fee", units));
      expect(BigInt(publisher)).toBe(findLegAmount("publisher", units));
    }),
  );
});
