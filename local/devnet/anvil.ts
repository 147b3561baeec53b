import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";

export type Anvil = {
  readonly url: string;
  /** The process id of anvil itself. */
  readonly pid: number;
  /** Settles when anvil has ended, whoever ended it. */
  readonly ended: Promise<void>;
  /** Ends anvil at once (nothing is saved) and waits until it is gone. */
  kill(): Promise<void>;
};

/**
 * anvil hangs on a shell that waits for the end of its own input, a pipe from this process. However this process
 * dies, the kernel closes the pipe, and the shell ends anvil. The shell has a session of its own, so that Ctrl-C
 * reaches only this process, which then stops in order.
 */
const watchdog = `trap '' HUP INT TERM
"$@" </dev/null 2>&1 &
child=$!
echo "pid $child"
exec >/dev/null 2>&1
read -r _
kill -9 "$child"
wait "$child"`;

const readyTimeout = 15_000;

/**
 * Starts anvil on a free port of 127.0.0.1, mining only when told to, in the order in which transactions come, or each
 * transaction at once. Every sender may be impersonated. With `statePath` it continues the chain dumped there.
 * Throws an Error with anvil's own words if it does not start.
 */
export async function startAnvil(options: {
  readonly chainId: number;
  readonly statePath?: string | undefined;
  readonly mining?: "when told" | "at once";
}): Promise<Anvil> {
  // A node that continues a chain repeats blocks of the past, which its clock must not be ahead of.
  const load = options.statePath === undefined ? [] : ["--load-state", options.statePath, "--timestamp", "1"];
  const args = ["--host", "127.0.0.1", "--port", "0", "--chain-id", String(options.chainId)];
  const mining = options.mining === "at once" ? [] : ["--no-mining"];
  const order = ["--order", "fifo", "--auto-impersonate"];
  const shell = spawn("/bin/sh", ["-c", watchdog, "sh", anvilPath(), ...args, ...mining, ...order, ...load], {
    stdio: ["pipe", "pipe", "ignore"],
    detached: true,
  });
  const gone = once(shell, "exit");
  // A pipe whose reader is gone is no news: `ended` tells.
  shell.stdin.on("error", () => undefined);

  try {
    const { pid, url } = await ready(shell, shell.stdout);
    // Only anvil holds the writing end by now, so that the stream ends when anvil does.
    const ended = once(shell.stdout.resume(), "end").then(() => void shell.stdin.end());
    // A shell that was itself killed could not end anvil.
    shell.once("exit", (_code, signal) => signal !== null && killIfRunning(pid));
    const kill = async () => {
      shell.stdin.end();
      await Promise.all([gone, ended]);
    };
    return { url, pid, ended, kill };
  } catch (error) {
    shell.stdin.end();
    throw error;
  }
}

async function ready(shell: ChildProcess, output: Readable): Promise<{ pid: number; url: string }> {
  let text = "";
  const started = Promise.withResolvers<{ pid: number; url: string }>();
  const fail = (why: string) => started.reject(new Error(`anvil did not start (${why}):\n${text.trim()}`));
  const timer = setTimeout(fail, readyTimeout, `no answer within ${readyTimeout / 1000} s`);
  const read = (chunk: Buffer) => {
    text += chunk.toString();
    const match = /^pid (\d+)[\s\S]*Listening on (127\.0\.0\.1:\d+)/.exec(text);
    if (match !== null) started.resolve({ pid: Number(match[1]), url: `http://${match[2]}` });
  };
  output.on("data", read).once("end", () => fail("it ended"));
  shell.once("error", (error) => fail(error.message));
  try {
    return await started.promise;
  } finally {
    clearTimeout(timer);
    output.off("data", read);
  }
}

function killIfRunning(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

/** The platform's binary itself: the package's own launcher would be one more process to lose. */
function anvilPath(): string {
  const arch = process.arch === "x64" ? "amd64" : process.arch;
  const name = `@foundry-rs/anvil-${process.platform}-${arch}`;
  const require = createRequire(import.meta.url);
  try {
    return join(dirname(require.resolve(`${name}/package.json`)), "bin", "anvil");
  } catch (cause) {
    throw new Error(`${name} is not installed: run npm install on this machine.`, { cause });
  }
}
