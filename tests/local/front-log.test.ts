import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { parseView } from "../../core/views/line.ts";
import { edgeLog } from "../../functions/storage.ts";
import { startFront } from "../../local/front/index.ts";
import { makeEdgeLog } from "../../local/front/log.ts";

test("the front writes each request as a line in the form of the edge's log, without the reader's address; views are counted from these lines", async () => {
  const files = new Map<string, Buffer>();
  const log = makeEdgeLog(async (key, body) => void files.set(key, body));
  const front = await startFront({ port: 0, routes: [], log: log.add });
  const headers = {
    "user-agent": 'Mozilla/5.0 (X11; "quoted" 100%) Gecko/20100101',
    referer: "https://example.org/a b",
    cookie: "session=secret",
    "x-forwarded-for": "203.0.113.9",
  };
  try {
    await fetch(`${front.origin}/press/margins-1?from=feed`, { headers });
  } finally {
    await front.stop();
  }
  await log.storeLines();
  await log.storeLines();
  expect(files.size).toBe(1);
  const [[name = "", body = Buffer.of()] = []] = files;
  const today = new Date().toISOString().slice(0, 10);
  expect(name).toMatch(
    new RegExp(`^edge/${today.replaceAll("-", "/")}/LOCAL\\.${today}-\\d\\d\\.[0-9a-f]{8}\\.gz$`),
  );
  const text = gunzipSync(body).toString();
  expect(text).not.toMatch(/127\.0\.0\.1|::1|203\.0\.113\.9|secret/);
  const line: Record<string, string> = JSON.parse(text);
  expect(Object.keys(line)).toEqual([...edgeLog.fields]);
  expect(line).toMatchObject({
    "cs-uri-stem": "/press/margins-1",
    "cs-uri-query": "from=feed",
    "sc-status": "404",
    "cs(User-Agent)": "Mozilla/5.0%20(X11;%20%22quoted%22%20100%25)%20Gecko/20100101",
  });
  const served = JSON.stringify({ ...line, "sc-status": "200" });
  expect(parseView(text, "site.example")).toBeUndefined();
  expect(parseView(served, "site.example")).toEqual({ day: today, id: 1, slug: "margins-1", source: "feed" });
});
