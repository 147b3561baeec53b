import { crc32, deflateSync } from "node:zlib";
import { cardSize, type PageFacts, toOneLine } from "./make.ts";
import { coverTones, makeCover, markSize } from "./schema.ts";

const margin = 80;
const innerWidth = cardSize.width - 2 * margin;

const paper: Colour = [0xfa, 0xf7, 0xf1];
const ink: Colour = [0x18, 0x1a, 0x19];
const quiet: Colour = [0x5b, 0x5b, 0x55];
const green: Colour = [0x0b, 0x63, 0x44];
const mint: Colour = [0x9f, 0xe3, 0xc2];
const white: Colour = [0xff, 0xff, 0xff];

/**
 * The facts on a press's card, which is the picture that link previews show. All facts on a card are public, and do not change while the
 * press is live.
 */
type CardFacts = Pick<PageFacts, "headline" | "stock" | "publisher" | "publisherName" | "audit">;

/**
 * Draws the PNG picture that link previews show for a press, with the press's cover, stock, headline, author and audit score. If the fonts
 * lack a letter of the headline, the picture shows the stock instead of the headline. The picture shows the wallet's address beside the
 * author's name. The parameter `year` contains the stock's prices over one year, the oldest price first.
 */
export function drawCard(press: CardFacts, year: readonly number[], { serif, sans }: Typefaces): Buffer {
  const picture = makePicture(cardSize.width, cardSize.height, paper);
  const write = (face: Typeface, text: string, at: PixelPoint, size: number, colour: Colour) =>
    picture.fill(face.traceText(text, at, size), colour);

  const { line, mark, hue } = makeCover(year, press.publisher);
  const makeTone = (part: keyof typeof coverTones) => toRgb(hue, coverTones[part].light);
  picture.fill([outlineRectangle([0, 0], [cardSize.width, coverHeight])], makeTone("ground"));
  const drawn = line.map(([x, y]): PixelPoint => [x * cardSize.width, y * coverHeight]);
  picture.fill(
    drawn.slice(1).map((to, index) => outlineLine(drawn[index] ?? to, to, 2.5)),
    makeTone("line"),
  );
  const stock = toOneLine(press.stock);
  const badge = sans.width(stock, 34);
  const cell = 9;
  const markAt = margin + 24 + badge + 18;
  const badgeEnd = markAt + markSize * cell + 24;
  picture.fill([roundCorners([margin, 52], [badgeEnd, 128], 38)], paper);
  write(sans, stock, [margin + 24, 102], 34, green);
  picture.fill(
    mark.map(([x, y]) => {
      const from: PixelPoint = [markAt + x * cell, 68 + y * cell];
      return outlineRectangle(from, [from[0] + cell, from[1] + cell]);
    }),
    makeTone("line"),
  );
  const name = "Press Market";
  const nameAt = cardSize.width - margin - sans.width(name, 30);
  picture.fill([roundCorners([nameAt - 84, 52], [nameAt + sans.width(name, 30) + 20, 128], 38)], paper);
  write(sans, name, [nameAt, 100], 30, ink);
  drawLogo(picture.fill, [nameAt - 66, 64]);

  const said = toOneLine(press.headline);
  const headline = serif.draws(said) ? said : `News on ${stock}`;
  const { lines, size } = fitLines(serif, headline);
  const step = size * 1.16;
  const top = 340 - ((lines.length - 1) * step) / 2 + size * 0.35;
  for (const [index, line] of lines.entries()) write(serif, line, [margin, top + index * step], size, ink);

  const byline = toOneLine(press.publisherName);
  // The picture always shows the address of the author's wallet. While the picture is in a cache, another author may begin to use this
  // author's byline.
  const wallet = `${press.publisher.slice(0, 10)}...${press.publisher.slice(-8)}`;
  const score = `Audit ${press.audit.score} of 100`;
  const scoreAt = cardSize.width - margin - sans.width(score, 30);
  const walletWidth = sans.width(wallet, 24);
  const room = scoreAt - margin - 40 - walletWidth - 20;
  const author = sans.draws(byline) ? shortenText(sans, `By ${byline}`, 30, room) : "By";
  const walletAt = margin + sans.width(author, 30) + 20;
  picture.fill([outlineRectangle([margin, 510], [cardSize.width - margin, 512])], [0xe5, 0xdf, 0xd3]);
  write(sans, author, [margin, 566], 30, quiet);
  write(sans, wallet, [walletAt, 566], 24, quiet);
  write(sans, score, [scoreAt, 566], 30, green);
  return picture.png();
}

