const day = 24 * 60 * 60;

/** A UTC day as quotas are kept by it. Times in seconds since the epoch, `left` in seconds. */
export type Day = { readonly name: string; readonly left: number; readonly expiresAt: number };

/** The UTC day of a moment in milliseconds. Its records may go a day after it is over. */
export function dayOf(milliseconds: number): Day {
  const now = Math.floor(milliseconds / 1000);
  const end = now - (now % day) + day;
  return { name: new Date(milliseconds).toISOString().slice(0, 10), left: end - now, expiresAt: end + day };
}
