import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFile, stat } from "node:fs/promises";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import { extname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { sitePolicy } from "../../functions/browser.ts";
import { HttpProblem } from "../../functions/lib/reply.ts";
import { type Route, routes as table } from "../../functions/routes.ts";
import { type Capacity, type HandlerLoader, importHandler, unlimited } from "../lambda.ts";
import { bind, ignoreFailure } from "../stand-in.ts";
import {
  type ApiPorts,
  addCorsHeaders,
  answerApi,
  type FaultReporter,
  type HttpAnswer,
  isApiPath,
  makeGatewayRefusal,
  makeNotFound,
  makeProblemAnswer,
  makeRouter,
  parseTarget,
  type RequestTarget,
  type Router,
  sendAnswer,
} from "./api.ts";
import type { EdgeLog } from "./log.ts";

type FrontOptions = {
  /** The port; if it is 0, any free port is used. */
  readonly port: number;
  /** The rows of the endpoints that the front serves. By default, the front serves the rows of this project's table of endpoints. */
  readonly routes?: readonly Route[] | undefined;
  /** Finds a row's handler. By default, the front imports the handler from the row's file. */
  readonly load?: HandlerLoader | undefined;
  /**
   * Counts requests and runs of functions, and refuses the requests and runs that exceed a stage's limits. By default, nothing is refused.
   */
  readonly capacity?: Capacity | undefined;
  /** The built site. Without a built site, only the API answers. */
  readonly site?: string | undefined;
  /** Reports an internal failure. By default, the failure is logged. */
  readonly report?: FaultReporter | undefined;
  /** Writes an answered request into the edge's log. By default, no log is written. */
  readonly log?: EdgeLog["add"] | undefined;
};

export type LocalFront = {
  /** The common origin of site and API, `http://localhost:PORT`. */
  readonly origin: string;
  readonly port: number;
  /** Refuses new requests, lets running requests continue for at most two seconds, and resolves when all connections are closed. */
  readonly stop: () => Promise<void>;
};

/**
 * Serves the site and the API on the loopback interface; the API answers as API Gateway and Lambda do. Rejects with EADDRINUSE if the port
 * is taken.
 */
export async function startFront(options: FrontOptions): Promise<LocalFront> {
  const { routes = table, load = importHandler, capacity = unlimited, site, log } = options;
  const report = options.report ?? ((message, error) => console.error(message, error));
  const ports = { load, report, capacity, site, log, router: makeRouter(routes) };
  const { port, stop } = await listen(
    options.port,
    (request, response) => void serve(ports, request, response),
  );
  return { origin: `http://localhost:${port}`, port, stop };
}

type FrontPorts = ApiPorts & Pick<FrontOptions, "site" | "log"> & { readonly router: Router };

async function serve(ports: FrontPorts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const requestId = randomUUID();
  response.on("finish", () => ports.log?.(request, response.statusCode));
  try {
    const answer = await answerTo(ports, request, requestId);
    if (answer !== undefined) sendAnswer(response, answer);
  } catch (error) {
    ports.report(`${request.method} ${request.url} failed (request ${requestId})`, error);
    if (!response.headersSent) sendAnswer(response, makeGatewayRefusal(500));
  }
}

async function answerTo(
  ports: FrontPorts,
  request: IncomingMessage,
  requestId: string,
): Promise<HttpAnswer | undefined> {
  const target = parseTarget(request.url ?? "");
  if (target === undefined) {
    return makeProblemAnswer(new HttpProblem(400, "malformed_url", "The address is malformed."), requestId);
  }
  // Paths of this service contain no percent sign, so a path with a percent sign is refused. Pages of other origins are allowed to read
  // this refusal, and also the firewall's refusal on AWS.
  if (target.path.includes("%")) return addCorsHeaders(makeNotFound("this address", requestId));
  const match = ports.router(request.method ?? "GET", target.segments);
  const below = findPage(ports.router, target);
  const page = ["GET", "HEAD"].includes(request.method ?? "GET") ? below : undefined;
  // Below a folder of pages, the edge answers methods other than GET and HEAD in the same way as for a path of the API.
  if (page === undefined && (below !== undefined || isApiPath(target, match))) {
    return answerApi(ports, { request, target, match, requestId });
  }
  const elsewhere = findRedirect(request, target);
  if (elsewhere !== undefined) return { status: 307, headers: { location: elsewhere }, body: "" };
  if (page !== undefined) {
    const answer = await answerApi(ports, { request, target, match: page, requestId });
    return answer && { ...answer, headers: { ...answer.headers, ...edgeHeaders } };
  }
  if (ports.site !== undefined) return answerSite(ports.site, request, target);
  return makeNotFound(target.path, requestId);
}

/**
 * The row of a page that a function renders. As at the edge, a trailing slash makes no difference. Every other path below a folder of pages
 * leads to the page "-", which does not exist.
 */
function findPage(router: Router, { segments }: RequestTarget) {
  const [folder = "", ...rest] = segments;
  const whole = segments.at(-1) === "" ? segments.slice(0, -1) : segments;
  return [whole, ...(rest.length > 0 ? [[folder, "-"]] : [])]
    .map((tried) => router("GET", tried))
    .find((match) => match.kind === "route" && match.route.isPage === true);
}

/**
 * Signing in works only from the site's origin. A page request to the loopback's IP address is therefore redirected to the site's origin.
 */
function findRedirect(request: IncomingMessage, target: RequestTarget): string | undefined {
  const { url = "", headers, socket } = request;
  const byNumbers = /^(127\.0\.0\.1|\[::1\])(:|$)/.test(headers.host ?? "");
  if (!byNumbers || !url.startsWith("/") || !isPageRequest(request, target)) return undefined;
  return `http://localhost:${socket.localPort}${url}`;
}

/**
 * The time in milliseconds for which an idle connection stays open. Clients close idle connections before this time ends, so no client
 * writes into a connection that the front is just closing.
 */
const keepAliveTimeout = 75_000;
const grace = 2_000;
const attempts = 10;

/**
 * Listens on both loopback addresses, so that `localhost` works for every client; a machine without IPv6
 * works too. Port 0 takes any free port. Rejects with EADDRINUSE if the port is taken.
 */
async function listen(port: number, serve: RequestListener): Promise<Pick<LocalFront, "port" | "stop">> {
  const open = () => createServer({ keepAliveTimeout }, serve);
  for (let attempt = 1; ; attempt++) {
    const [first, second] = [open(), open()];
    const taken = await bind(first, port);
    try {
      const bound = await bind(second, taken, "::1").catch(ignoreFailure("EADDRNOTAVAIL", "EAFNOSUPPORT"));
      const servers = bound === undefined ? [first] : [first, second];
      return { port: taken, stop: async () => void (await Promise.all(servers.map(close))) };
    } catch (error) {
      await close(first);
      if (port !== 0 || attempt === attempts) throw error;
    }
  }
}

async function close(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeIdleConnections();
  await Promise.race([closed, delay(grace, undefined, { ref: false })]);
  server.closeAllConnections();
  await closed;
}

/**
 * Serves a directory of static files as CloudFront does: compressed, and with the same headers. A request for one of the app's pages gets
 * index.html. Hidden files and files outside the directory are never served.
 */
async function answerSite(directory: string, request: IncomingMessage, target: RequestTarget) {
  const { method = "GET" } = request;
  if (method !== "GET" && method !== "HEAD") {
    return makePlainAnswer(method === "OPTIONS" ? 204 : 405, "Use GET or HEAD.\n", { allow: "GET, HEAD" });
  }
  const file = await findFile(directory, target.segments);
  if (file !== undefined) return answerFile(file, target, request);
  const [name = "index"] = target.segments;
  const written = target.segments.length < 2 ? await findFile(directory, [`${name}.html`]) : undefined;
  const index = isPageRequest(request, target)
    ? (written ?? (await findFile(directory, ["index.html"])))
    : undefined;
  return index === undefined ? makePlainAnswer(404, "Not found.\n") : answerFile(index, target, request);
}

/** Whether a person wants a page: the request accepts HTML and the path names no file. */
function isPageRequest({ method, headers }: IncomingMessage, { segments }: RequestTarget): boolean {
  return (
    (method === "GET" || method === "HEAD") &&
    !(segments.at(-1) ?? "").includes(".") &&
    /text\/html|text\/\*|\*\/\*/.test(headers.accept ?? "*/*")
  );
}

type SiteFile = { readonly path: string; readonly etag: string };

async function findFile(directory: string, segments: readonly string[]): Promise<SiteFile | undefined> {
  if (segments.some((segment) => segment.startsWith(".") || /[/\\\0]/.test(segment))) return undefined;
  const path = join(directory, ...segments);
  const found = await stat(path, { bigint: true }).catch(ignoreFailure("ENOENT", "ENOTDIR", "ENAMETOOLONG"));
  return found?.isFile() ? { path, etag: `W/"${found.size}-${found.mtimeNs}"` } : undefined;
}

async function answerFile(
  { path, etag }: SiteFile,
  target: RequestTarget,
  request: IncomingMessage,
): Promise<HttpAnswer> {
  const headers = { ...edgeHeaders, etag, "cache-control": chooseCaching(target) };
  if (isClientCurrent(request, etag)) return { status: 304, headers, body: "" };
  const type = types[extname(path).toLowerCase()] ?? "application/octet-stream";
  const described = { ...headers, "content-type": type, vary: "accept-encoding" };
  if (!/\bbr\b/.test(String(request.headers["accept-encoding"] ?? "")) || !/^text\/|json|xml/.test(type)) {
    return { status: 200, headers: described, body: await readFile(path) };
  }
  return {
    status: 200,
    headers: { ...described, "content-encoding": "br" },
    body: await compressCached(path, etag),
  };
}

/** The compressed files, stored under path and version, so that each version is compressed once. */
const kept = new Map<string, Promise<Buffer>>();

function compressCached(path: string, etag: string): Promise<Buffer> {
  const id = `${path} ${etag}`;
  const known = kept.get(id) ?? readFile(path).then(compress);
  kept.set(id, known);
  return known;
}

/** Compresses at a medium level, as CloudFront does when it answers. */
function compress(bytes: Buffer): Promise<Buffer> {
  return promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
}

function isClientCurrent(request: IncomingMessage, etag: string): boolean {
  const known = request.headers["if-none-match"]?.split(",").map((tag) => tag.trim()) ?? [];
  return known.includes(etag) || known.includes("*");
}

/** Headers that CloudFront adds to every answer of the site. */
const edgeHeaders = {
  "content-security-policy": sitePolicy,
  "referrer-policy": "strict-origin-when-cross-origin",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

/** Vite puts a hash of the content into the names of files below `assets/`. */
function chooseCaching({ path }: RequestTarget): string {
  return /^\/assets\/.+-[\w-]{8}\.\w+$/.test(path) ? "public, max-age=31536000, immutable" : "no-cache";
}

function makePlainAnswer(status: number, body: string, headers: HttpAnswer["headers"] = {}): HttpAnswer {
  return { status, headers: { "content-type": "text/plain; charset=utf-8", ...headers }, body };
}

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".woff2": "font/woff2",
};
