import { crc32, deflateSync } from "node:zlib";

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

export type Colour = readonly [red: number, green: number, blue: number];

type Outlines = readonly (readonly Point[])[];

export type Picture = {
  /** Fills what the outlines enclose. Edges are smooth. */
  readonly fill: (outlines: Outlines, colour: Colour) => void;
  /** As PNG (RFC 2083): 8 bits a channel, true colour. */
  readonly png: () => Buffer;
};

/** Lines in which a row of pixels is looked at; across, edges are exact. */
const slices = 4;

/** A picture of one colour so far. */
export function newPicture(width: number, height: number, ground: Colour): Picture {
  const pixels = Buffer.alloc(width * height * 3, Buffer.from(ground));
  return {
    fill(outlines, colour) {
      const crossings = crossingsOf(outlines, height);
      for (let row = 0; row < height; row += 1) {
        const cover = coverOf(crossings, row, width);
        if (cover === undefined) continue;
        for (const [x, share] of cover.entries()) {
          if (share > 0) mix(pixels, (row * width + x) * 3, colour, Math.min(1, share));
        }
      }
    },
    png: () => encode(pixels, width, height),
  };
}

/** Where an outline crosses a slice, and whether it does so downwards (1) or upwards (-1). */
type Crossing = { readonly x: number; readonly turn: 1 | -1 };

/** The crossings of each slice, by its number from the top. */
function crossingsOf(outlines: Outlines, height: number): ReadonlyMap<number, Crossing[]> {
  const found = new Map<number, Crossing[]>();
  for (const outline of outlines) {
    for (const [index, to] of outline.entries()) {
      const from = outline.at(index - 1) ?? to;
      const [upper, lower, turn] = from[1] < to[1] ? [from, to, 1 as const] : [to, from, -1 as const];
      const first = Math.max(0, Math.ceil(upper[1] * slices - 0.5));
      const end = Math.min(height * slices, Math.ceil(lower[1] * slices - 0.5));
      for (let slice = first; slice < end; slice += 1) {
        const share = ((slice + 0.5) / slices - upper[1]) / (lower[1] - upper[1]);
        const crossing = { x: upper[0] + (lower[0] - upper[0]) * share, turn };
        const others = found.get(slice);
        if (others === undefined) found.set(slice, [crossing]);
        else others.push(crossing);
      }
    }
  }
  return found;
}

/** How much of each pixel of a row is inside, 0 to 1; `undefined` where nothing is. */
function coverOf(
  crossings: ReadonlyMap<number, Crossing[]>,
  row: number,
  width: number,
): Float64Array | undefined {
  let cover: Float64Array | undefined;
  for (let slice = row * slices; slice < (row + 1) * slices; slice += 1) {
    const here = crossings.get(slice);
    if (here === undefined) continue;
    cover ??= new Float64Array(width);
    here.sort((one, other) => one.x - other.x);
    let winding = 0;
    let start = 0;
    for (const { x, turn } of here) {
      // Letters overlap themselves: what is enclosed twice is inside as well.
      if (winding === 0) start = x;
      winding += turn;
      if (winding === 0) addSpan(cover, start, x);
    }
  }
  return cover;
}

function addSpan(cover: Float64Array, from: number, to: number): void {
  const [start, end] = [Math.max(0, from), Math.min(cover.length, to)];
  for (let x = Math.floor(start); x < end; x += 1) {
    cover[x] = (cover[x] ?? 0) + (Math.min(x + 1, end) - Math.max(x, start)) / slices;
  }
}

function mix(pixels: Buffer, at: number, colour: Colour, share: number): void {
  for (const [channel, above] of colour.entries()) {
    const below = pixels[at + channel] ?? 0;
    pixels[at + channel] = Math.round(below + (above - below) * share);
  }
}

function encode(pixels: Buffer, width: number, height: number): Buffer {
  // Each row begins with its filter: none.
  const rows = Array.from({ length: height }, (_, row) =>
    Buffer.concat([Buffer.alloc(1), pixels.subarray(row * width * 3, (row + 1) * width * 3)]),
  );
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.concat(rows))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)]);
}
