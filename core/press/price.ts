const decimals = 6;

/**
 * A decimal amount of USDG as base units (six decimals), digit by digit and so exact. `undefined` for a text with more
 * decimals, a sign, an exponent, or anything else that is no such amount.
 */
export function toUnits(amount: string): bigint | undefined {
  const match = /^(\d+)(?:\.(\d{1,6}))?$/.exec(amount);
  if (match === null) return undefined;
  const [, whole = "", fraction = ""] = match;
  return BigInt(whole + fraction.padEnd(decimals, "0"));
}

/** Base units as the number of USDG that replies show; the nearest there is, for reading only. */
export function toUsdg(units: bigint | string): number {
  const digits = String(units).padStart(decimals + 1, "0");
  return Number(`${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`);
}
