/** Before `npm test`: installs Debian's Chromium where there is none and that may be done; says what to do where not. */
import { type ExecFileSyncOptions, execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { advice, findChromium } from "./find.ts";

if (findChromium() === undefined) {
  const mayInstall = existsSync("/usr/bin/apt-get") && process.getuid?.() === 0;
  if (!mayInstall) throw new Error(advice);
  console.log("Installing Chromium for the site's tests");
  const quiet: ExecFileSyncOptions = {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  };
  execFileSync("apt-get", ["update", "-qq"], quiet);
  const install = (name: string) =>
    execFileSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", name], quiet);
  try {
    install("chromium-headless-shell");
  } catch {
    // A release that does not have it by itself.
    install("chromium");
  }
}
