import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { leastUnreserved, runtimeLimits } from "../../functions/limits.ts";
import { listen } from "../../local/stand-in.ts";
import { measurePurchase } from "../functions/observed/visitor.ts";
import { publishDemoPress } from "../support/demo-press.ts";
import { makeHttpClient } from "../support/http-payer.ts";
import { post } from "../support/post.ts";
import { startPart } from "../support/provide.ts";
import { startServiceBehind } from "../support/service.ts";

/** The limits on concurrent function runs in the stage `staging`. The tests assume the lowest AWS quota that allows these limits. */
const limits = runtimeLimits.staging;
const reserved = Object.values(limits.reserved).reduce((sum, runs) => sum + runs, 0);
const concurrency = reserved + leastUnreserved;

let pressId: number;
/** Functions that each end the delay of one request, so that the RPC relay's node answers the request. */
let held: (() => void)[] = [];
let isSlow = false;

/** A node of the RPC relay that gives no answers while `isSlow` is true. */
function startSlowNode(endpoint: string) {
  const server = createServer(async (incoming, response) => {
    const body = await text(incoming);
    if (isSlow) {
      const { promise, resolve } = Promise.withResolvers<void>();
      held.push(resolve);
      incoming.socket.once("close", resolve);
      await promise;
      if (incoming.socket.destroyed) return;
    }
    const answer = await post(endpoint, body);
    response.writeHead(answer.status, { "content-type": "application/json" }).end(answer.text);
  });
  return listen(server);
}

const service = startPart(() =>
  startServiceBehind("relay", startSlowNode, { limits: { ...limits, concurrency } }),
);
beforeAll(async () => {
  ({ pressId } = await publishDemoPress(service));
});

const Refusal = z.object({ message: z.string().optional() });
let asked = 0;

/** Sends a new read to the RPC relay from a new IP address, so that the limit for one IP address does not stop the requests. */
async function sendRead() {
  asked += 1;
  const wallet = `0x${asked.toString(16).padStart(40, "0")}`;
  const { status, headers, body } = await makeHttpClient(service.origin).ask("/api/rpc", {
    headers: { "x-forwarded-for": `10.1.${asked >> 8}.${asked & 255}` },
    body: { jsonrpc: "2.0", id: 1, method: "eth_getBalance", params: [wallet, "latest"] },
  });
  return { status, said: Refusal.parse(body).message, retryAfter: headers.get("retry-after") };
}

/** Lets a new reader make both payments for a press, and returns the milliseconds that the two payments took together. */
async function buyPress(index: number): Promise<number> {
  const [fee = 0, rest = 0] = await measurePurchase(service, pressId, index);
  return fee + rest;
}

test("payers make both payments in time while a flood of slow requests occupies all concurrent runs that the RPC relay may use", async () => {
  await buyPress(2);
  const alone = Math.max(await buyPress(3), await buyPress(7));
  isSlow = true;
  let flooding = true;
  const refused: Awaited<ReturnType<typeof sendRead>>[] = [];
  // The number of callers is higher than the number of concurrent runs that the AWS account allows. Some of the callers repeat their
  // requests, so that a new run soon replaces each run that ends.
  const flood = Array.from({ length: concurrency + 60 }, async (_, caller) => {
    do {
      const answer = await sendRead();
      if (answer.status !== 200) refused.push(answer);
      await sleep(500);
    } while (flooding && caller < 60);
  });
  const listRefusals = () =>
    [...new Set(refused.map(({ status, said, retryAfter }) => `${status} ${said} ${retryAfter}`))].toSorted();
  const allowed = ["429 Too Many Requests 1", "503 Service Unavailable 1"];
  try {
    // On a busy machine the callers are too slow to reach the limit on requests per second. Refusals are certain only if all concurrent
    // runs are in use.
    await expect.poll(listRefusals).toContain("503 Service Unavailable 1");
    const beside = [await buyPress(8), await buyPress(1)];
    expect(Math.min(...beside)).toBeLessThan(10 * alone + 2_000);
    expect(allowed).toEqual(expect.arrayContaining(listRefusals()));
    expect(held.length).toBeGreaterThan(0);
  } finally {
    flooding = false;
    isSlow = false;
    for (const release of held) release();
    held = [];
    await Promise.all(flood);
  }
  expect((await sendRead()).status).toBe(200);
});
