import { crc32, deflateSync } from "node:zlib";

type Point = readonly [x: number, y: number];
type Colour = readonly [red: number, green: number, blue: number];
type Stroke = { readonly points: readonly Point[]; readonly colour: Colour };

const width = 1200;
const height = 630;

/** The mark of public/favicon.svg, in its units: two lines of text and the price between them. */
const ground: Colour = [0x0b, 0x63, 0x44];
const text: Colour = [0xff, 0xff, 0xff];
const price: Colour = [0x9f, 0xe3, 0xc2];
const strokeWidth = 2.5;
const markSize = 32;
const strokes: readonly Stroke[] = [
  {
    points: [
      [8, 8],
      [24, 8],
    ],
    colour: text,
  },
  {
    points: [
      [8, 24],
      [24, 24],
    ],
    colour: text,
  },
  {
    points: [
      [8, 19],
      [13, 14],
      [17, 17],
      [24, 10],
    ],
    colour: price,
  },
];

/** Pixels of the card for one unit of the mark. */
const scale = 18;

/**
 * Draws the picture of shared links: the site's mark as a PNG of 1200 × 630 pixels. Readers of Open Graph do
 * not accept SVG, and the repository holds no binary files.
 */
export function drawCard(): Buffer {
  const empty = Buffer.alloc(width * 3, Buffer.from(ground));
  const rows = Array.from({ length: height }, (_, y) => {
    const row = Buffer.from(empty);
    for (const x of markColumns) row.set(colourAt(x, y), x * 3);
    // Each row begins with its filter type, 0.
    return Buffer.concat([Buffer.alloc(1), row]);
  });
  return png(Buffer.concat(rows));
}

/** The columns that the mark may touch. */
const markColumns = Array.from({ length: markSize * scale }, (_, x) => x + (width - markSize * scale) / 2);

function colourAt(x: number, y: number): Colour {
  const at: Point = [
    (x + 0.5 - width / 2) / scale + markSize / 2,
    (y + 0.5 - height / 2) / scale + markSize / 2,
  ];
  return strokes.reduce((below, { points, colour }) => mixed(below, colour, cover(at, points)), ground);
}

/** The share of a pixel that a stroke with round ends covers, 0 to 1. */
function cover(at: Point, points: readonly Point[]): number {
  const distances = points.slice(1).map((to, index) => distance(at, points[index] ?? to, to));
  return Math.min(1, Math.max(0, 0.5 + (strokeWidth / 2 - Math.min(...distances)) * scale));
}

/** The distance of a point from the line between two others. */
function distance([x, y]: Point, [fromX, fromY]: Point, [toX, toY]: Point): number {
  const [runX, runY] = [toX - fromX, toY - fromY];
  const along = ((x - fromX) * runX + (y - fromY) * runY) / (runX ** 2 + runY ** 2);
  const clamped = Math.min(1, Math.max(0, along));
  return Math.hypot(x - fromX - clamped * runX, y - fromY - clamped * runY);
}

function mixed(below: Colour, above: Colour, share: number): Colour {
  const mix = (one: number, other: number) => Math.round(one + (other - one) * share);
  return [mix(below[0], above[0]), mix(below[1], above[1]), mix(below[2], above[2])];
}

/** RFC 2083: the signature, the header (8 bits a channel, true colour), the pixels, the end. */
function png(rows: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
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
