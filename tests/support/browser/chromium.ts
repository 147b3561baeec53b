import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

/** Where Debian and others put it. */
const usual = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Starts the machine's Chromium. Throws an Error that says how to get one where there is none. */
export async function startChromium(): Promise<Browser> {
  const { CHROMIUM_PATH } = process.env;
  const found = [CHROMIUM_PATH ?? [], ...usual].flat().find((path) => path !== "" && existsSync(path));
  if (found === undefined) {
    throw new Error(
      "The site's tests need Chromium: `apt-get install chromium`, or set CHROMIUM_PATH to one that is installed.",
    );
  }
  return chromium.launch({ executablePath: found, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
}
