import { beforeAll, expect, test } from "vitest";
import { robots } from "../../functions/http/documents.ts";
import { routes } from "../../functions/routes.ts";
import { startPart } from "../support/provide.ts";
import { invoke } from "./lib/call.ts";
import { startStage } from "./lib/stage.ts";

startPart(startStage);

let text = "";
beforeAll(async () => {
  const answer = await invoke(robots, "robots");
  expect(answer).toMatchObject({
    status: 200,
    headers: {
      "content-type": "text/plain; charset=utf-8",
      "cache-control": "public, max-age=0, s-maxage=3600, stale-while-revalidate=86400",
    },
  });
  text = answer.text ?? "";
});

/**
 * Tells whether a crawler is allowed to fetch a path. The longest matching rule decides. If two matching rules are equally long, the rule
 * that allows the path decides (RFC 9309 §2.2.2).
 */
function mayFetch(path: string): boolean {
  const rules = [...text.matchAll(/^(Allow|Disallow): (\S+)$/gm)].flatMap(([, kind, pattern = ""]) => {
    const body = pattern
      .replace(/\$$/, "")
      .replace(/[.+?()[\]{}|^$]/g, "\\$&")
      .replaceAll("*", ".*");
    const fits = new RegExp(`^${body}${pattern.endsWith("$") ? "$" : ""}`).test(path);
    return fits ? [{ allows: kind === "Allow", length: pattern.length }] : [];
  });
  const longest = Math.max(...rules.map(({ length }) => length));
  const last = rules.filter(({ length }) => length === longest);
  return last.length === 0 || last.some(({ allows }) => allows);
}

test.each(routes)("robots.txt allows only routes that anybody may read: $method $path", (row) => {
  const path = row.path.replace(/\{\w+\}/g, "apple-beats-1");
  const isOpen = routes.some(
    (other) => other.path === row.path && other.method === "GET" && other.caller === "anyone",
  );
  expect(mayFetch(path)).toBe(isOpen);
});

test.each(["/", "/audit", "/ranking", "/developers", "/assets/index-B1c2D3e4.js"])(
  "robots.txt allows %s",
  (path) => expect(mayFetch(path)).toBe(true),
);
