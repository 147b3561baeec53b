import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { curveFile } from "../../../../functions/storage.ts";
import type { Doom } from "./life.ts";

/** Processes that are started in advance, because starting a process takes longer than a payment. */
const waiting = 1;

export type Doomed = {
  /**
   * Lets a process run these payments until it has killed itself at their points of death. Throws if a payment did not reach its point of
   * death.
   */
  die(doom: Doom): Promise<void>;
  stop(): Promise<void>;
};

/** Bundles the child process's code into one file, and starts a few child processes. */
export async function startDoomed(): Promise<Doomed> {
  const directory = await mkdtemp(join(tmpdir(), "crash-"));
  const program = join(directory, "child.mjs");
  await build({
    entryPoints: [fileURLToPath(new URL("./child.ts", import.meta.url))],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    banner: { js: 'import{createRequire}from"node:module";const require=createRequire(import.meta.url);' },
    logLevel: "error",
  });
  await copyFile(curveFile, join(directory, basename(curveFile)));
  const start = () =>
    spawn(process.execPath, [program], {
      stdio: ["ignore", "ignore", "pipe", "ipc"],
      env: { ...process.env, NODE_COMPILE_CACHE: join(directory, "cache") },
    });
  const children = Array.from({ length: waiting }, start);
  return {
    async die(doom) {
      const child = children.shift() ?? start();
      children.push(start());
      await kill(child, doom);
    },
    async stop() {
      await Promise.all(
        children.map(async (child) => {
          const ended = once(child, "exit");
          child.kill("SIGKILL");
          await ended;
        }),
      );
      await rm(directory, { recursive: true });
    },
  };
}

async function kill(child: ChildProcess, doom: Doom): Promise<void> {
  const ended = once(child, "exit");
  const complaint = child.stderr === null ? "" : text(child.stderr);
  child.send(doom);
  const [, signal] = await ended;
  if (signal !== "SIGKILL") throw new Error(`The process was not killed: ${await complaint}`);
}
