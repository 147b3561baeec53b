import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { PressList } from "../../core/press/schema.ts";
import { getTestAccount } from "../../local/devnet/accounts.ts";
import { filings } from "../../local/seed/articles.ts";
import { makeSiteTemplate } from "../core/page/site.ts";
import { makeRecordingVisitor } from "../functions/observed/visitor.ts";
import { publishDemoPress } from "../support/demo-press.ts";
import { hostileTexts } from "../support/hostile-texts.ts";
import { makeFolder, startPart } from "../support/provide.ts";
import { startTestService } from "../support/service.ts";

const site = await makeFolder();
await writeFile(join(site, "index.html"), makeSiteTemplate("one"));
const service = startPart(() => startTestService({ site }));

const Refused = z.object({ code: z.literal("invalid_input"), error: z.string() });

describe("a save of a text that no page could show gets 400, and the answer names the limit and the line", () => {
  test.each(Object.entries(hostileTexts))("a save of a text with %s gets 400", async (_, [text, says]) => {
    const publisher = makeRecordingVisitor(service.origin, getTestAccount(11));
    await publisher.signIn();
    const draft = { ...filings, publisherName: "Nobody", body: `${filings.body.split("\n")[0]}\n\n${text}` };
    const { status, body } = await publisher.ask("/api/press/save", {
      ...draft,
      body: draft.body.slice(0, 100_000),
    });
    expect(status).toBe(400);
    const { error } = Refused.parse(body);
    expect(error).toMatch(/^body: /);
    expect(error).toMatch(says);
  });
});

test("every page, feed, card, list, file and tool of the server answers quickly for a live press with a hostile text", async () => {
  const { pressId, slug, text: demo } = await publishDemoPress(service);
  const listed = PressList.parse(await (await fetch(`${service.origin}/api/presses`)).json());
  const id = listed.presses.find((press) => press.pressId === pressId)?.id ?? 0;
  const call = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "preview_press", arguments: { slug } },
  };
  // The requests for the demo text make the service load the code of its functions, so their CPU time is not limited.
  for (const [name, [text]] of [["the demo text", [demo]] as const, ...Object.entries(hostileTexts)]) {
    const most = text === demo ? Number.POSITIVE_INFINITY : 2;
    await service.table.entities.body.patch({ id }).set({ body: text }).go();
    for (const path of [
      `/press/${slug}`,
      `/api/presses/${slug}`,
      "/api/presses",
      "/feed.xml",
      `/cards/${slug}.png`,
      `/api/meta/${id}`,
      "/llms.txt",
      "/sitemap.xml",
    ]) {
      const start = process.cpuUsage();
      const response = await fetch(`${service.origin}${path}`);
      await response.arrayBuffer();
      expect(`${path} ${response.status}`, name).toBe(`${path} 200`);
      expect(computeSeconds(start), `${name} at ${path}`).toBeLessThan(most);
    }
    const start = process.cpuUsage();
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const answer = await fetch(`${service.origin}/mcp`, {
      method: "POST",
      headers,
      body: JSON.stringify(call),
    });
    expect(await answer.json(), name).toMatchObject({ result: {} });
    expect(computeSeconds(start), `${name} over MCP`).toBeLessThan(most);
  }
});

/** Computes the CPU seconds that this process has used since `start`. The whole service runs in this process. */
function computeSeconds(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}
