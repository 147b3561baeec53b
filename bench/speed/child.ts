import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import type { LocalServer } from "../../local/stand-in.ts";

/** A server that runs in its own process. */
export type Child = LocalServer & {
  /** CPU milliseconds of the process and its threads since the process started. */
  readonly readCpuTime: () => Promise<number>;
};

const Ready = z.object({ endpoint: z.string() });
const Cpu = z.object({ cpu: z.number() });

/**
 * Starts a file of this folder as a child process; the file must call `answerParent`. The standard output of the child process is ignored.
 * If the child process fails, the last 2,000 characters of its standard error are shown.
 */
export async function startChild(file: string, settings: unknown): Promise<Child> {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = fork(path, [JSON.stringify(settings)], { stdio: ["ignore", "ignore", "pipe", "ipc"] });
  let last = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    last = (last + text).slice(-2_000);
  });
  child.once("exit", (code) => {
    if (code !== 0) console.error(last);
  });
  const { endpoint } = Ready.parse(await awaitMessage(child, file));
  return {
    endpoint,
    async readCpuTime() {
      child.send("cpu");
      return Cpu.parse(await awaitMessage(child, file)).cpu;
    },
    async stop() {
      const ended = once(child, "exit");
      child.send("stop");
      await ended;
    },
  };
}

async function awaitMessage(child: ChildProcess, file: string): Promise<unknown> {
  const ended = new AbortController();
  const exit = once(child, "exit", { signal: ended.signal }).then(([code]) => {
    throw new Error(`${file} ended with ${code}`);
  });
  try {
    const [said] = await Promise.race([once(child, "message", { signal: ended.signal }), exit]);
    return said;
  } finally {
    ended.abort();
    await exit.catch(() => undefined);
  }
}

export function readChildSettings<Settings>(form: z.ZodType<Settings>): Settings {
  return form.parse(JSON.parse(process.argv[2] ?? ""));
}

/** Tells the parent process that the child process is ready, and answers the parent's questions until the parent stops the child. */
export function answerParent({ endpoint, stop }: LocalServer): void {
  process.on("message", (asked) => {
    if (asked === "stop") void stop().then(() => process.exit());
    const { user, system } = process.cpuUsage();
    if (asked === "cpu") process.send?.({ cpu: (user + system) / 1000 });
  });
  // A child process of the bench must not run longer than the bench.
  process.on("disconnect", () => process.exit());
  process.send?.({ endpoint });
}
