import { existsSync } from "node:fs";

/** The headless build takes half of the CPU time. */
export const headlessShell = "/usr/bin/chromium-headless-shell";

/** The usual paths on Debian and others. */
const usual = [headlessShell, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The path of the machine's Chromium; `undefined` if there is none. `CHROMIUM_PATH` takes precedence. */
export function findChromium(): string | undefined {
  const { CHROMIUM_PATH } = process.env;
  return [CHROMIUM_PATH ?? [], ...usual].flat().find((path) => path !== "" && existsSync(path));
}

/** Instructions for a machine without Chromium. */
export const advice =
  "The site's tests need Chromium: `apt-get install chromium-headless-shell`, or set CHROMIUM_PATH to one that is installed.";
