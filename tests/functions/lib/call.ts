import type { APIGatewayProxyEventV2, Context } from "aws-lambda";
import * as z from "zod";
import { type RouteId, routes } from "../../../functions/routes.ts";

/** The site's origin on the stage that the tests use. */
export const site = "http://localhost:3000";
export const requestId = "request-1";

export type CallInput = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** The body of the request. The body is sent as JSON with a content type, unless `raw` is set. */
  readonly body?: unknown;
  readonly raw?: string;
  readonly base64?: boolean;
};

const Answer = z.object({
  statusCode: z.number(),
  headers: z.record(z.string(), z.string()).default({}),
  cookies: z.array(z.string()).default([]),
  body: z.string().optional(),
});

/**
 * Calls a function as the gateway does, with a payload-v2 event, and reads the function's answer. `body` is the parsed JSON of the answer.
 */
export async function invoke(
  handler: (event: APIGatewayProxyEventV2, context: Context) => Promise<unknown>,
  id: RouteId,
  request: CallInput = {},
) {
  const answer = Answer.parse(await handler(makeEvent(id, request), context));
  const isJson = answer.headers["content-type"]?.startsWith("application/json") ?? true;
  const body: unknown = answer.body === undefined || !isJson ? undefined : JSON.parse(answer.body);
  return {
    status: answer.statusCode,
    headers: answer.headers,
    cookies: answer.cookies,
    body,
    text: answer.body,
  };
}

/** Returns the cookie that a browser would send back after the given answer. */
export function parseCookie(setCookie: string | undefined): string {
  return setCookie?.split(";")[0] ?? "";
}

function makeEvent(id: RouteId, request: CallInput): APIGatewayProxyEventV2 {
  const row = routes.find((route) => route.id === id);
  if (row === undefined) throw new TypeError(`No route ${id}`);
  const text = request.raw ?? (request.body === undefined ? undefined : JSON.stringify(request.body));
  const type = request.raw === undefined && text !== undefined ? { "content-type": "application/json" } : {};
  const { method, path } = row;
  const http = { method, path, protocol: "HTTP/1.1", sourceIp: "127.0.0.1", userAgent: "tests" };
  return {
    version: "2.0",
    routeKey: `${method} ${path}`,
    rawPath: path,
    rawQueryString: "",
    headers: { ...type, ...request.headers },
    ...(request.cookies !== undefined && { cookies: [...request.cookies] }),
    ...(request.path !== undefined && { pathParameters: { ...request.path } }),
    ...(request.query !== undefined && { queryStringParameters: { ...request.query } }),
    requestContext: {
      accountId: "000000000000",
      apiId: "tests",
      domainName: "localhost",
      domainPrefix: "localhost",
      http,
      requestId,
      routeKey: `${method} ${path}`,
      stage: "$default",
      time: "20/Nov/2026:12:00:00 +0000",
      timeEpoch: 0,
    },
    ...(text !== undefined && {
      body: request.base64 === true ? Buffer.from(text).toString("base64") : text,
    }),
    isBase64Encoded: request.base64 === true,
  };
}

const context: Context = {
  callbackWaitsForEmptyEventLoop: false,
  functionName: "tests",
  functionVersion: "$LATEST",
  invokedFunctionArn: "arn:aws:lambda:us-east-1:000000000000:function:tests",
  memoryLimitInMB: "512",
  awsRequestId: requestId,
  logGroupName: "/aws/lambda/tests",
  logStreamName: "tests",
  getRemainingTimeInMillis: () => 10_000,
  done: () => undefined,
  fail: () => undefined,
  succeed: () => undefined,
};
