import { type Browser, chromium } from "playwright-core";
import { advice, findChromium } from "./find.ts";

declare global {
  /** Outlives the modules, which every test file of a process gets anew. */
  var testChromium: Promise<Browser> | undefined;
}

/**
 * The machine's Chromium, one for all test files of a process: a start takes two seconds of a core. Each visitor opens a
 * context and closes it; the browser ends with the process. Throws an Error that says how to get one where there is none.
 */
export async function sharedChromium(): Promise<Browser> {
  const running = await globalThis.testChromium;
  if (running?.isConnected()) return running;
  globalThis.testChromium = start();
  return globalThis.testChromium;
}

async function start(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error(advice);
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
}
