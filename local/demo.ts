import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { systemClock } from "../core/adapter/system.ts";
import { poll } from "../core/port/clock.ts";
import { playDemo, terminal } from "./demo/index.ts";
import { readSettings } from "./settings.ts";
import { makeStopSignal } from "./stop-signal.ts";

type DemoService = { readonly origin: string; stop(): Promise<void> };

/** The maximum time in milliseconds for a start of the service. The first start compiles the contracts and builds the site. */
const startTimeoutMs = 60_000;

/**
 * Finds the service on `PORT`, or starts a service for the demo with the flags and settings of `npm start`. The returned `stop` stops only
 * a service that this function has started. Throws Error if the service does not start.
 */
async function findOrStart(flags: readonly string[], signal: AbortSignal): Promise<DemoService> {
  const settings = readSettings(flags, process.env);
  const port = settings?.port ?? 3000;
  const origin = `http://localhost:${port}`;
  if (await isRunning(origin)) {
    console.log(`Using the service at ${origin}.`);
    return { origin, stop: async () => undefined };
  }
  console.log(`Starting a service at ${origin} for this demo.`);
  const start = fileURLToPath(new URL("./start.ts", import.meta.url));
  const child = spawn(process.execPath, [start, ...flags], { stdio: ["ignore", "ignore", "inherit"] });
  const stop = () => stopChild(child);
  try {
    await waitUntilUp(origin, child, signal);
    return { origin, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function waitUntilUp(origin: string, child: ChildProcess, signal: AbortSignal): Promise<void> {
  const isUp = await poll(systemClock, { until: Date.now() + startTimeoutMs, pauseMs: 100 }, async () => {
    if (child.exitCode !== null) throw new Error(`The service ended with code ${child.exitCode}.`);
    signal.throwIfAborted();
    return (await isRunning(origin)) || undefined;
  });
  if (isUp === undefined) throw new Error(`The service did not start within ${startTimeoutMs / 1000} s.`);
}

/** Whether a service answers; if the request fails, no service is running. */
async function isRunning(origin: string): Promise<boolean> {
  try {
    const answer = await fetch(`${origin}/.well-known/x402`, { signal: AbortSignal.timeout(5_000) });
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return false;
  }
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill("SIGTERM");
  await exit;
}

const signal = makeStopSignal();
const service = await findOrStart(process.argv.slice(2), signal);
try {
  await playDemo({ origin: service.origin, signal }, terminal);
  console.log("\nAll of it happened on the chain.");
} catch (error) {
  console.error("\nThe demo failed:", error);
  process.exitCode = 1;
} finally {
  await service.stop();
}
