import { existsSync } from "node:fs";

/** The one without a window of its own, which takes half of the processor's time. */
export const headlessShell = "/usr/bin/chromium-headless-shell";

/** Where Debian and others put it. */
const usual = [headlessShell, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The path of the machine's Chromium, `undefined` where there is none. `CHROMIUM_PATH` goes first. */
export function findChromium(): string | undefined {
  const { CHROMIUM_PATH } = process.env;
  return [CHROMIUM_PATH ?? [], ...usual].flat().find((path) => path !== "" && existsSync(path));
}

/** What somebody does who has none. */
export const advice =
  "The site's tests need Chromium: `apt-get install chromium-headless-shell`, or set CHROMIUM_PATH to one that is installed.";
