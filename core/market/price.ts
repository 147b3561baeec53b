/** USD to four decimals, so that no price shows the noise of binary fractions. */
export function toPrice(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
