import { type Browser, chromium } from "playwright-core";
import { advice, findChromium } from "./find.ts";

/** Nobody looks at the pages, and a drawing process and clean-up threads cost a tenth of a visit. */
const args = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--js-flags=--single-threaded-gc"];

declare global {
  /** Vitest loads modules anew for every test file of a process, so the browser is kept outside them. */
  var testChromium: Promise<Browser> | undefined;
}

/**
 * The machine's Chromium, shared by all test files of a process because a start takes two CPU seconds. Each
 * visitor opens and closes its own context; the browser ends with the process. Throws Error with instructions
 * if there is none.
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
  return chromium.launch({ executablePath, args });
}
