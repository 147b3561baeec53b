import type { IncomingMessage } from "node:http";
import { AppError } from "../../core/error.ts";
import { HttpProblem } from "../../functions/lib/problem.ts";
import { FunctionTimeout, invoke, type Load } from "../function.ts";
import { type Answer, inferAnswer } from "./answer.ts";
import { hardLimit, readBody } from "./body.ts";
import { preflight, withCors } from "./cors.ts";
import { toEvent } from "./event.ts";
import { problem } from "./problem.ts";
import type { Match } from "./router.ts";
import type { Target } from "./target.ts";

/** Hears of what went wrong inside. */
export type Report = (message: string, error: unknown) => void;

export type ApiRequest = {
  readonly request: IncomingMessage;
  readonly target: Target;
  readonly match: Match;
  readonly requestId: string;
};

/** Whether a path belongs to the API and so never to the site, known or not. */
export function isApi({ path }: Target, match: Match): boolean {
  return (
    match.kind !== "none" || path === "/api" || path.startsWith("/api/") || path.startsWith("/.well-known/")
  );
}

/** Answers as the gateway and the row's function do; `undefined` when the client left before it had asked. */
export async function answerApi(
  ports: { readonly load: Load; readonly report: Report },
  input: ApiRequest,
): Promise<Answer | undefined> {
  if (input.request.method === "OPTIONS") return preflight;
  const answer = await route(ports, input);
  return answer && withCors(answer);
}

async function route(
  { load, report }: { readonly load: Load; readonly report: Report },
  { request, target, match, requestId }: ApiRequest,
): Promise<Answer | undefined> {
  // The gateway has routes for methods: a path that takes another one is as unknown as any.
  if (match.kind !== "route") {
    return problem(
      new HttpProblem(404, "unknown_route", `There is nothing at ${request.method} ${target.path}.`),
      requestId,
    );
  }
  const size = sizeOf(request);
  if (size > headerLimit) {
    const message = `The request's first line and headers have ${size} bytes; at most ${headerLimit}.`;
    return problem(new HttpProblem(431, "headers_too_large", message), requestId, { connection: "close" });
  }
  const body = await readBody(request);
  if (body.kind === "broken") return undefined;
  if (body.kind === "too large") {
    const limit = `${hardLimit / 1024 / 1024} MB`;
    const refusal = new HttpProblem(413, "body_too_large", `The body is larger than ${limit}.`);
    return problem(refusal, requestId, { connection: "close" });
  }
  const { route: row, parameters } = match;
  const event = toEvent({
    request,
    target,
    route: row,
    parameters,
    body: body.bytes,
    requestId,
    now: Date.now(),
  });
  try {
    return inferAnswer(await invoke(row, load, requestId, event));
  } catch (error) {
    report(`${row.method} ${target.path} failed (request ${requestId})`, error);
    return problem(error instanceof FunctionTimeout ? late(error) : undefined, requestId);
  }
}

/** Bytes that the gateway takes for the request line and all headers together (API Gateway's quotas for HTTP APIs). */
const headerLimit = 10_240;

function sizeOf({ method = "", url = "", rawHeaders }: IncomingMessage): number {
  return [method, url, ...rawHeaders].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

/** The gateway says 503 for a function that does not answer in time. */
function late(cause: FunctionTimeout): AppError {
  return new AppError("upstream", "timeout", "This took too long. Try again shortly.", { cause });
}
