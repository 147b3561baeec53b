import * as z from "zod";
import { PaymentRequired } from "../../../core/payment/schema.ts";
import { RpcAnswer } from "../../../core/rpc/schema.ts";
import { Problem } from "../../../functions/lib/reply.ts";
import { type Route, routes } from "../../../functions/routes.ts";
import { isApiPath, makeRouter, parseTarget } from "../../../local/front/api.ts";
import type { Document } from "../../functions/openapi-lint.ts";
import type { FuzzRequest } from "./request.ts";
import type { Answer } from "./send.ts";

/** The error codes of the gateway's own answers, by status. */
const gateway: Readonly<Record<number, readonly string[]>> = {
  400: ["malformed_url"],
  404: ["unknown_route"],
  405: ["method_not_allowed"],
};

/** API Gateway's limit in bytes for request line and headers. */
const headLimit = 10_240;

const router = makeRouter(routes);
const OneProblem = z.strictObject(Problem.shape);

/** Tells whether an answer is a refusal. A refused request must change nothing. */
export function isRefusal({ status }: Answer): boolean {
  return status >= 400;
}

/** Finds the faults of an answer. An internal error is a fault. Anything that the OpenAPI document does not allow is also a fault. */
export function findFaults(document: Document, request: FuzzRequest, answer: Answer): readonly string[] {
  const { status, headers, text } = answer;
  const faults: string[] = [];
  if (/node:internal|node_modules|\.ts:\d/.test(text)) faults.push("shows our code");
  if (status === 500 || status === 502 || status === 504)
    return [...faults, `answers with ${status}: ${text.slice(0, 300)}`];
  if ((status === 429 || status === 503) && !/^\d+$/.test(String(headers["retry-after"])))
    faults.push(`answers with ${status} without saying when to come back`);
  const { route, api } = findRoute(request);
  // Paths outside the API are pages or files of the site. A HEAD request has no body.
  if ((route === undefined && !api) || request.method === "HEAD" || request.method === "OPTIONS")
    return faults;
  // If a request's headers are too long, Node.js refuses the request before our code reads it, and the answer has no body.
  if (status === 431 && text === "" && answer.asked > headLimit) return faults;
  return [...faults, ...findFormFaults(document, route, answer)];
}

/**
 * Returns the request's row in the table of routes (`undefined` if no row fits), and whether the request's path belongs to the API.
 */
function findRoute({ method, target }: FuzzRequest): {
  readonly route: Route | undefined;
  readonly api: boolean;
} {
  const read = parseTarget(target);
  if (read === undefined || read.path.includes("%")) return { route: undefined, api: true };
  const match = router(method, read.segments);
  return { route: match.kind === "route" ? match.route : undefined, api: isApiPath(read, match) };
}

function findFormFaults(
  document: Document,
  route: Route | undefined,
  { status, headers, text }: Answer,
): readonly string[] {
  const type = String(headers["content-type"]).split(";")[0] ?? "";
  const body = tryParseJson(text);
  const problem = OneProblem.safeParse(body);
  if (problem.success && gateway[status]?.includes(problem.data.code) === true) return [];
  if (route === undefined) return [`answers with ${status} where there is no route: ${text.slice(0, 200)}`];
  const operation = document.paths[route.path]?.[route.method.toLowerCase()];
  // The OpenAPI document does not describe the content of pages, feeds and files.
  if (operation === undefined) return [];
  const documented = operation.responses[status];
  if (documented === undefined)
    return [`answers with ${status}, which is not documented: ${text.slice(0, 300)}`];
  const types = Object.keys(documented.content ?? {});
  if (types.length === 0) return text === "" ? [] : [`answers with ${status} and a body`];
  if (!types.includes(type)) return [`answers with ${status} as ${type}: ${text.slice(0, 200)}`];
  if (status < 400 || type !== "application/json") return [];
  const form =
    status === 402
      ? PaymentRequired
      : ["rpc", "mcp"].includes(route.id) && status === 400
        ? RpcAnswer
        : OneProblem;
  if (!form.safeParse(body).success) return [`answers with ${status} in another form: ${text.slice(0, 200)}`];
  if (!problem.success || documented.description.includes(`\`${problem.data.code}\`:`)) return [];
  return [`answers with ${status} and the undocumented code ${problem.data.code}`];
}

function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
