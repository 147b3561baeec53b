const decimals = 6;

/**
 * An amount of USDG for people: exact, with at least two decimals, as in `0.25` or `0.012345`.
 *
 * @param units - Base units as a decimal string.
 */
export function formatUsdg(units: string): string {
  const padded = units.padStart(decimals + 1, "0");
  const whole = padded.slice(0, -decimals);
  const fraction = padded.slice(-decimals).replace(/0+$/, "").padEnd(2, "0");
  return `${whole.replace(/\B(?=(?:\d{3})+$)/g, ",")}.${fraction}`;
}

/** An amount of USDG in dollars, exact, as in `$0.25`: USDG is a dollar. `units` are base units. */
export function dollars(units: string): string {
  return `$${formatUsdg(units)}`;
}

/** How the price of a press is paid, in base units: a tenth, rounded down, and the rest (specification §4.4). */
export function splitPrice(units: string): { readonly fee: string; readonly publisher: string } {
  const price = BigInt(units);
  const fee = (price * 10n) / 100n;
  return { fee: String(fee), publisher: String(price - fee) };
}
