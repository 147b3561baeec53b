import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { type Tethered, tether } from "./tether.ts";

const jar = fileURLToPath(
  new URL("../../node_modules/amplify-dynamodb-simulator/emulator/DynamoDBLocal.jar", import.meta.url),
);
const readyWithinMs = 60_000;
const Address = z.object({ port: z.number() });

/** Why AWS's DynamoDB Local cannot run here, or undefined where it can. */
export function javaMissing(): string | undefined {
  if (!existsSync(jar))
    return "The npm package amplify-dynamodb-simulator, which has DynamoDB Local, is not installed.";
  const found = spawnSync("java", ["-version"], { stdio: "ignore" });
  return found.status === 0 ? undefined : "Java is not installed.";
}

/** Starts AWS's DynamoDB Local, which ends with this process. Its state is kept in `<directory>/dynamodb-java`.
 * @throws where Java is missing or the program does not come up */
export async function startJava(options: {
  readonly port: number;
  readonly directory?: string | undefined;
  readonly fresh?: boolean | undefined;
}): Promise<{ endpoint: string; stop(): Promise<void> }> {
  const missing = javaMissing();
  if (missing !== undefined) throw new Error(`DynamoDB Local needs Java. ${missing}`);
  const port = options.port === 0 ? await freePort() : options.port;
  const storage = await storageFlags(options.directory, options.fresh === true);
  const flags = [
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",
    "-Xmx256m",
    "-Djava.library.path=./DynamoDBLocal_lib",
  ];
  const program = ["-jar", "DynamoDBLocal.jar", "-port", String(port), "-sharedDb", "-disableTelemetry"];
  const running = tether("java", [...flags, ...program, ...storage], { cwd: dirname(jar) });
  const endpoint = `http://127.0.0.1:${port}`;
  await untilReady(running, endpoint);
  return { endpoint, stop: () => running.stop() };
}

async function storageFlags(directory: string | undefined, fresh: boolean): Promise<string[]> {
  if (directory === undefined) return ["-inMemory"];
  const path = resolve(join(directory, "dynamodb-java"));
  if (fresh) await rm(path, { recursive: true, force: true });
  await mkdir(path, { recursive: true });
  return ["-dbPath", path];
}

async function untilReady(running: Tethered, endpoint: string): Promise<void> {
  const deadline = Date.now() + readyWithinMs;
  let ended = false;
  void running.exited.then(() => {
    ended = true;
  });
  while (!(await answers(endpoint))) {
    if (ended) throw new Error(`DynamoDB Local ended at its start:\n${running.output()}`);
    if (Date.now() > deadline) {
      await running.stop();
      throw new Error(`DynamoDB Local did not answer within a minute:\n${running.output()}`);
    }
    await delay(25);
  }
}

async function answers(endpoint: string): Promise<boolean> {
  try {
    const response = await fetch(endpoint);
    await response.arrayBuffer();
    return true;
  } catch {
    // Nothing listens yet; the caller's deadline decides.
    return false;
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = Address.parse(probe.address());
  probe.close();
  await once(probe, "close");
  return port;
}
