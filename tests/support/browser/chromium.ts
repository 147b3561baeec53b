import { type Browser, chromium } from "playwright-core";
import { advice, findChromium } from "./find.ts";

/** Starts the machine's Chromium. Throws an Error that says how to get one where there is none. */
export async function startChromium(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error(advice);
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
}
