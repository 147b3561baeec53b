import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestService, type TestService } from "../../support/service.ts";

let service: TestService;
beforeAll(async () => {
  // A port that nobody listens on stands in for a database that is down.
  service = await startTestService({ detours: { database: () => "http://127.0.0.1:1" } });
});
afterAll(() => service.stop());

test.each([
  ["GET", "/api/presses", undefined],
  ["POST", "/api/pay/treasury", { pressId: 0 }],
])(
  "while the table is out of reach, %s %s is 503 with a retry time, and shows nothing of the cause",
  async (method, path, body) => {
    const answer = await fetch(service.origin + path, {
      method,
      headers: { "content-type": "application/json" },
      body: body === undefined ? null : JSON.stringify(body),
    });
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toBe("5");
    const text = await answer.text();
    expect(JSON.parse(text)).toMatchObject({ code: "temporarily_unavailable", retryAfter: 5 });
    expect(text).not.toMatch(/127\.0\.0\.1|ECONN|Dynamo/);
  },
);
