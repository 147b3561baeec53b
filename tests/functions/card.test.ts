import { existsSync } from "node:fs";
import { inflateSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { coverTones, makeCover } from "../../core/page/schema.ts";
import { save } from "../../core/press/own.ts";
import { handler as card } from "../../functions/http/card.ts";
import { typefaceFiles } from "../../functions/storage.ts";
import { makeDraft, publish, publisher } from "../core/press/newsroom.ts";
import { startPart } from "../support/provide.ts";
import { invoke } from "./lib/call.ts";
import { makePorts } from "./lib/desk.ts";
import { startStage } from "./lib/stage.ts";

let slugs: readonly string[];
const stored = startPart(startStage);
beforeAll(async () => {
  const room = makePorts(stored.table);
  const said = [{}, { publisherName: "Another" }, { headline: "苹果公司的利润再次增长" }];
  const live = [];
  for (const [index, changes] of said.entries()) live.push(await publish(room, index, changes));
  slugs = live.map(({ slug }) => slug);
  await save(room, publisher, makeDraft());
});

const ask = (file: string) => invoke(card, "card", { path: { file } });

/** Reads the size and the pixels of a PNG picture whose rows use no filter (RFC 2083). */
function readPng(text = "") {
  const png = Buffer.from(text, "base64");
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const rows = inflateSync(png.subarray(41, 41 + png.readUInt32BE(33)));
  const readPixel = (x: number, y: number) => rows.subarray(y * (1 + width * 3) + 1 + x * 3).subarray(0, 3);
  return { width, height, readPixel, bytes: png.length };
}

/** Counts the pixels that are as dark as letters, between two rows of a picture. */
function countInk({ readPixel, width }: ReturnType<typeof readPng>, top: number, bottom: number): number {
  let found = 0;
  for (let y = top; y < bottom; y += 1) {
    for (let x = 0; x < width; x += 1) if ((readPixel(x, y)[0] ?? 255) < 60) found += 1;
  }
  return found;
}

/** Computes the background colour of an author's covers from HSL (CSS Color 4 §7.1). */
function computeBackground(author: string): string {
  const { hue } = makeCover([], author);
  const [saturation, lightness] = coverTones.ground.light.map((part) => part / 100);
  if (saturation === undefined || lightness === undefined) throw new Error("There is no tone.");
  const chroma = saturation * Math.min(lightness, 1 - lightness);
  const computeChannel = (at: number) => {
    const turn = (at + hue / 30) % 12;
    return Math.round(255 * (lightness - chroma * Math.max(-1, Math.min(turn - 3, 9 - turn, 1))));
  };
  return Buffer.from([computeChannel(0), computeChannel(8), computeChannel(4)]).toString("hex");
}

test("a press's picture has 1200 by 630 pixels, shows the headline, depends on the author, is the same at each request, and may be cached for a day", async () => {
  const answer = await ask(`${slugs[0]}.png`);
  expect(answer).toMatchObject({
    status: 200,
    headers: {
      "content-type": "image/png",
      "cache-control": "public, max-age=0, s-maxage=86400, stale-while-revalidate=604800",
    },
  });
  const picture = readPng(answer.text);
  expect([picture.width, picture.height]).toEqual([1200, 630]);
  // The cover's background has the author's colour, unlike the card around the cover.
  expect(picture.readPixel(600, 4).toString("hex")).toBe(computeBackground(publisher));
  expect(picture.readPixel(20, 300).toString("hex")).toBe("faf7f1");
  expect(countInk(picture, 200, 480)).toBeGreaterThan(3_000);
  expect(picture.bytes).toBeLessThan(100_000);
  expect((await ask(`${slugs[0]}.png`)).text).toBe(answer.text);
  expect((await ask(`${slugs[1]}.png`)).text).not.toBe(answer.text);
});

test("if a headline has letters that the site's fonts lack, the picture shows the stock's name instead", async () => {
  const answer = await ask(`${slugs[2]}.png`);
  expect(answer.status).toBe(200);
  expect(countInk(readPng(answer.text), 200, 480)).toBeGreaterThan(1_000);
});

test.each([
  ["a draft", "apple-s-margins-widen-again-4.png"],
  ["another slug of a live press", "something-else-1.png"],
  ["no press", "no-such-press-zz.png"],
  ["a press without .png", "apple-s-margins-widen-again-1"],
])("a request for the picture of %s is answered with 404", async (_, file) => {
  expect(await ask(file)).toMatchObject({ status: 404, body: { code: "unknown_press" } });
});

test("the function's package contains the fonts that the function reads", () => {
  expect(typefaceFiles.filter((file) => !existsSync(file))).toEqual([]);
});
