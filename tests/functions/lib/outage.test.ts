import { afterAll, beforeAll, expect, test } from "vitest";
import { list } from "../../../functions/http/press.ts";
import { nonce } from "../../../functions/http/session.ts";
import type { TestTable } from "../../support/table.ts";
import { call, site } from "./call.ts";
import { startStage } from "./stage.ts";

let stored: TestTable;
beforeAll(async () => {
  // The address of a closed port replaces the address of a database that is down.
  stored = await startStage({ AWS_ENDPOINT_URL_DYNAMODB: "http://127.0.0.1:1" });
});
afterAll(() => stored.stop());

test.each([
  ["GET /api/presses", () => call(list, "presses")],
  [
    "POST /api/auth/nonce",
    () => call(nonce, "auth-nonce", { headers: { origin: site }, body: { address: `0x${"1".repeat(40)}` } }),
  ],
])(
  "while the table cannot be reached, %s is answered 503 with a retry time, and the answer does not show the cause",
  async (_, ask) => {
    const answer = await ask();
    expect(answer).toMatchObject({
      status: 503,
      headers: { "retry-after": "5" },
      body: { code: "temporarily_unavailable", retryAfter: 5 },
    });
    expect(answer.text).not.toMatch(/127\.0\.0\.1|ECONN|Dynamo/);
  },
);
