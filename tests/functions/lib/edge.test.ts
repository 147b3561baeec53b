import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startTestService, type TestService } from "../../support/service.ts";

let service: TestService;
beforeAll(async () => {
  // Two at once, as while it is renewed (docs/operations.md).
  vi.stubEnv("ORIGIN_SECRET", "a secret that the edge knows,the next one");
  service = await startTestService();
});
afterAll(async () => {
  await service.stop();
  vi.unstubAllEnvs();
});

test.each([
  ["without the edge's secret", {}, 403],
  ["with another one", { "x-origin-secret": "a guess" }, 403],
  ["with it", { "x-origin-secret": "a secret that the edge knows" }, 200],
  ["with its successor", { "x-origin-secret": "the next one" }, 200],
  ["with both in one", { "x-origin-secret": "a secret that the edge knows,the next one" }, 403],
])("a request %s is answered as its way deserves", async (_, headers, status) => {
  const answer = await fetch(`${service.origin}/api/presses`, { headers });
  expect(answer.status).toBe(status);
  const body: unknown = await answer.json();
  if (status === 403) expect(body).toMatchObject({ code: "not_through_the_edge" });
});
