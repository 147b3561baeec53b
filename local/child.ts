import { spawn } from "node:child_process";
import { once } from "node:events";

/**
 * A shell script that starts the program in its arguments, prints the program's process id, and exits with the program's code. When
 * standard input closes, the shell sends the program the signal that the shell's first argument names, and SIGKILL after ten seconds.
 */
const watchdog = `exec 3<&0
signal=$1
shift
"$@" </dev/null 3<&- &
child=$!
echo "pid $child"
exec >/dev/null 2>&1
(read -r _ <&3; kill -"$signal" "$child"; sleep 10; kill -9 "$child") &
wait "$child"
code=$?
kill "$!"
exit "$code"`;
const pidLine = /^pid (\d+)\n/m;
const outputKept = 8_192;

export type GuardedChild = ReturnType<typeof spawnChild>;

/**
 * Starts a program that ends together with this process, even if `kill -9` ends this process. A shell reads from a pipe of this process,
 * and ends the program when the pipe closes. Ctrl-C in the terminal does not reach the program, so this process can end the program in an
 * orderly way.
 */
export function spawnChild(
  command: string,
  args: readonly string[],
  { cwd, signal = "TERM" }: { readonly cwd?: string; readonly signal?: "TERM" | "KILL" } = {},
) {
  const child = spawn("/bin/sh", ["-c", watchdog, "sh", signal, command, ...args], { cwd, detached: true });
  let output = "";
  let hasEnded = false;
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-outputKept);
    });
  // A broken pipe needs no handling, because `exited` already reports that the program has ended.
  child.stdin.on("error", () => undefined);

  const { promise: exited, resolve } = Promise.withResolvers<void>();
  const end = () => {
    hasEnded = true;
    resolve();
  };
  child.on("error", (error) => {
    output += error.message;
    end();
  });
  // The output streams close when the program ends, even if the shell was killed earlier.
  child.on("close", end);

  /**
   * Waits for a line of output that matches the pattern, and returns the pattern's first group; `undefined` if the program ends without
   * such a line.
   */
  async function awaitLine(pattern: RegExp): Promise<string | undefined> {
    for (;;) {
      const found = pattern.exec(output)?.[1];
      if (found !== undefined || hasEnded) return found;
      await Promise.race([once(child.stdout, "data"), exited]);
    }
  }
  const pid = awaitLine(pidLine).then(Number);
  // If the shell was killed, the shell cannot end the program, so this process kills the program.
  child.once("exit", async (_code, by) => by !== null && killIfRunning(await pid));
  return {
    /** A promise that settles when the program has ended for any reason. */
    exited,
    /** The last part of the program's output. */
    output: () => output.replace(pidLine, ""),
    awaitLine,
    pid,
    /** Makes the shell send the signal, and SIGKILL if the program still runs after ten seconds. Waits for the program's end. */
    async stop(): Promise<void> {
      child.stdin.end();
      await exited;
    },
  };
}

function killIfRunning(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
