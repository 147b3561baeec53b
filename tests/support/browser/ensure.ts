/**
 * Before `npm test`: installs Debian's Chromium without a window where that may be done, for it takes half of the processor's
 * time of the whole one; says what to do where there is none.
 */
import { type ExecFileSyncOptions, execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { advice, findChromium, headlessShell } from "./find.ts";

const mayInstall = existsSync("/usr/bin/apt-get") && process.getuid?.() === 0;
if (process.env.CHROMIUM_PATH === undefined && mayInstall && !existsSync(headlessShell)) {
  console.log("Installing Chromium for the site's tests");
  const isThere = install("chromium-headless-shell") || findChromium() !== undefined;
  // A release that does not have it by itself has the whole one.
  if (!isThere) install("chromium");
}
if (findChromium() === undefined) throw new Error(advice);

/** Answers whether it is there now. */
function install(name: string): boolean {
  const quiet: ExecFileSyncOptions = {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  };
  try {
    execFileSync("apt-get", ["update", "-qq"], quiet);
    execFileSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", name], quiet);
    return true;
  } catch {
    return false;
  }
}
