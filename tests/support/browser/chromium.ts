import { type Browser, chromium } from "playwright-core";
import { advice, findChromium } from "./find.ts";

/**
 * The flags turn off a separate drawing process and clean-up threads. The drawing process and the clean-up threads would take a tenth of a
 * visit's time, and nobody looks at the test's pages.
 */
const args = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--js-flags=--single-threaded-gc"];

declare global {
  /** A global variable holds the browser, because Vitest loads modules again for every test file of a process. */
  var testChromium: Promise<Browser> | undefined;
}

/**
 * The machine's Chromium. All test files of a process share one browser, because each start of Chromium takes two CPU seconds. Each visitor
 * opens and closes its own browser context. The browser ends when the process ends. Throws Error with instructions if the machine has no
 * Chromium.
 */
export async function openSharedChromium(): Promise<Browser> {
  const running = await globalThis.testChromium;
  if (running?.isConnected()) return running;
  globalThis.testChromium = start();
  return globalThis.testChromium;
}

async function start(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error(advice);
  return chromium.launch({ executablePath, args });
}
