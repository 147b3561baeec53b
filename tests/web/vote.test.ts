import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { recordVote } from "../../web/src/vote/cast.ts";

const tx = `0x${"1".repeat(64)}` as const;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Records a vote while the service gives the same answer to every request. */
async function recordWith(status: number, code: string | undefined) {
  const fetch = vi.fn(async () => Response.json({ error: "Why.", code }, { status }));
  vi.stubGlobal("fetch", fetch);
  const onRefused = vi.fn();
  const recorded = recordVote(tx, onRefused).catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  expect(await recorded).toMatchObject({ message: "Why.", status, code });
  return { refused: onRefused.mock.calls.length, requests: fetch.mock.calls.length };
}

test.each([
  [400, "not_a_vote"],
  [400, "invalid_vote_value"],
  [404, "unknown_press"],
])(
  "a vote is dropped after one request if the service refuses the vote permanently with %s %s",
  async (status, code) => {
    expect(await recordWith(status, code)).toEqual({ refused: 1, requests: 1 });
  },
);

test.each([
  [400, "transaction_unconfirmed", 5],
  [429, "too_many_requests", 1],
  [503, "chain_unavailable", 1],
  [403, undefined, 1],
  [403, "not_through_the_edge", 1],
  [400, "malformed_json", 1],
])(
  "after the answer %s %s, the vote is kept, because a later attempt may succeed",
  async (status, code, requests) => {
    expect(await recordWith(status, code)).toEqual({ refused: 0, requests });
  },
);

test("if the gateway refuses a request and its answer lacks our error form, the site says that the service is busy", async () => {
  vi.stubGlobal("fetch", async () => Response.json({ message: "Service Unavailable" }, { status: 503 }));
  await expect(recordVote(tx, () => undefined)).rejects.toThrow("The service is busy (status 503).");
});
