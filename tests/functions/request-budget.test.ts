import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { correlation } from "../../functions/lib/log.ts";
import { routes } from "../../functions/routes.ts";
import { leadingKeys } from "../../functions/storage.ts";
import type { Listening } from "../../local/stand-in.ts";
import { template } from "../core/page/site.ts";
import { devnetClient } from "../support/devnet.ts";
import { patientDatabase } from "../support/patient-database.ts";
import { approve } from "../support/payment.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type Spent, type Tally, tally } from "../support/tally.ts";
import { accounts, article, scene } from "./lib/scene.ts";
import { story } from "./lib/story.ts";

const place = { origin: "", rpcUrl: "" };
const played = scene(place);
const visits = story(played);
const printed: Record<string, Spent> = {};

/** The partition keys that functions have written, each as `function key`. */
const written = new Set<string>();
const At = z.object({ pk: z.string() });
const One = z.union([
  z.object({ Item: At }).transform(({ Item }) => Item.pk),
  z.object({ Key: At, UpdateExpression: z.string() }).transform(({ Key }) => Key.pk),
]);
const Write = z.union([
  One.transform((pk) => [pk]),
  z
    .object({
      TransactItems: z.array(z.object({ Put: One, Update: One, Delete: z.object({ Key: At }) }).partial()),
    })
    .transform(({ TransactItems }) =>
      TransactItems.flatMap(({ Put, Update, Delete }) => Put ?? Update ?? Delete?.Key.pk ?? []),
    ),
]);
const { send } = DynamoDBDocumentClient.prototype;
vi.spyOn(DynamoDBDocumentClient.prototype, "send").mockImplementation(function (
  this: unknown,
  ...sent: unknown[]
) {
  const [command] = sent;
  const { data = [] } = Write.safeParse(Object(command).input);
  for (const key of data) written.add(`${correlation().function} ${key}`);
  return Reflect.apply(send, this, sent);
});

let folder: string;
let service: TestService;
let database: Listening;
let counter: Tally;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "site-"));
  await writeFile(join(folder, "index.html"), template("one"));
  service = await startTestService({
    site: folder,
    detours: {
      database: async (endpoint) => {
        database = await patientDatabase(endpoint);
        return database.endpoint;
      },
    },
  });
  Object.assign(place, { origin: service.origin, rpcUrl: service.rpcUrl });
  counter = tally(service.endpoints);
  await approve({ client: devnetClient(service.rpcUrl) }, accounts.reader);
  // The usual case is a service that has been running: stocks and prices have been asked for before.
  for (const path of ["/api/stocks", `/api/quotes/${article.stock}`]) await played.reader.get(path);
  await played.reader.post("/api/rpc", { jsonrpc: "2.0", id: 1, method: "eth_blockNumber" });
});
afterAll(async () => {
  console.table(printed);
  counter.stop();
  await service.stop();
  await database.stop();
  await rm(folder, { recursive: true });
});

describe("in its usual case a route asks the table and the others exactly so often:", () => {
  test.each(visits.map((visit) => [[visit.id, visit.when].filter(Boolean).join(" "), visit] as const))(
    "%s",
    async (name, { id, takes, waits, before, visit }) => {
      const given = await before?.();
      const taken = await counter.of(id, () => visit(given));
      printed[name] = taken;
      const { database = 0 } = takes;
      const looks = {
        database: expect.toSatisfy((count: number) => count >= database && count < 2 * database),
      };
      expect(taken).toEqual(waits ? { ...takes, ...looks } : takes);
    },
  );
});

test("every route has its line", () => {
  expect([...new Set(visits.map(({ id }) => id))].sort()).toEqual(routes.map(({ id }) => id).sort());
});

test("a route that anybody may read takes one request to the table and asks nobody else, but for a page's template", () => {
  const open = routes.filter(({ method, caller }) => method === "GET" && caller === "anyone");
  for (const { id } of open) {
    const usual = visits.find((visit) => visit.id === id && visit.when === undefined);
    // Receipts lie apart from the transfers that they are for, so that who writes them writes nothing of money. A stock's
    // page has its name from one record and its presses from another.
    const most = id === "receipts" || id === "stock-page" ? 2 : 1;
    expect([id, (usual?.takes.database ?? 0) <= most]).toEqual([id, true]);
    const others = Object.keys(usual?.takes ?? {}).filter((part) => part !== "database" && part !== "files");
    expect([id, others]).toEqual([id, []]);
  }
});

test("a paid leg takes at most three round trips to the chain and five requests to the table", () => {
  for (const { takes } of visits.filter(({ id }) => id.startsWith("pay-"))) {
    expect(takes.chain ?? 0).toBeLessThanOrEqual(3);
    expect(takes.database ?? 0).toBeLessThanOrEqual(5);
  }
});

test("a route whose writes are narrowed writes the keys of its own records only", () => {
  const narrowed = routes.flatMap(({ id, writes }) => (writes === undefined ? [] : [{ id, writes }]));
  const like = (pattern: string) =>
    new RegExp(`^${pattern.replace(/[$.]/g, "\\$&").replaceAll("*", ".*").replaceAll("?", ".")}$`);
  const outside = narrowed.flatMap(({ id, writes }) => {
    const own = [...written]
      .filter((line) => line.startsWith(`${id} `))
      .map((line) => line.slice(id.length + 1));
    return own.filter((key) => !writes.some((name) => like(leadingKeys[name]).test(key)));
  });
  expect(outside).toEqual([]);
  const wrote = narrowed.filter(({ id }) => [...written].some((line) => line.startsWith(`${id} `)));
  expect(wrote.map(({ id }) => id)).toEqual(
    expect.arrayContaining(["auth-nonce", "rpc", "stocks", "draft-angles", "receipts"]),
  );
});
