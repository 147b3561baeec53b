import { existsSync } from "node:fs";

/** The path of the headless Chromium, which takes half of the CPU time of the full Chromium. */
export const headlessShell = "/usr/bin/chromium-headless-shell";

/** The usual paths of Chromium on Debian and other systems. */
const usual = [headlessShell, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The path of the machine's Chromium; `undefined` if no Chromium is installed. `CHROMIUM_PATH` has precedence over `usual`. */
export function findChromium(): string | undefined {
  const { CHROMIUM_PATH } = process.env;
  return [CHROMIUM_PATH ?? [], ...usual].flat().find((path) => path !== "" && existsSync(path));
}

/** Instructions for a machine without Chromium. */
export const advice =
  "The site's tests need Chromium: `apt-get install chromium-headless-shell`, or set CHROMIUM_PATH to one that is installed.";
