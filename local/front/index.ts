import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { HttpProblem } from "../../functions/lib/problem.ts";
import { type Route, routes as table } from "../../functions/routes.ts";
import { importHandler, type Load } from "../function.ts";
import { type Answer, problem, send } from "./answer.ts";
import { answerApi, isApi, type Report } from "./api.ts";
import { listen } from "./listen.ts";
import { makeRouter, type Router, readTarget, type Target } from "./router.ts";
import { answerSite, asPage, isPage } from "./site.ts";

type FrontOptions = {
  /** 0 takes a free port. */
  readonly port: number;
  /** The rows that are served; the project's own unless given. */
  readonly routes?: readonly Route[] | undefined;
  /** Finds a row's handler; imports its file unless given. */
  readonly load?: Load | undefined;
  /** The built site. Without one only the API answers. */
  readonly site?: string | undefined;
  /** Hears of what went wrong inside; logs unless given. */
  readonly report?: Report | undefined;
};

export type Front = {
  /** The one origin of site and API, `http://localhost:PORT`. */
  readonly origin: string;
  readonly port: number;
  readonly stop: () => Promise<void>;
};

/**
 * Serves the API as API Gateway and Lambda do, and the site beside it, on the loopback interface.
 * Rejects with EADDRINUSE when the port is taken.
 */
export async function startFront(options: FrontOptions): Promise<Front> {
  const report = options.report ?? ((message, error) => console.error(message, error));
  const ports = {
    load: options.load ?? importHandler,
    report,
    site: options.site,
    router: makeRouter(options.routes ?? table),
  };
  const { port, stop } = await listen(
    options.port,
    (request, response) => void serve(ports, request, response),
  );
  return { origin: `http://localhost:${port}`, port, stop };
}

type Ports = {
  readonly load: Load;
  readonly report: Report;
  readonly site: string | undefined;
  readonly router: Router;
};

async function serve(ports: Ports, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const requestId = randomUUID();
  try {
    const answer = await answerTo(ports, request, requestId);
    if (answer !== undefined) send(response, answer);
  } catch (error) {
    ports.report(`${request.method} ${request.url} failed (request ${requestId})`, error);
    if (!response.headersSent) send(response, problem(undefined, requestId));
  }
}

async function answerTo(
  ports: Ports,
  request: IncomingMessage,
  requestId: string,
): Promise<Answer | undefined> {
  const target = readTarget(request.url ?? "");
  if (target === undefined) {
    return problem(new HttpProblem(400, "malformed_url", "The address is malformed."), requestId);
  }
  // As the firewall does: no path of ours has a percent sign.
  if (target.path.includes("%")) return nothingAt("this address", requestId);
  const match = ports.router(request.method ?? "GET", target.segments);
  const page = pageAt(ports.router, request, target);
  if (page === undefined && isApi(target, match)) {
    return answerApi(ports, { request, target, match, requestId });
  }
  const elsewhere = siteAddress(request, target);
  if (elsewhere !== undefined) return { status: 307, headers: { location: elsewhere }, body: "" };
  if (page !== undefined) {
    const answer = await answerApi(ports, { request, target, match: page, requestId });
    return answer && asPage(answer);
  }
  if (ports.site !== undefined) return answerSite(ports.site, { request, target });
  return nothingAt(target.path, requestId);
}

function nothingAt(place: string, requestId: string): Answer {
  return problem(new HttpProblem(404, "unknown_route", `There is nothing at ${place}.`), requestId);
}

/** The row of a page that a function answers. A slash at the end makes no difference, as at the edge. */
function pageAt(router: Router, { method = "GET" }: IncomingMessage, { segments }: Target) {
  const match = router(method, segments.at(-1) === "" ? segments.slice(0, -1) : segments);
  return match.kind === "route" && match.route.isPage ? match : undefined;
}

/** Signing in works from the site's origin alone, so a page asked for by the loopback's numbers is sent there. */
function siteAddress(request: IncomingMessage, target: Target): string | undefined {
  const { url = "", headers, socket } = request;
  const byNumbers = /^(127\.0\.0\.1|\[::1\])(:|$)/.test(headers.host ?? "");
  if (!byNumbers || !url.startsWith("/") || !isPage(request, target)) return undefined;
  return `http://localhost:${socket.localPort}${url}`;
}
