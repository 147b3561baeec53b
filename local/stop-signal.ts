import { execFileSync } from "node:child_process";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * The maximum time in milliseconds for an orderly stop. A request that still runs after this time is cut off, so its caller gets no answer.
 */
const endTimeoutMs = 10_000;

/** Milliseconds between two checks that look whether the npm process that started the service still runs. */
const npmCheckMs = 500;

/**
 * Aborts when this process must stop: after Ctrl-C, after a signal, or after the end of npm. npm has started this process, and cannot
 * forward a signal if npm itself is killed. After a second request to stop, or if stopping takes too long, the process exits at once.
 */
export function makeStopSignal(): AbortSignal {
  const stop = new AbortController();
  const ask = () => {
    if (stop.signal.aborted) process.exit(130);
    stop.abort(new Error("The service was asked to end."));
    setTimeout(() => process.exit(1), endTimeoutMs).unref();
  };
  for (const signal of signals) process.on(signal, ask);
  const npm = process.env.npm_lifecycle_event === undefined ? undefined : findNpmProcess();
  if (npm !== undefined) watchProcess(npm, ask);
  return stop.signal;
}

/** npm starts a shell that starts this process. If the shell has replaced itself with this process, npm is this process's parent. */
function findNpmProcess(): number | undefined {
  try {
    const row = execFileSync("ps", ["-o", "ppid=,args=", "-p", String(process.ppid)], { encoding: "utf8" });
    const [, grandparent, command = ""] = /^\s*(\d+)\s+(.*)/.exec(row) ?? [];
    return / -c .*local\/start\.ts/.test(command) ? Number(grandparent) : process.ppid;
  } catch {
    // On a system without `ps`, only signals stop the service.
    return undefined;
  }
}

function watchProcess(pid: number, onEnd: () => void): void {
  const timer = setInterval(() => {
    if (isAlive(pid)) return;
    clearInterval(timer);
    onEnd();
  }, npmCheckMs);
  timer.unref();
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
