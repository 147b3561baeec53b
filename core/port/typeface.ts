/** A point in pixels, from the upper left. */
export type Point = readonly [x: number, y: number];

/** Letters as outlines. */
export type Typeface = {
  /** Whether it has a letter for every character of the text; spaces need none. */
  readonly draws: (text: string) => boolean;
  /** Pixels that a text takes at a size, which is in pixels too. */
  readonly width: (text: string, size: number) => number;
  /** The closed outlines of a text that begins at `at` on its baseline. */
  readonly outlines: (text: string, at: Point, size: number) => readonly (readonly Point[])[];
};

export type Typefaces = { readonly serif: Typeface; readonly sans: Typeface };
