import { inflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { drawSiteCard } from "../../core/page/card.ts";

const card = drawSiteCard();

/** Returns the colour of a pixel. The function decodes the picture as the PNG standard says, without our own drawing code. */
function readPixel(x: number, y: number): string {
  const length = card.readUInt32BE(33);
  const rows = inflateSync(card.subarray(41, 41 + length));
  const at = y * (1 + 1200 * 3) + 1 + x * 3;
  return rows.subarray(at, at + 3).toString("hex");
}

test("the site's card is a small picture of 1200 by 630 pixels, the size for link previews", () => {
  expect([card.readUInt32BE(16), card.readUInt32BE(20)]).toEqual([1200, 630]);
  expect(card.length).toBeLessThan(20_000);
});

test("the site's card shows the logo, text and a price on the site's green", () => {
  expect([readPixel(0, 0), readPixel(1199, 629), readPixel(600, 400)]).toEqual([
    "0b6344",
    "0b6344",
    "0b6344",
  ]);
  expect([readPixel(600, 171), readPixel(600, 459)]).toEqual(["ffffff", "ffffff"]);
  expect(readPixel(546, 279)).toBe("9fe3c2");
});
