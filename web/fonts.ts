import { createHash, randomUUID } from "node:crypto";
import { access, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Plugin } from "vite";

/**
 * The folder below `node_modules` with the subsetted fonts and their style sheet; `style/index.css` and `index.html` refer to this folder.
 */
const directory = join(import.meta.dirname, "..", "node_modules", ".site-fonts");

/** ASCII characters that are used in code and addresses, and are rare in prose. */
const technical = "#*<=>@[\\]^_`{|}~";

/** Letters, digits and usual English punctuation. These characters are enough for nearly every text. */
const basic = [...`${listCharacters(0x20, 0x7e)}\u00a0·×–—‘’“”…•€−→`]
  .filter((character) => !technical.includes(character))
  .join("");

/**
 * The characters of ASCII and Latin-1 that `basic` lacks, and letters that occur in Western names. The font with these characters is loaded
 * only for a text that contains one of them.
 */
const further = `${technical}${listCharacters(0xa1, 0xff).replace(/[·×]/g, "")}ıŒœ™`;

function listCharacters(from: number, to: number): string {
  return Array.from({ length: to - from + 1 }, (_, at) => String.fromCodePoint(from + at)).join("");
}

type FontSubset = {
  readonly name: string;
  readonly family: "Figtree" | "Newsreader";
  readonly source: string;
  readonly text: string;
  readonly weight: { readonly min: number; readonly max: number } | number;
};

const figtree = "@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2";
const newsreader = "@fontsource-variable/newsreader/files/newsreader-latin-wght-normal.woff2";
const italic = "@fontsource-variable/newsreader/files/newsreader-latin-wght-italic.woff2";

const sans = { family: "Figtree", source: figtree, weight: { min: 400, max: 700 } } as const;
const serif = { family: "Newsreader", source: newsreader, weight: { min: 400, max: 600 } } as const;

const cuts: readonly FontSubset[] = [
  { name: "figtree", ...sans, text: basic },
  { name: "figtree-further", ...sans, text: further },
  { name: "newsreader", ...serif, text: basic },
  { name: "newsreader-further", ...serif, text: further },
  { name: "newsreader-italic", ...serif, source: italic, text: basic + further, weight: 400 },
];

/** Keeps the copyright, the licence and the licence's web address in the subsetted fonts. */
const preserveNameIds = [0, 13, 14];

/** The OpenType features that the site uses, and the features that position letters. */
const keepFeatures = ["ccmp", "kern", "liga", "locl", "mark", "mkmk", "rvrn", "tnum"];

/**
 * Makes the site's fonts, which contain only the characters and weights that the site uses. The fonts that this file makes are a third as
 * large as the fonts in the packages. Each version of the fonts is made once and stored, so that later builds are fast.
 */
export function makeSiteFonts(): Plugin {
  return {
    name: "site-fonts",
    async buildStart() {
      await mkdir(directory, { recursive: true });
      await Promise.all(cuts.map(cutFont));
      await replaceFile(join(directory, "fonts.css"), cuts.map(writeFace).join("\n"));
    },
    // The licence is published with the fonts.
    async generateBundle() {
      const licences = await Promise.all(
        ["figtree", "newsreader"].map((name) => readPackage(`@fontsource-variable/${name}/LICENSE`)),
      );
      this.emitFile({ type: "asset", fileName: "fonts.txt", source: licences.join("\n\n") });
    },
  };
}

/** The CSS rule of a font. The rule lists the font's characters, so that a browser loads only the fonts that a text needs. */
function writeFace({ name, family, source, text, weight }: FontSubset): string {
  const points = new Set([...text].map((character) => character.codePointAt(0) ?? 0));
  const sorted = [...points].toSorted((one, other) => one - other);
  const ends = sorted.filter((point) => !points.has(point + 1));
  const ranges = sorted
    .filter((point) => !points.has(point - 1))
    .map((start, at) => `U+${start.toString(16)}-${ends[at]?.toString(16)}`);
  return `@font-face {
  font-family: ${family};
  src: url("./${name}.woff2") format("woff2");
  font-weight: ${typeof weight === "number" ? weight : `${weight.min} ${weight.max}`};
  font-style: ${source === italic ? "italic" : "normal"};
  font-display: swap;
  unicode-range: ${ranges.join(", ")};
}`;
}

function readPackage(path: string): Promise<Buffer> {
  return readFile(createRequire(import.meta.url).resolve(path));
}

async function cutFont({ name, source, text, weight }: FontSubset): Promise<void> {
  const whole = await readPackage(source);
  const path = join(directory, `${name}.woff2`);
  const wanted = createHash("sha256")
    .update(whole)
    .update(text)
    .update(JSON.stringify([weight, keepFeatures]))
    .digest("hex");
  if (await isFontFresh(path, wanted)) return;
  // The library for subsetting is loaded only if a font must be made.
  const { default: subset } = await import("subset-font");
  const made = await subset(whole, text, {
    targetFormat: "woff2",
    preserveNameIds,
    keepFeatures,
    variationAxes: { wght: weight },
  });
  await replaceFile(path, made);
  await replaceFile(`${path}.sha256`, wanted);
}

async function isFontFresh(path: string, wanted: string): Promise<boolean> {
  try {
    await access(path);
    return (await readFile(`${path}.sha256`, "utf8")) === wanted;
  } catch {
    return false;
  }
}

/** Replaces a file in one step, because another build may read the file at the same time. */
async function replaceFile(path: string, content: string | Uint8Array): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, content);
  await rename(draft, path);
}