/** The picture for links to pages without a press: the site's mark on the site's green, as PNG. */
export function drawSiteCard(): Buffer {
  const picture = makePicture(cardSize.width, cardSize.height, green);
  drawLogo(picture.fill, [312, 27], 576);
  return picture.png();
}

/** The height of a card's cover, in pixels. */
const coverHeight = 180;

/** Converts an HSL colour, with saturation and lightness in percent, to red, green and blue. */
function toRgb(hue: number, [saturation, lightness]: readonly [number, number]): Colour {
  const light = lightness / 100;
  const amplitude = (saturation / 100) * Math.min(light, 1 - light);
  const computeChannel = (offset: number) => {
    const at = (offset + hue / 30) % 12;
    return Math.round(255 * (light - amplitude * Math.max(-1, Math.min(at - 3, 9 - at, 1))));
  };
  return [computeChannel(0), computeChannel(8), computeChannel(4)];
}

/** Sizes of a headline, the largest first, with the maximum number of lines at each size. */
const sizes = [
  { size: 76, most: 3 },
  { size: 64, most: 4 },
  { size: 52, most: 5 },
] as const;

/** Splits a headline into lines at the largest size that fits. If a headline is too long even for the smallest size, its end is cut off. */
function fitLines(face: Typeface, text: string) {
  const tried = sizes.map(({ size, most }) => ({ size, most, lines: wrapLines(face, text, size) }));
  const found = tried.find(({ lines, most }) => lines.length <= most) ?? tried.at(-1);
  if (found === undefined) throw new TypeError("No headline size is defined");
  const { size, most, lines } = found;
  return { size, lines: lines.slice(0, most) };
}

