import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const watchdog = fileURLToPath(new URL("watchdog.ts", import.meta.url));
const outputKept = 8_192;

export interface TetheredExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Tethered {
  /** Settles when the program has ended, for whatever reason. */
  readonly exited: Promise<TetheredExit>;
  /** The last of what the program has printed. */
  output(): string;
  /** Ends the program with SIGTERM, after ten seconds with SIGKILL, and waits for its end. */
  stop(): Promise<void>;
}

/** Starts a program that cannot outlive this process, however this process ends, `kill -9` included: a watchdog holds
 * the other end of a pipe and ends the program when the pipe closes. A Ctrl-C in the terminal does not reach the
 * program, so its owner can end it in order. */
export function tether(
  command: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Tethered {
  const child = spawn(process.execPath, [watchdog, command, ...args], {
    ...options,
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  let output = "";
  const keep = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-outputKept);
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);

  const { promise: exited, resolve } = Promise.withResolvers<TetheredExit>();
  child.on("error", (error) => {
    output += error.message;
    resolve({ code: null, signal: null });
  });
  child.on("close", (code, signal) => resolve({ code, signal }));
  return {
    exited,
    output: () => output,
    async stop() {
      child.stdin.end();
      await exited;
    },
  };
}
