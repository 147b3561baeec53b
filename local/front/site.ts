import { readFile, stat } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { sitePolicy } from "../../functions/browser.ts";
import type { Answer, Target } from "./http.ts";

type SiteRequest = { readonly request: IncomingMessage; readonly target: Target };

/**
 * Answers from a directory of static files as the content network does, compressed and with its headers: pages of the app, which are
 * no files, get its index.html. Nothing outside the directory and nothing hidden is served.
 */
export async function answerSite(directory: string, { request, target }: SiteRequest): Promise<Answer> {
  const { method = "GET" } = request;
  if (method !== "GET" && method !== "HEAD") {
    return plain(method === "OPTIONS" ? 204 : 405, "Only GET and HEAD.\n", { allow: "GET, HEAD" });
  }
  const file = await findFile(directory, target.segments);
  if (file !== undefined) return answerFile(file, target, request);
  const index = isPage(request, target) ? await findFile(directory, ["index.html"]) : undefined;
  return index === undefined ? plain(404, "Not found.\n") : answerFile(index, target, request);
}

/** A function's answer as a page of the site. */
export function asPage(answer: Answer): Answer {
  return { ...answer, headers: { ...answer.headers, ...edgeHeaders } };
}

/** Whether a person wants to see a page here: HTML is welcome and the path names no file. */
export function isPage({ method, headers }: IncomingMessage, { segments }: Target): boolean {
  return (
    (method === "GET" || method === "HEAD") &&
    !(segments.at(-1) ?? "").includes(".") &&
    /text\/html|text\/\*|\*\/\*/.test(headers.accept ?? "*/*")
  );
}

type File = { readonly path: string; readonly etag: string };

async function findFile(directory: string, segments: readonly string[]): Promise<File | undefined> {
  if (segments.some((segment) => segment.startsWith(".") || /[/\\\0]/.test(segment))) return undefined;
  const path = join(directory, ...segments);
  const found = await stat(path, { bigint: true }).catch(absent);
  return found?.isFile() ? { path, etag: `W/"${found.size}-${found.mtimeNs}"` } : undefined;
}

function absent(error: unknown): undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code !== "ENOENT" && code !== "ENOTDIR" && code !== "ENAMETOOLONG") throw error;
}

async function answerFile({ path, etag }: File, target: Target, request: IncomingMessage): Promise<Answer> {
  const headers = { ...edgeHeaders, etag, "cache-control": cacheControl(target) };
  if (isKnown(request, etag)) return { status: 304, headers, body: "" };
  const type = contentType(path);
  const described = { ...headers, "content-type": type, vary: "accept-encoding" };
  if (!takesBrotli(request) || !isText(type)) {
    return { status: 200, headers: described, body: await readFile(path) };
  }
  return {
    status: 200,
    headers: { ...described, "content-encoding": "br" },
    body: await compressed(path, etag),
  };
}

/** By path and version: a file is compressed once. */
const kept = new Map<string, Promise<Buffer>>();

function compressed(path: string, etag: string): Promise<Buffer> {
  const id = `${path} ${etag}`;
  const known = kept.get(id) ?? readFile(path).then(compress);
  kept.set(id, known);
  return known;
}

/** At a middling level, as the content network does while it answers. */
function compress(bytes: Buffer): Promise<Buffer> {
  return promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
}

function takesBrotli({ headers }: IncomingMessage): boolean {
  return /\bbr\b/.test(String(headers["accept-encoding"] ?? ""));
}

function isText(type: string): boolean {
  return /^text\/|json|xml/.test(type);
}

function isKnown(request: IncomingMessage, etag: string): boolean {
  const known = request.headers["if-none-match"]?.split(",").map((tag) => tag.trim()) ?? [];
  return known.includes(etag) || known.includes("*");
}

/** What the content network adds to everything of the site. */
const edgeHeaders = {
  "content-security-policy": sitePolicy,
  "referrer-policy": "strict-origin-when-cross-origin",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

/** What Vite puts below `assets/` carries a hash of its content in its name. */
function cacheControl({ path }: Target): string {
  return /^\/assets\/.+-[\w-]{8}\.\w+$/.test(path) ? "public, max-age=31536000, immutable" : "no-cache";
}

function plain(status: number, body: string, headers: Answer["headers"] = {}): Answer {
  return { status, headers: { "content-type": "text/plain; charset=utf-8", ...headers }, body };
}

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".jpg": "image/jpeg",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".webp": "image/webp",
  ".woff": "font/woff",
  ".woff2": "font/woff2",
  ".xml": "application/xml; charset=utf-8",
};

/** The media type of a file by its name. */
function contentType(path: string): string {
  return types[extname(path).toLowerCase()] ?? "application/octet-stream";
}
