/**
 * Runs before `npm test`: installs Debian's headless Chromium, because headless Chromium needs half the CPU time of the full Chromium. If
 * the user may not install packages, the program prints instructions instead.
 */
import { type ExecFileSyncOptions, execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { advice, findChromium, headlessShell } from "./find.ts";

const mayInstall = existsSync("/usr/bin/apt-get") && process.getuid?.() === 0;
if (process.env.CHROMIUM_PATH === undefined && mayInstall && !existsSync(headlessShell)) {
  console.log("Installing Chromium for the site's tests");
  const isThere = install("chromium-headless-shell") || findChromium() !== undefined;
  // Debian releases without the package of the headless Chromium have the package of the full Chromium.
  if (!isThere) install("chromium");
}
if (findChromium() === undefined) throw new Error(advice);

/** Installs the named package. Returns whether Chromium is installed now. */
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
