import { randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { systemClock } from "../../core/adapter/system.ts";
import { readRateNow } from "../../core/gas/index.ts";
import { jobs } from "../../functions/jobs.ts";
import * as runtime from "../../functions/lib/runtime.ts";
import { routes } from "../../functions/routes.ts";
import { importHandler, invoke } from "../../local/lambda.ts";
import { makeSiteTemplate } from "../core/page/site.ts";
import { recordCalls } from "../support/calls.ts";
import { startPatientDatabase } from "../support/patient-database.ts";
import { approve } from "../support/payment.ts";
import { makeFolder } from "../support/provide.ts";
import { startServiceBehind, type TestService } from "../support/service.ts";
import { type RequestCounts, type RequestTally, startTally } from "../support/tally.ts";
import { accounts, article, makeScene } from "./lib/scene.ts";
import { listAllVisits } from "./lib/story.ts";

const place = { origin: "", rpcUrl: "" };
const played = makeScene(place);
const visits = listAllVisits(played);
const printed: Record<string, RequestCounts> = {};

let service: TestService;
let counter: RequestTally;
const recorded = recordCalls();
const clock = vi.spyOn(systemClock, "now");

/** Loads stocks and prices. In the usual case, the service has been running for a while and has already loaded stocks and prices. */
async function fillCaches(): Promise<void> {
  for (const path of ["/api/stocks", `/api/quotes/${article.stock}`]) await played.reader.get(path);
  await readRateNow({ chain: runtime.chain(), clock: systemClock, settings: runtime.readSettings() });
}

const folder = await makeFolder();
beforeAll(async () => {
  await writeFile(join(folder, "index.html"), makeSiteTemplate("one"));
  service = await startServiceBehind("database", startPatientDatabase, { site: folder });
  Object.assign(place, { origin: service.origin, rpcUrl: service.rpcUrl });
  counter = startTally(service.endpoints);
  await approve(service, accounts.reader);
  await fillCaches();
  await played.reader.post("/api/rpc", { jsonrpc: "2.0", id: 1, method: "eth_blockNumber" });
});
afterAll(async () => {
  console.table(printed);
  counter.stop();
  recorded.stop();
  clock.mockRestore();
  await service.stop();
});

describe("each route makes only the calls that the table of calls lists", () => {
  test.each(visits.map((visit) => [[visit.id, visit.when].filter(Boolean).join(" "), visit] as const))(
    "%s",
    async (name, { id, takes, waits, prepare, visit }) => {
      // While the service's clock stands still, no cache expires.
      clock.mockReturnValue(Date.now());
      await fillCaches();
      const given = await prepare?.();
      const taken = await counter.countRequests(id, () => visit(given));
      printed[name] = taken;
      const { database = 0 } = takes;
      const looks = {
        database: expect.toSatisfy((count: number) => count >= database && count < 2 * database),
      };
      expect(taken).toEqual(waits ? { ...takes, ...looks } : takes);
    },
  );
});

test("the table of calls has a line for every route", () => {
  expect([...new Set(visits.map(({ id }) => id))].sort()).toEqual(routes.map(({ id }) => id).sort());
});

test("a public read takes at most one table request (two on two routes), and makes no other call except the read of a page's template", () => {
  const open = routes.filter(({ method, caller }) => method === "GET" && caller === "anyone");
  for (const { id } of open) {
    const usual = visits.find((visit) => visit.id === id && visit.when === undefined);
    // Signed receipts are stored apart from the records of payments, so that the code that writes receipts cannot change those records. A
    // stock's page reads the stock's name from one record and the list of presses from another.
    const most = id === "receipts" || id === "stock-page" ? 2 : 1;
    expect([id, (usual?.takes.database ?? 0) <= most]).toEqual([id, true]);
    const others = Object.keys(usual?.takes ?? {}).filter((part) => part !== "database" && part !== "files");
    expect([id, others]).toEqual([id, []]);
  }
});

test("the payment of one leg takes at most three round trips to the chain and five requests to the table", () => {
  for (const { takes } of visits.filter(({ id }) => id.startsWith("pay-"))) {
    expect(takes.chain ?? 0).toBeLessThanOrEqual(3);
    expect(takes.database ?? 0).toBeLessThanOrEqual(5);
  }
});

/** The file with the AWS calls. `tests/infra/iam.test.ts` checks a stage's rights for these calls. */
const kept = new URL("../infra/calls.json", import.meta.url);
const Calls = z.array(z.string());

/**
 * `RENEW_CALLS=1 npx vitest run tests/functions/request-budget.test.ts` adds the missing calls to the list of calls. To make a new list,
 * first set the file's content to `[]`.
 */
test("every AWS call of a function is on the list that the check of the IAM rights uses", async () => {
  const repair = jobs.find(({ id }) => id === "repair");
  const views = jobs.find(({ id }) => id === "views-count");
  if (repair === undefined || views === undefined) throw new TypeError("There is no such job");
  await invoke(views, importHandler, randomUUID(), {});
  await invoke(repair, importHandler, randomUUID(), { since: new Date(Date.now() - 60_000).toISOString() });
  const known = Calls.parse(JSON.parse(await readFile(kept, "utf8")));
  if (process.env.RENEW_CALLS !== undefined) {
    const all = [...new Set([...known, ...recorded.calls])].sort();
    await writeFile(kept, `${JSON.stringify(all, null, 2)}\n`);
  }
  const unknown = [...recorded.calls].filter((call) => !known.includes(call));
  expect(unknown.sort()).toEqual([]);
});
