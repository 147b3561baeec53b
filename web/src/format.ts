import { splitPrice as split } from "../../core/press/schema.ts";

/** Shortens an address or a hash to its first and last characters, in lower case: `0x1234…abcd`. */
export function shortenHex(value: string): string {
  const hex = value.toLowerCase();
  return hex.length <= 12 ? hex : `${hex.slice(0, 6)}…${hex.slice(-4)}`;
}

/**
 * Shortens an address to its first and last characters: `0x12345678…9abcdef0`. The result shows so many characters that nobody can make
 * another address with the same short form.
 */
export function formatLongHex(address: string): string {
  const hex = address.toLowerCase();
  return `${hex.slice(0, 10)}…${hex.slice(-8)}`;
}

const date = { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" } as const;
const time = { hour: "2-digit", minute: "2-digit" } as const;
const day = new Intl.DateTimeFormat("en-GB", date);
const moment = new Intl.DateTimeFormat("en-GB", { ...date, ...time });
const instant = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "medium",
  timeStyle: "medium",
  timeZone: "UTC",
});
const clock = new Intl.DateTimeFormat("en-GB", time);

/** The UTC day of an ISO 8601 time, as in `4 Sept 2026`. */
export function formatDay(timestamp: string): string {
  return day.format(new Date(timestamp));
}

/** An ISO 8601 time in UTC to the minute, as in `4 Sept 2026, 08:02 UTC`. */
export function formatToMinute(timestamp: string): string {
  return `${moment.format(new Date(timestamp))} UTC`;
}

/**
 * The UTC time of an ISO 8601 time, to the second. The seconds are shown so that readers can distinguish two times within the same minute.
 */
export function formatToSecond(timestamp: string): string {
  return `${instant.format(new Date(timestamp))} UTC`;
}

/** An ISO 8601 time in the reader's time zone to the minute, as in `10:02`. */
export function formatTime(timestamp: string): string {
  return clock.format(new Date(timestamp));
}

const ago = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const units = [
  ["day", 24 * 60 * 60 * 1000],
  ["hour", 60 * 60 * 1000],
  ["minute", 60 * 1000],
] as const;

/** The age of an ISO 8601 time, as in `3 hours ago`. If a time is more than a week ago, its date is shown. `now` is in milliseconds. */
export function formatAgo(timestamp: string, now: number): string {
  const passed = now - Date.parse(timestamp);
  if (passed > 7 * units[0][1]) return formatDay(timestamp);
  const unit = units.find(([, length]) => passed >= length);
  return unit === undefined ? "just now" : ago.format(-Math.floor(passed / unit[1]), unit[0]);
}

const usd = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });

export function formatDollars(price: number): string {
  return usd.format(price);
}

const amounts = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 6 });

/** Writes an amount of USDG, given as a number, with at least two decimals. */
export function formatAmount(usdg: number): string {
  return amounts.format(usdg);
}

/** Writes a count with its noun, in the singular or the plural: `1 press`, `1,204 presses`. */
export function formatCount(amount: number, singular: string, plural: string): string {
  return `${amount.toLocaleString("en-US")} ${amount === 1 ? singular : plural}`;
}

export function countVotes({ up, down }: { readonly up: number; readonly down: number }): string {
  return `${up} up, ${down} down`;
}

const usdgDecimals = 6;

/**
 * An exact amount of USDG with at least two decimals, as in `0.25` or `0.012345`.
 * @param units - Base units as a decimal string.
 */
export function formatUsdg(units: string): string {
  const padded = units.padStart(usdgDecimals + 1, "0");
  const whole = padded.slice(0, -usdgDecimals);
  const fraction = padded.slice(-usdgDecimals).replace(/0+$/, "").padEnd(2, "0");
  return `${whole.replace(/\B(?=(?:\d{3})+$)/g, ",")}.${fraction}`;
}

/** An exact amount of USDG in dollars, as in `$0.25`: one USDG is a dollar. `units` are base units. */
export function formatUnitsAsDollars(units: string): string {
  return `$${formatUsdg(units)}`;
}

/** An amount of wei in ETH, rounded up to two significant digits. */
export function formatRoundedEther(wei: bigint): string {
  const step = 10n ** BigInt(Math.max(0, String(wei).length - 2));
  const ether = Number(((wei + step - 1n) / step) * step) / 1e18;
  return ether.toLocaleString("en-US", { maximumSignificantDigits: 2 });
}

/** The two parts of a press's price (fee and publisher's part), in base units. */
export function splitPrice(units: string): { readonly fee: string; readonly publisher: string } {
  const { fee, publisher } = split(BigInt(units));
  return { fee: String(fee), publisher: String(publisher) };
}