/** Splits a text into lines of at most the card's inner width. A word wider than the card's inner width is split. */
function wrapLines(face: Typeface, text: string, size: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(" ").flatMap((each) => splitWord(face, each, size))) {
    const last = lines.at(-1);
    const longer = last === undefined ? word : `${last} ${word}`;
    if (last !== undefined && face.width(longer, size) <= innerWidth) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

function splitWord(face: Typeface, word: string, size: number): readonly string[] {
  if (face.width(word, size) <= innerWidth) return [word];
  const half = Math.ceil(word.length / 2);
  return [...splitWord(face, word.slice(0, half), size), ...splitWord(face, word.slice(half), size)];
}

/** Cuts a text to the given width and adds an ellipsis. */
function shortenText(face: Typeface, text: string, size: number, width: number): string {
  if (face.width(text, size) <= width) return text;
  const letters = [...text];
  while (letters.length > 0 && face.width(`${letters.join("")}...`, size) > width) letters.pop();
  return `${letters.join("").trimEnd()}...`;
}

/** The site's mark (web/public/favicon.svg): two straight lines that stand for text, with a price curve between them. */
function drawLogo(fill: Picture["fill"], [x, y]: PixelPoint, size = 52): void {
  const scale = size / 32;
  const place = ([markX, markY]: PixelPoint): PixelPoint => [x + markX * scale, y + markY * scale];
  const drawLine = (colour: Colour, ...points: readonly PixelPoint[]) => {
    const lines = points
      .slice(1)
      .map((to, index) => outlineLine(place(points[index] ?? to), place(to), 1.35 * scale));
    fill(lines, colour);
  };
  fill([roundCorners([x, y], [x + size, y + size], 7 * scale)], green);
  drawLine(white, [8, 8], [24, 8]);
  drawLine(white, [8, 24], [24, 24]);
  drawLine(mint, [8, 19], [13, 14], [17, 17], [24, 10]);
}

function outlineRectangle([left, top]: PixelPoint, [right, bottom]: PixelPoint): readonly PixelPoint[] {
  return [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ];
}

function roundCorners(
  [left, top]: PixelPoint,
  [right, bottom]: PixelPoint,
  radius: number,
): readonly PixelPoint[] {
  const corners = [
    [right - radius, top + radius],
    [right - radius, bottom - radius],
    [left + radius, bottom - radius],
    [left + radius, top + radius],
  ] as const;
  return corners.flatMap(([x, y], corner) =>
    Array.from({ length: 9 }, (_, step): PixelPoint => {
      const angle = ((corner - 1 + step / 8) * Math.PI) / 2;
      return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
    }),
  );
}

/**
 * A line between two points, extended at both ends by half of the line's width. The outlines of all lines have the same direction, so that
 * overlapping lines do not cancel each other.
 */
function outlineLine(
  [fromX, fromY]: PixelPoint,
  [toX, toY]: PixelPoint,
  halfWidth: number,
): readonly PixelPoint[] {
  const length = Math.hypot(toX - fromX, toY - fromY);
  const [x, y] = [((toX - fromX) / length) * halfWidth, ((toY - fromY) / length) * halfWidth];
  return [
    [fromX - x + y, fromY - y - x],
    [toX + x + y, toY + y - x],
    [toX + x - y, toY + y + x],
    [fromX - x - y, fromY - y + x],
  ];
}

/** A point, in pixels from the upper left corner. */
export type PixelPoint = readonly [x: number, y: number];

export type Typeface = {
  /** Whether the font has a letter for every character of the text, apart from spaces. */
  readonly draws: (text: string) => boolean;
  /** The width of a text in pixels, at a font size in pixels. */
  readonly width: (text: string, size: number) => number;
  /** Returns the closed outlines of a text whose baseline starts at the point `at`. */
  readonly traceText: (text: string, at: PixelPoint, size: number) => readonly (readonly PixelPoint[])[];
};

export type Typefaces = { readonly serif: Typeface; readonly sans: Typeface };

export type Colour = readonly [red: number, green: number, blue: number];

type Outlines = readonly (readonly PixelPoint[])[];

export type Picture = {
  /** Fills the areas inside the outlines with a colour, and smooths the edges. */
  readonly fill: (outlines: Outlines, colour: Colour) => void;
  /** Encodes a picture as PNG (RFC 2083): 8 bits per channel, true colour. */
  readonly png: () => Buffer;
};

/**
 * The number of samples in the vertical direction for each row of pixels. In the horizontal direction, edges are computed exactly and need
 * no samples.
 */
const slices = 4;

/** An empty picture of one colour. */
function makePicture(width: number, height: number, ground: Colour): Picture {
  const pixels = Buffer.alloc(width * height * 3, Buffer.from(ground));
  return {
    fill(outlines, colour) {
      const crossings = findCrossings(outlines, height);
      for (let row = 0; row < height; row += 1) {
        const cover = measureCoverage(crossings, row, width);
        if (cover === undefined) continue;
        for (const [x, share] of cover.entries()) {
          if (share > 0) blendColour(pixels, (row * width + x) * 3, colour, Math.min(1, share));
        }
      }
    },
    png: () => encodePng(pixels, width, height),
  };
}

/**
 * The point where an outline crosses a scan line, and the direction in which the outline crosses the line: downwards (1) or upwards (-1).
 */
type Crossing = { readonly x: number; readonly turn: 1 | -1 };

/** For each scan line, counted from the top: the points where outlines cross the line. */
function findCrossings(outlines: Outlines, height: number): ReadonlyMap<number, Crossing[]> {
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

/** How much of each pixel of a row is covered, from 0 to 1. Returns `undefined` for an empty row. */
function measureCoverage(
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
      // Outlines of letters overlap, so an area inside two outlines is filled too.
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

function blendColour(pixels: Buffer, offset: number, colour: Colour, share: number): void {
  for (const [channel, above] of colour.entries()) {
    const below = pixels[offset + channel] ?? 0;
    pixels[offset + channel] = Math.round(below + (above - below) * share);
  }
}

function encodePng(pixels: Buffer, width: number, height: number): Buffer {
  // In PNG, each row of pixels begins with its filter type, which is "none" in these pictures.
  const rows = Array.from({ length: height }, (_, row) =>
    Buffer.concat([Buffer.alloc(1), pixels.subarray(row * width * 3, (row + 1) * width * 3)]),
  );
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    makeChunk("IHDR", header),
    makeChunk("IDAT", deflateSync(Buffer.concat(rows))),
    makeChunk("IEND", Buffer.alloc(0)),
  ]);
}

function makeChunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)]);
}
