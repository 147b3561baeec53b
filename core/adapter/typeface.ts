import { readFileSync } from "node:fs";
// The module opentype.js is imported by its path, because Node.js cannot recognise the exports of the package's main script.
import { type Font, parse } from "opentype.js/dist/opentype.mjs";
import type { PixelPoint, Typeface, Typefaces } from "../page/card.ts";

/**
 * Reads the typefaces from font files. The paths in `files` are relative to the address `root`, such as `file:///var/task/`. Throws an
 * Error when a font file is missing.
 */
export function readTypefaces(root: URL, files: readonly string[]): Typefaces {
  const readTypeface = (family: string) => {
    const own = files.filter((file) => file.includes(`/${family}/`));
    return makeTypeface(own.map((file) => parse(new Uint8Array(readFileSync(new URL(file, root))).buffer)));
  };
  return { serif: readTypeface("newsreader"), sans: readTypeface("figtree") };
}

/** A typeface whose letters are spread over several font files. Each character is drawn with the first font that contains the character. */
function makeTypeface(fonts: readonly Font[]): Typeface {
  const findFont = (character: string) => fonts.find((font) => font.charToGlyphIndex(character) > 0);
  const splitIntoRuns = (text: string) => splitByFont(text, (character) => findFont(character) ?? fonts[0]);
  return {
    draws: (text) => [...text].every((character) => character === " " || findFont(character) !== undefined),
    width: (text, size) =>
      splitIntoRuns(text).reduce((sum, { font, part }) => sum + font.getAdvanceWidth(part, size), 0),
    traceText(text, [x, y], size) {
      let at = x;
      return splitIntoRuns(text).flatMap(({ font, part }) => {
        const drawn = traceOutlines(font, part, [at, y], size);
        at += font.getAdvanceWidth(part, size);
        return drawn;
      });
    },
  };
}

type FontRun = { readonly font: Font; readonly part: string };

/** Splits a text into parts, so that all characters of a part are in one font. */
function splitByFont(text: string, findFont: (character: string) => Font | undefined): readonly FontRun[] {
  const found: FontRun[] = [];
  for (const character of text) {
    const font = findFont(character);
    if (font === undefined) continue;
    const last = found.at(-1);
    if (last?.font === font) found[found.length - 1] = { font, part: last.part + character };
    else found.push({ font, part: character });
  }
  return found;
}

/**
 * The number of straight lines that replace one curve. In letters that are 72 pixels high, each straight line that replaces a part of a
 * curve is at most one or two pixels long.
 */
const pieces = 10;

function traceOutlines(
  font: Font,
  text: string,
  [x, y]: PixelPoint,
  size: number,
): readonly (readonly PixelPoint[])[] {
  const outlines: PixelPoint[][] = [];
  let now: PixelPoint = [x, y];
  for (const command of font.getPath(text, x, y, size).commands) {
    if (command.type === "Z") continue;
    const to: PixelPoint = [command.x, command.y];
    if (command.type === "M") outlines.push([to]);
    else outlines.at(-1)?.push(...flattenCurve(now, command, to));
    now = to;
  }
  return outlines;
}

type CurveCommand = Exclude<ReturnType<Font["getPath"]>["commands"][number], { readonly type: "Z" }>;

/** The points of a line or a Bézier curve, except the first point. */
function flattenCurve(from: PixelPoint, curve: CurveCommand, to: PixelPoint): readonly PixelPoint[] {
  if (!("x1" in curve)) return [to];
  const one: PixelPoint = [curve.x1, curve.y1];
  const points = curve.type === "C" ? [from, one, [curve.x2, curve.y2] as const, to] : [from, one, to];
  return Array.from({ length: pieces }, (_, piece) => findPoint(points, (piece + 1) / pieces));
}

/** De Casteljau's algorithm. */
function findPoint(points: readonly PixelPoint[], share: number): PixelPoint {
  const [first = [0, 0], ...others] = points;
  if (others.length === 0) return first;
  const between = others.map(([x, y], index): PixelPoint => {
    const [fromX, fromY] = points[index] ?? first;
    return [fromX + (x - fromX) * share, fromY + (y - fromY) * share];
  });
  return findPoint(between, share);
}
