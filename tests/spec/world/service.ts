import { afterAll, vi } from "vitest";
import { systemClock } from "../../../core/adapter/system.ts";
import { startBedrock } from "../../../local/bedrock/index.ts";
import { startMarket } from "../../../local/market/index.ts";
import { startTestDevnet } from "../../support/devnet.ts";
import { startProxy } from "../../support/post.ts";
import { startTestService } from "../../support/service.ts";
import { makeOnce } from "./scene.ts";

/** The parts of the service that do not answer at the moment. */
const down = new Set<"model" | "chain">();

/** The paths that were requested from the stock API, in order. */
export const askedOfMarket: string[] = [];

const modelFault = { status: 503, type: "ServiceUnavailableException", message: "The model is down." };

const stops: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const stop of stops.toReversed()) await stop();
});

/** The service's chain, which stops together with the service. */
export const devnet = makeOnce(() => startTestDevnet());

/** The one service that all tests of a file use. The service has its own chain. The service's model and node can be made to fail. */
export const service = makeOnce(async () => {
  const model = await startBedrock({
    fault: () => (down.has("model") ? modelFault : undefined),
  });
  stops.push(model.stop);
  const market = await startMarket({
    fault: (path) => {
      askedOfMarket.push(path);
      return undefined;
    },
  });
  stops.push(market.stop);
  const started = await startTestService({
    startChain: devnet,
    detours: { model: () => model.endpoint, market: () => market.endpoint, chain: startNode },
  });
  stops.push(started.stop);
  return started;
});

/** Starts a proxy to the chain's node; the proxy answers with 503 while `down` contains `chain`. */
async function startNode(node: string): Promise<string> {
  const door = await startProxy(node, async (_, ask) =>
    down.has("chain") ? { status: 503, text: "" } : ask(),
  );
  stops.push(door.stop);
  return door.endpoint;
}

/** Connects a client directly to the chain, without the failures that the service sees. */
export const chain = makeOnce(async () => (await service()).client);

/** Runs some work while the service's clock is ahead by the given number of milliseconds. */
export async function runWithClockAhead<Value>(
  milliseconds: number,
  work: () => Promise<Value>,
): Promise<Value> {
  const clock = vi.spyOn(systemClock, "now").mockImplementation(() => Date.now() + milliseconds);
  try {
    return await work();
  } finally {
    clock.mockRestore();
  }
}

const minute = 60_000;
const day = 24 * 60 * minute;

/**
 * Runs work that takes less than a minute, so that the work ends on the UTC day on which it began. If the day has less than a minute left,
 * the service's clock is set to the beginning of the next day until the work ends.
 */
export async function runWithinOneDay<Value>(work: () => Promise<Value>): Promise<Value> {
  const left = day - (Date.now() % day);
  return left < minute ? runWithClockAhead(left, work) : work();
}

/** Runs some work on a UTC day that is later than the day on which `runWithinOneDay` runs its work. */
export function runOnNextDay<Value>(work: () => Promise<Value>): Promise<Value> {
  return runWithClockAhead(day + minute, work);
}

/** Runs some work while one part of the service does not answer. */
export async function runWithoutPart<Value>(
  part: "model" | "chain",
  work: () => Promise<Value>,
): Promise<Value> {
  down.add(part);
  try {
    return await work();
  } finally {
    down.delete(part);
  }
}
