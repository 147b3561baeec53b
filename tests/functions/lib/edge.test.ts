import { beforeAll, expect, test, vi } from "vitest";
import { type StoredSecret, startSecrets } from "../../../local/secrets.ts";
import { AwsFailure } from "../../../local/stand-in.ts";
import { startPart } from "../../support/provide.ts";
import { startTestService } from "../../support/service.ts";

let isDown = true;
const makeArn = (name: string) => `arn:aws:secretsmanager:us-east-1:123456789012:secret:${name}-AbCdEf`;
const stored: StoredSecret[] = [
  { name: "now", arn: makeArn("now"), value: "a secret that the edge knows" },
  { name: "next", arn: makeArn("next"), value: "the next one" },
];

const store = startPart(() =>
  startSecrets({
    secrets: () => stored,
    runBefore() {
      if (isDown) throw new AwsFailure("InternalServiceError", "Down", { status: 500 });
    },
  }),
);
beforeAll(() => {
  vi.stubEnv("AWS_ENDPOINT_URL_SECRETS_MANAGER", store.endpoint);
  // The edge has two valid secrets at once, as during a renewal (docs/operations.md).
  vi.stubEnv("ORIGIN_SECRET_IDS", stored.map(({ arn }) => arn).join(","));
});
const service = startPart(startTestService);

test("a container that has never read the edge's secrets refuses all requests with a retryable error", async () => {
  const headers = { "x-origin-secret": "a secret that the edge knows" };
  for (const path of ["/api/presses", "/robots.txt"]) {
    const answer = await fetch(service.origin + path, { headers });
    expect([answer.status, await answer.json()]).toEqual([
      503,
      expect.objectContaining({ code: "temporarily_unavailable" }),
    ]);
    expect(answer.headers.get("retry-after")).toBe("2");
  }
  isDown = false;
});

test.each([
  ["without the edge's secret", {}, 403],
  ["with another one", { "x-origin-secret": "a guess" }, 403],
  ["with it", { "x-origin-secret": "a secret that the edge knows" }, 200],
  ["with its successor", { "x-origin-secret": "the next one" }, 200],
  ["with both in one", { "x-origin-secret": "a secret that the edge knows,the next one" }, 403],
])("the edge answers a request %s with the expected status", async (_, headers, status) => {
  const answer = await fetch(`${service.origin}/api/presses`, { headers });
  expect(answer.status).toBe(status);
  const body: unknown = await answer.json();
  if (status === 403) expect(body).toMatchObject({ code: "not_through_the_edge" });
});

test("each caller behind the edge has a rate limit of its own, whatever address the caller claims", async () => {
  const makeBatch = (offset: number) =>
    Array.from({ length: 25 }, (_, id) => ({
      jsonrpc: "2.0",
      id,
      method: "eth_call",
      params: [{ data: `0x${(offset + id).toString(16).padStart(8, "0")}` }, "latest"],
    }));
  const fetchStatuses = async (caller: (round: number) => string) => {
    const answers: number[] = [];
    for (let round = 0; round < 12; round += 1) {
      const { status } = await fetch(`${service.origin}/api/rpc`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "x-origin-secret": "the next one",
          "x-forwarded-for": caller(round),
        },
        body: JSON.stringify(makeBatch(round * 25)),
      });
      answers.push(status);
    }
    return answers;
  };
  // One IP address may send four batches in a window, so two windows accept at most eight of twelve batches.
  const one = await fetchStatuses((round) => `192.0.2.${round}, 203.0.113.7`);
  expect(one).toContain(429);
  const many = await fetchStatuses((round) => `203.0.113.7, 198.51.100.${round}`);
  expect(many).not.toContain(429);
});
