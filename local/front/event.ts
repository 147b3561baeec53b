import type { IncomingMessage } from "node:http";
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import type { Route } from "../../functions/routes.ts";
import { isText } from "./body.ts";
import type { Target } from "./target.ts";

export type EventInput = {
  readonly request: IncomingMessage;
  readonly target: Target;
  readonly route: Route;
  readonly parameters: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly requestId: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
};

/** The event that an HTTP API hands to a function, payload format 2.0, in all that AWS documents of it. */
export function toEvent(input: EventInput): APIGatewayProxyEventV2 {
  const { request, target, route, parameters, body, requestId, now } = input;
  const { cookies, headers } = readHeaders(request);
  const query = readQuery(target.query);
  const text = isText(headers["content-type"]);
  const host = headers.host ?? "localhost";
  const routeKey = `${request.method} ${route.path}`;
  return {
    version: "2.0",
    routeKey,
    rawPath: target.path,
    rawQueryString: target.query,
    ...(cookies.length > 0 && { cookies }),
    headers,
    ...(query !== undefined && { queryStringParameters: query }),
    ...(Object.keys(parameters).length > 0 && { pathParameters: { ...parameters } }),
    requestContext: {
      accountId: "000000000000",
      apiId: "local",
      domainName: host,
      domainPrefix: host.split(".")[0] ?? host,
      http: {
        method: request.method ?? route.method,
        path: target.path,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp: sourceIp(request),
        userAgent: headers["user-agent"] ?? "",
      },
      requestId,
      routeKey,
      stage: "$default",
      time: logTime(now),
      timeEpoch: now,
    },
    ...(body.length > 0 && { body: body.toString(text ? "utf8" : "base64") }),
    isBase64Encoded: body.length > 0 && !text,
  };
}

type Headers = { readonly cookies: string[]; readonly headers: Record<string, string> };

function readHeaders(request: IncomingMessage): Headers {
  const { cookie = [], ...others } = request.headersDistinct;
  const headers = Object.entries(others).map(([name, values]) => [name, values?.join(",") ?? ""]);
  const forwarded = [...(others["x-forwarded-for"] ?? []), sourceIp(request)].join(", ");
  const cookies = cookie
    .flatMap((line) => line.split(";"))
    .map((pair) => pair.trim())
    .filter((pair) => pair !== "");
  return {
    cookies,
    headers: { ...Object.fromEntries(headers), "x-forwarded-for": forwarded, "x-forwarded-proto": "http" },
  };
}

/** Decoded, the values of a repeated name joined by commas. */
function readQuery(query: string): Record<string, string> | undefined {
  if (query === "") return undefined;
  const joined = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    const before = joined.get(name);
    joined.set(name, before === undefined ? value : `${before},${value}`);
  }
  return Object.fromEntries(joined);
}

function sourceIp(request: IncomingMessage): string {
  return request.socket.remoteAddress?.replace(/^::ffff:/, "") ?? "127.0.0.1";
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** The Common Log Format, such as `12/Mar/2026:19:03:58 +0000`. */
function logTime(now: number): string {
  const iso = new Date(now).toISOString();
  const month = months[Number(iso.slice(5, 7)) - 1];
  return `${iso.slice(8, 10)}/${month}/${iso.slice(0, 4)}:${iso.slice(11, 19)} +0000`;
}
