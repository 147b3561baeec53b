/** Types for the part of opentype.js that we use; the package has no types of its own. Coordinates are in pixels, and y grows downwards. */
declare module "opentype.js/dist/opentype.mjs" {
  type Point = { readonly x: number; readonly y: number };
  type Curve = Point & { readonly x1: number; readonly y1: number };
  type Command =
    | (Point & { readonly type: "M" | "L" })
    | (Curve & { readonly type: "Q" })
    | (Curve & { readonly type: "C"; readonly x2: number; readonly y2: number })
    | { readonly type: "Z" };
  export type Font = {
    charToGlyphIndex(character: string): number;
    getAdvanceWidth(text: string, size: number): number;
    getPath(text: string, x: number, y: number, size: number): { readonly commands: readonly Command[] };
  };
  export function parse(file: ArrayBuffer): Font;
}
