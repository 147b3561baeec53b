import { expect, test } from "vitest";
import { ask, type HandlerCall, makeRoute, startFrontWith } from "../support/front.ts";

const routes = [
  makeRoute(),
  makeRoute({ method: "POST" }),
  makeRoute({ id: "one", path: "/api/echo/{name}" }),
];

async function sendAndReadCall(path: string, options: Parameters<typeof ask>[2] = {}): Promise<HandlerCall> {
  const calls: HandlerCall[] = [];
  const front = await startFrontWith(routes, (call) => {
    calls.push(call);
    return { statusCode: 200 };
  });
  await ask(front, path, options);
  const [call] = calls;
  if (call === undefined) throw new Error("The function was not called.");
  return call;
}

test("the function's event contains the query twice: as it was sent, and decoded", async () => {
  const { event } = await sendAndReadCall("/api/echo/BRK.B?q=a%20b%26c&q=d&empty=");
  expect(event).toMatchObject({
    version: "2.0",
    rawPath: "/api/echo/BRK.B",
    rawQueryString: "q=a%20b%26c&q=d&empty=",
    queryStringParameters: { q: "a b&c,d", empty: "" },
    pathParameters: { name: "BRK.B" },
    routeKey: "GET /api/echo/{name}",
  });
});

test("the function's event has no key for a field that the request lacks", async () => {
  const { event } = await sendAndReadCall("/api/echo");
  expect(event).not.toHaveProperty("queryStringParameters");
  expect(event).not.toHaveProperty("pathParameters");
  expect(event).not.toHaveProperty("cookies");
  expect(event).not.toHaveProperty("body");
  expect(event).toMatchObject({ rawQueryString: "", isBase64Encoded: false });
});

test("the headers in the function's event have lower-case names, contain no cookies, and join the values of repeated headers", async () => {
  const { event } = await sendAndReadCall("/api/echo", {
    headers: { Cookie: "session=a=b; theme=dark", "X-Payment": "abc", "X-Many": ["1", "2"] },
  });
  expect(event.cookies).toEqual(["session=a=b", "theme=dark"]);
  expect(event.headers).toMatchObject({
    "x-payment": "abc",
    "x-many": "1,2",
    "x-forwarded-for": "127.0.0.1",
  });
  expect(event.headers).not.toHaveProperty("cookie");
  expect(event.headers).not.toHaveProperty("X-Payment");
});

test.each([
  ["application/json", false],
  ["Application/JSON; charset=utf-8", false],
  ["text/csv", false],
  ["application/xml", false],
  ["application/javascript", false],
  ["application/octet-stream", true],
  ["application/x-www-form-urlencoded", true],
  [undefined, true],
])("for a body of the content type %s, the event's flag for base64 is %s", async (type, isBase64Encoded) => {
  const text = '{"price":"1 €"}';
  const { event } = await sendAndReadCall("/api/echo", {
    method: "POST",
    body: text,
    headers: type === undefined ? {} : { "content-type": type },
  });
  expect(event.isBase64Encoded).toBe(isBase64Encoded);
  expect(event.body).toBe(isBase64Encoded ? Buffer.from(text).toString("base64") : text);
});

test("the event's request context names the caller, the request and the time", async () => {
  const { event } = await sendAndReadCall("/api/echo?x=1", { headers: { "user-agent": "probe/1" } });
  expect(event.requestContext).toMatchObject({
    accountId: expect.stringMatching(/^\d{12}$/),
    stage: "$default",
    routeKey: "GET /api/echo",
    requestId: expect.stringMatching(/^[\da-f-]{36}$/),
    http: {
      method: "GET",
      path: "/api/echo",
      protocol: "HTTP/1.1",
      sourceIp: "127.0.0.1",
      userAgent: "probe/1",
    },
    time: expect.stringMatching(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/),
  });
  expect(Math.abs(event.requestContext.timeEpoch - Date.now())).toBeLessThan(60_000);
});

test("the function gets Lambda's context with the remaining time", async () => {
  const { event, context } = await sendAndReadCall("/api/echo");
  expect(context).toMatchObject({
    functionName: "echo",
    memoryLimitInMB: "512",
    awsRequestId: event.requestContext.requestId,
    invokedFunctionArn: expect.stringContaining(":function:echo"),
  });
  const left = context.getRemainingTimeInMillis();
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThanOrEqual(60_000);
});
