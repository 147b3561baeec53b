/** The pages that are rendered when the site is built and therefore need no JavaScript. */
export const writtenPages = ["terms", "privacy", "contact"] as const;

/** A position in a cover, measured from the upper left, as shares of the cover's width and height. */
type CoverPoint = readonly [x: number, y: number];

/** A press's cover shows the prices of its stock over a year as a line, and the mark and the colour of its author. */
export type Cover = {
  /** The line is empty if the stock has fewer than two prices. */
  readonly line: readonly CoverPoint[];
  /** The filled cells of the author's mark. A cell of the mark is given by its column and row in a square of five by five cells. */
  readonly mark: readonly CoverPoint[];
  readonly hue: number;
};

/** The number of cells in one row of the author's mark. */
export const markSize = 5;

/** The share of the cover's height that stays free above and below the price line. */
const room = 0.2;

/**
 * Makes the cover of a press from the stock's prices of a year, the oldest price first, and from the author's address. The cover looks the
 * same on cards, on pages and in the pictures of links.
 */
export function makeCover(year: readonly number[], author: string): Cover {
  const [low, high] = [Math.min(...year), Math.max(...year)];
  const spread = high - low || 1;
  const line = year.map(
    (price, index): CoverPoint => [
      index / Math.max(1, year.length - 1),
      room + ((high - price) / spread) * (1 - 2 * room),
    ],
  );
  const digits = [...author.replace(/^0x/i, "")].map((digit) => Number.parseInt(digit, 16));
  const half = Math.ceil(markSize / 2);
  const mark = Array.from({ length: half * markSize }, (_, at) => at)
    .filter((at) => (digits[at] ?? 0) % 2 === 1)
    .flatMap((at) => {
      const [column, row] = [at % half, Math.floor(at / half)];
      return [...new Set([column, markSize - 1 - column])].map((x): CoverPoint => [x, row]);
    });
  const hue = digits.slice(-3).reduce((sum, digit) => sum * 16 + digit, 0) % 360;
  return { line: year.length < 2 ? [] : line, mark, hue };
}

/** The saturation and lightness (HSL, in percent) of a cover's colours; the hue depends on the author. */
export const coverTones = {
  ground: { light: [36, 92], dark: [20, 17] },
  line: { light: [36, 40], dark: [40, 68] },
} as const;
