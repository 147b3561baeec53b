import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const start = join(root, "local", "start.ts");

export type ProcessEnd = { readonly code: number | null; readonly output: string };

export type StartedService = Awaited<ReturnType<typeof launch>>;

export type StartOptions = {
  readonly directory: string;
  readonly flags?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether npm starts the service, as it does when people type `npm start`. */
  readonly npm?: boolean;
};

/** Runs `npm start` as a process, by default on free ports, without demo presses. */
export async function launch(options: StartOptions) {
  const began = performance.now();
  const { child, ended, output } = spawnStart(options);
  await Promise.race([
    waitUntil(() => output().includes("Ctrl-C ends everything"), "the banner", 200_000),
    ended.then(({ code }) => Promise.reject(new Error(`It ended with ${code}:\n${output()}`))),
  ]);
  const readBanner = (label: RegExp) => label.exec(output())?.[1] ?? "";
  return {
    origin: readBanner(/(?:Site and API|API only) +(\S+)/),
    rpcUrl: readBanner(/Devnet +(\S+)/),
    output,
    /**
     * Milliseconds that the start took. A busy machine makes everything slower, so the time limits of later waits are computed from the
     * duration of the start.
     */
    startMs: performance.now() - began,
    /** The process ids of the service and its children. */
    processes: () => listProcesses(child.pid ?? 0),
    /**
     * Sends the signal to the service, and waits until the service and all its children have ended. Throws if one of these processes still
     * runs.
     */
    async end(signal: NodeJS.Signals): Promise<ProcessEnd> {
      const running = listProcesses(child.pid ?? 0);
      child.kill(signal);
      const how = await ended;
      await waitForEnd(running);
      return how;
    },
  };
}

/** Runs `npm start` in a case in which it must fail. */
export function launchFailing(options: StartOptions): Promise<ProcessEnd> {
  return spawnStart(options).ended;
}

function spawnStart({ directory, flags = ["--no-seed"], environment = {}, npm = false }: StartOptions) {
  const [command, ...args] = npm ? (["npm", "start", "--"] as const) : ([process.execPath, start] as const);
  const child = spawn(command, [...args, ...flags], {
    cwd: root,
    env: {
      ...process.env,
      PORT: "0",
      ANVIL_PORT: "0",
      LOCAL_DIR: directory,
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  const keep = (chunk: Buffer) => {
    text += chunk.toString();
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  const ended = once(child, "close").then((): ProcessEnd => ({ code: child.exitCode, output: text }));
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  return { child, ended, output: () => text };
}

function listProcesses(root: number): readonly number[] {
  const rows = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" })
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));
  const found = [root];
  for (const parent of found) {
    for (const [pid, ppid] of rows) if (ppid === parent && pid !== undefined) found.push(pid);
  }
  return found;
}

/** Waits until all of the processes have ended. An orderly stop may take ten seconds, and more on a busy machine. */
export async function waitForEnd(processes: readonly number[]): Promise<void> {
  await waitUntil(() => !isAnyAlive(processes), `the end of ${processes.join(", ")}`, 120_000);
}

/** Sends the signal to a child process that still runs, and waits until the process has ended. */
export async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill(signal);
  await exited;
}

/** Whether any of the processes is still running. A process that has ended is not running, even if its parent has not awaited it yet. */
export function isAnyAlive(processes: readonly number[]): boolean {
  try {
    const states = execFileSync("ps", ["-o", "stat=", "-p", processes.join()], { encoding: "utf8" });
    return states.split("\n").some((state) => state !== "" && !state.startsWith("Z"));
  } catch {
    // The command ps exits with this code if none of the processes exists.
    return false;
  }
}

async function waitUntil(holds: () => boolean, what: string, milliseconds: number): Promise<void> {
  const deadline = Date.now() + milliseconds;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error(`Waited in vain for ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
