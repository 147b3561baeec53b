import { createServer } from "node:http";
import { afterAll, afterEach, expect, test } from "vitest";
import { Angles, Generated } from "../../core/draft/schema.ts";
import { type BedrockFault, startBedrock } from "../../local/bedrock/index.ts";
import { getTestAccount } from "../../local/devnet/accounts.ts";
import { type LocalServer, listen } from "../../local/stand-in.ts";
import { makeHttpClient, makeRefusal } from "../support/http-payer.ts";
import { startPart } from "../support/provide.ts";
import { startTestService } from "../support/service.ts";

let news: LocalServer;
let fault: BedrockFault | undefined;
/** The tickers of stocks that have no news. */
const silent = new Set<string>();

const model = startPart(() => startBedrock({ fault: () => fault }));
const service = startPart(() =>
  startTestService({
    detours: {
      model: () => model.endpoint,
      news: async (endpoint) => {
        news = await listen(
          createServer(async ({ url = "", headers }, response) => {
            if (silent.has(url.slice(1))) return response.writeHead(503).end();
            const asking = { "user-agent": headers["user-agent"] ?? "" };
            response.end(await (await fetch(`${endpoint}${url}`, { headers: asking })).text());
          }),
        );
        return news.endpoint;
      },
    },
  }),
);
afterAll(() => news.stop());
afterEach(() => {
  fault = undefined;
});

const makeClient = () => makeHttpClient(service.origin);
const post = (path: string, body: unknown, cookie?: string) => makeClient().ask(path, { body, cookie });
const signIn = (index: number) => makeClient().signIn(getTestAccount(index));

async function requestAngles(stock: string, sessionCookie: string) {
  const answer = await post("/api/draft/angles", { stock }, sessionCookie);
  expect(answer.status).toBe(200);
  return Angles.parse(answer.body);
}

const generate = (stock: string, angleId: string, sessionCookie: string) =>
  post("/api/draft/generate", { stock, angleId }, sessionCookie);

test.each<[string, BedrockFault]>([
  ["refuses", { status: 403, type: "AccessDeniedException", message: "No." }],
  ["is throttled throughout", { status: 429, type: "ThrottlingException", message: "Slow." }],
])(
  "if the model %s, a request for a draft is answered with 503 and uses up no quota",
  async (_what, failure) => {
    const publisher = await signIn(5);
    fault = failure;
    const answer = await generate("MSFT", "price", publisher);
    expect(answer).toMatchObject(makeRefusal(503, "model_unavailable"));
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await requestAngles("MSFT", publisher)).remaining).toBe(5);
  },
);

test("if a stock has no news, the angle about the price is offered, but not the angle about fundamentals", async () => {
  const publisher = await signIn(6);
  silent.add("TSLA");
  const offered = await requestAngles("TSLA", publisher);
  expect(offered.freshNews).toBe(false);
  expect(offered.angles.map(({ id }) => id)).toEqual(["price"]);
  expect((await generate("TSLA", "price", publisher)).status).toBe(200);
  expect(await generate("TSLA", "fundamentals", publisher)).toMatchObject(makeRefusal(400, "unknown_angle"));
});

test.each([
  [{ stock: "MOON", angleId: "price" }, "unknown_stock"],
  [{ stock: "AAPL", angleId: "h99" }, "unknown_angle"],
  [{ stock: "AAPL" }, "invalid_input"],
])("a request to generate a draft for %o is refused with 400 %s", async (body, code) => {
  expect(await post("/api/draft/generate", body, await signIn(7))).toMatchObject({
    status: 400,
    body: { code },
  });
});

test("if the answer with a generated draft is lost, only its wallet can read the draft, by key or by id, and the quota counts the draft once", async () => {
  const publisher = await signIn(8);
  await requestAngles("AAPL", publisher);
  const asked = { stock: "AAPL", angleId: "price" };
  const askAgain = () =>
    makeClient().ask("/api/draft/generate", {
      body: asked,
      cookie: publisher,
      headers: { "idempotency-key": '"lost-answer-1"' },
    });
  const answers = [await askAgain(), ...(await Promise.all([askAgain(), askAgain()]))];
  const [first] = answers.map(({ body }) => Generated.parse(body));
  for (const { status, body } of answers) expect([status, body]).toEqual([200, first]);
  const path = `/api/me/generations/${first?.generationId}`;
  expect(await makeClient().ask(path, { cookie: publisher })).toMatchObject({ status: 200, body: first });
  expect(await makeClient().ask(path, { cookie: await signIn(7) })).toMatchObject(
    makeRefusal(404, "unknown_generation"),
  );
  expect(first?.remaining).toBe(4);
});
