import { createHash } from "node:crypto";
import type { Reply } from "./reply.ts";

/** What a 304 repeats of the answer that it stands for (RFC 9110 §15.4.5). */
const repeated = new Set(["cache-control", "etag", "vary"]);

/**
 * Gives an answer that may be kept a strong entity tag, and answers 304 without a body to whoever has it already.
 * `ifNoneMatch` is the request's header. Tags are compared weakly (RFC 9110 §13.1.2), for the edge weakens those of what
 * it compresses.
 */
export function conditional(reply: Reply, ifNoneMatch: string | undefined): Reply {
  const { statusCode, headers = {}, body = "" } = reply;
  if (statusCode !== 200 || /\bno-store\b/.test(String(headers["cache-control"] ?? "no-store"))) return reply;
  const etag = `"${createHash("sha256").update(body).digest("base64url")}"`;
  const tagged = { ...headers, etag };
  if (!matches(ifNoneMatch, etag)) return { ...reply, headers: tagged };
  const kept = Object.entries(tagged).filter(([name]) => repeated.has(name));
  return { statusCode: 304, headers: Object.fromEntries(kept) };
}

function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === "*") return true;
  const tags: readonly string[] = ifNoneMatch.match(/"[^"]*"/g) ?? [];
  return tags.includes(etag);
}
