import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestService, type TestService } from "../support/service.ts";

let service: TestService;
let before: NodeJS.ProcessEnv;

beforeAll(async () => {
  before = { ...process.env };
  service = await startTestService();
});
afterAll(() => service.stop());

test("the functions answer over HTTP with data from the service's table", async () => {
  const answer = await fetch(`${service.origin}/api/presses`);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({ presses: [] });
});

test("the functions can reach the chain", async () => {
  const answer = await fetch(`${service.origin}/api/rpc`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] }),
  });
  expect(await answer.json()).toMatchObject({ id: 1, result: "0x1237" });
});

test("the functions can reach the stock API", async () => {
  const answer = await fetch(`${service.origin}/api/quotes/AAPL`);
  expect(await answer.json()).toMatchObject({ symbol: "AAPL", mid: expect.any(Number) });
});

test("a second service in the same process is refused", async () => {
  await expect(startTestService()).rejects.toThrow("started a service before");
});

test("a stopped service has no open port and has restored the environment variables", async () => {
  await service.stop();
  const ports = [service.origin, service.rpcUrl, ...Object.values(service.endpoints)].map(
    (url) => new URL(url).port,
  );
  for (const port of new Set(ports))
    await expect(reach(Number(port))).rejects.toMatchObject({ code: "ECONNREFUSED" });
  const { AWS_REGION, TABLE_NAME, SITE_ORIGIN } = process.env;
  expect({ AWS_REGION, TABLE_NAME, SITE_ORIGIN }).toEqual({
    AWS_REGION: before.AWS_REGION,
    TABLE_NAME: undefined,
    SITE_ORIGIN: undefined,
  });
});

function reach(port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect(port, "127.0.0.1", () => {
    socket.destroy();
    resolve();
  });
  socket.once("error", reject);
  return promise;
}
