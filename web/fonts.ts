import { createHash, randomUUID } from "node:crypto";
import { access, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Plugin } from "vite";

/** Where the cut fonts lie, below `node_modules`: `style/fonts.css` and `index.html` name them there. */
const directory = join(import.meta.dirname, "..", "node_modules", ".site-fonts");

/** Characters of ASCII for code and addresses, which prose seldom has. */
const technical = "#*<=>@[\\]^_`{|}~";

/** Letters, digits, and what English sets beside them. Nearly every text needs no more. */
const basic = [...`${span(0x20, 0x7e)}\u00a0·×–—‘’“”…•€−→`]
  .filter((character) => !technical.includes(character))
  .join("");

/** The rest of ASCII and Latin-1, and what Western names need: loaded when a text holds one of them. */
const further = `${technical}${span(0xa1, 0xff).replace(/[·×]/g, "")}ıŒœ™`;

/** The characters from one code point to another. */
function span(from: number, to: number): string {
  return Array.from({ length: to - from + 1 }, (_, at) => String.fromCodePoint(from + at)).join("");
}

type Cut = {
  readonly name: string;
  readonly source: string;
  readonly text: string;
  readonly weight: { readonly min: number; readonly max: number } | number;
};

const figtree = "@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2";
const newsreader = "@fontsource-variable/newsreader/files/newsreader-latin-wght-normal.woff2";
const italic = "@fontsource-variable/newsreader/files/newsreader-latin-wght-italic.woff2";

const cuts: readonly Cut[] = [
  { name: "figtree", source: figtree, text: basic, weight: { min: 400, max: 700 } },
  { name: "figtree-further", source: figtree, text: further, weight: { min: 400, max: 700 } },
  { name: "newsreader", source: newsreader, text: basic, weight: { min: 400, max: 600 } },
  { name: "newsreader-further", source: newsreader, text: further, weight: { min: 400, max: 600 } },
  { name: "newsreader-italic", source: italic, text: basic + further, weight: 400 },
];

/** Copyright, licence and its address stay in the cut fonts. */
const preserveNameIds = [0, 13, 14];

/** What the site sets, and what letters stand right by. */
const keepFeatures = ["ccmp", "kern", "liga", "locl", "mark", "mkmk", "rvrn", "tnum"];

/**
 * The site's typefaces, cut to the characters and weights that it sets: a third of what the packages hold. They are cut
 * once for each version and kept, so that a later build does not wait for them.
 */
export function siteFonts(): Plugin {
  return {
    name: "site-fonts",
    async buildStart() {
      await mkdir(directory, { recursive: true });
      await Promise.all(cuts.map(cut));
    },
    // The licence goes wherever the fonts go.
    async generateBundle() {
      const licences = await Promise.all(
        ["figtree", "newsreader"].map((name) => readPackage(`@fontsource-variable/${name}/LICENSE`)),
      );
      this.emitFile({ type: "asset", fileName: "fonts.txt", source: licences.join("\n\n") });
    },
  };
}

function readPackage(path: string): Promise<Buffer> {
  return readFile(createRequire(import.meta.url).resolve(path));
}

async function cut({ name, source, text, weight }: Cut): Promise<void> {
  const whole = await readPackage(source);
  const path = join(directory, `${name}.woff2`);
  const wanted = createHash("sha256")
    .update(whole)
    .update(text)
    .update(JSON.stringify([weight, keepFeatures]))
    .digest("hex");
  if (await isMade(path, wanted)) return;
  // Loaded only where a font has to be cut.
  const { default: subset } = await import("subset-font");
  const made = await subset(whole, text, {
    targetFormat: "woff2",
    preserveNameIds,
    keepFeatures,
    variationAxes: { wght: weight },
  });
  await replace(path, made);
  await replace(`${path}.sha256`, wanted);
}

async function isMade(path: string, wanted: string): Promise<boolean> {
  try {
    await access(path);
    return (await readFile(`${path}.sha256`, "utf8")) === wanted;
  } catch {
    return false;
  }
}

/** In one step: another build may read the file meanwhile. */
async function replace(path: string, content: string | Uint8Array): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, content);
  await rename(draft, path);
}
