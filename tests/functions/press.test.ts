import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { systemClock } from "../../core/adapter/system.ts";
import { identityAbi } from "../../core/chain/abi.ts";
import { mainnet } from "../../core/chain/deployment.ts";
import { Press, PressDetail, Registration } from "../../core/press/schema.ts";
import { newSession } from "../../core/session/index.ts";
import { openTable, type Table } from "../../core/table.ts";
import { testAccount } from "../../local/devnet/accounts.ts";
import { approve, article, publisher as reader, words } from "../core/press/newsroom.ts";
import { clientFor } from "../support/database.ts";
import { devnetClient } from "../support/devnet.ts";
import { startTestService, type TestService } from "../support/service.ts";

const account = testAccount(1);
const stranger = testAccount(2);

let service: TestService;
let database: ReturnType<typeof clientFor>;
let table: Table;
let cookie: string;
beforeAll(async () => {
  service = await startTestService();
  database = clientFor(service.endpoints.database);
  table = openTable(DynamoDBDocumentClient.from(database), process.env.TABLE_NAME ?? "");
  cookie = await signIn(account);
});
afterAll(async () => {
  database.destroy();
  await service.stop();
});

type Options = { readonly body?: unknown; readonly cookie?: string };

async function ask(path: string, options: Options = {}) {
  const response = await fetch(`${service.origin}${path}`, {
    method: options.body === undefined ? "GET" : "POST",
    headers: {
      ...(options.body !== undefined && { "content-type": "application/json" }),
      ...(options.cookie !== undefined && { cookie: options.cookie }),
      origin: service.origin,
    },
    body: options.body === undefined ? null : JSON.stringify(options.body),
  });
  const body: unknown = await response.json();
  return { status: response.status, headers: response.headers, body };
}

async function signIn(wallet: typeof account): Promise<string> {
  const { address } = wallet;
  const challenge = z
    .object({ nonce: z.string(), message: z.string() })
    .parse((await ask("/api/auth/nonce", { body: { address } })).body);
  const signature = await wallet.signMessage({ message: challenge.message });
  const answer = await ask("/api/auth/verify", { body: { address, nonce: challenge.nonce, signature } });
  return answer.headers.get("set-cookie")?.split(";")[0] ?? "";
}

const Saved = z.strictObject({ id: z.int() });
const Minted = z.strictObject({ slug: z.string(), pressId: z.int() });

async function saved(changes: Readonly<Record<string, unknown>> = {}, as = cookie): Promise<number> {
  const answer = await ask("/api/press/save", { body: article(changes), cookie: as });
  expect(answer.status).toBe(200);
  return Saved.parse(answer.body).id;
}

async function register(id: number, wallet = account) {
  const { transactionHash } = await devnetClient(service.rpcUrl).writeContractSync({
    account: wallet,
    address: mainnet.contracts.identityRegistry,
    abi: identityAbi,
    functionName: "register",
    args: [`${service.origin}/api/meta/${id}`],
  });
  return transactionHash;
}

async function published(changes: Readonly<Record<string, unknown>> = {}) {
  const id = await saved(changes);
  await approve({ table }, id);
  const txHash = await register(id);
  const answer = await ask("/api/press/minted", { body: { id, txHash }, cookie });
  expect(answer).toMatchObject({ status: 200 });
  return { id, txHash, ...Minted.parse(answer.body) };
}

describe("POST /api/press/save", () => {
  test("needs a session that was signed in", async () => {
    expect(await ask("/api/press/save", { body: article() })).toMatchObject({
      status: 401,
      body: { code: "no_session" },
    });
    const token = "paid-token";
    const clock = { now: () => Date.now(), sleep: async () => undefined };
    await table.entities.session.put(newSession(clock, token, reader, "payment")).go();
    expect(await ask("/api/press/save", { body: article(), cookie: `session=${token}` })).toMatchObject({
      status: 401,
      body: { code: "sign_in_required" },
    });
  });

  test("names every field at fault, with its measure", async () => {
    const body = article({ headline: "x".repeat(95), body: words(12), stock: "AAPL" });
    expect(await ask("/api/press/save", { body, cookie })).toMatchObject({
      status: 400,
      body: {
        code: "invalid_input",
        issues: [
          { path: "headline", message: "may have at most 90 characters, and has 95" },
          { path: "body", message: "needs at least 150 words, and has 12" },
        ],
      },
    });
  });

  test("refuses a stock that is not on the chain, another's press and a live one", async () => {
    const unknown = { body: article({ stock: "MOON" }), cookie };
    expect(await ask("/api/press/save", unknown)).toMatchObject({
      status: 400,
      body: { code: "unknown_stock" },
    });
    const { id } = await published();
    expect(await ask("/api/press/save", { body: article({ id }), cookie })).toMatchObject({
      status: 409,
      body: { code: "press_live" },
    });
    const others = { body: article({ id }), cookie: await signIn(stranger) };
    expect(await ask("/api/press/save", others)).toMatchObject({
      status: 404,
      body: { code: "unknown_press" },
    });
  });

  test("the 21st new draft of a day is 429, with the seconds to midnight", async () => {
    const own = await signIn(testAccount(5));
    for (let count = 0; count < 20; count += 1) await saved({}, own);
    const answer = await ask("/api/press/save", { body: article(), cookie: own });
    expect(answer).toMatchObject({ status: 429, body: { code: "draft_limit" } });
    const seconds = Number(answer.headers.get("retry-after"));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(86_400);
  });
});

describe("GET /api/presses", () => {
  const List = z.strictObject({ presses: z.array(Press.strict()) });

  test("lists live presses newest first, all or of a stock in any case", async () => {
    const first = await published({ stock: "MSFT" });
    const second = await published({ stock: "MSFT" });
    const all = await ask("/api/presses");
    expect(all.headers.get("cache-control")).toMatch(/^public, max-age=0, s-maxage=5\b/);
    expect(
      List.parse(all.body)
        .presses.slice(0, 2)
        .map(({ id }) => id),
    ).toEqual([second.id, first.id]);
    const some = List.parse((await ask("/api/presses?stock=msft")).body).presses;
    expect(some.map(({ id }) => id)).toEqual([second.id, first.id]);
    const page = await ask("/api/presses?stock=MSFT&limit=1");
    expect(page.body).toEqual({ presses: [some[0]], cursor: expect.any(String) });
  });

  test.each(["stock=%20", "limit=0", "limit=201", "limit=x", "cursor=x", "stock=AAPL&stock=MSFT"])(
    "?%s is 400",
    async (query) => {
      expect(await ask(`/api/presses?${query}`)).toMatchObject({ status: 400 });
    },
  );
});

describe("GET /api/presses/{slug}", () => {
  const Detail = PressDetail.strict().extend({
    press: PressDetail.shape.press.strict(),
    audit: PressDetail.shape.audit.strict(),
  });

  test("tells everybody all but the text, and the publisher that too", async () => {
    const body = `# Naïve  \r\n\r\n${words(160)}\n`;
    const { slug, pressId } = await published({ body });
    const anonymous = await ask(`/api/presses/${slug}`);
    expect(anonymous.status).toBe(200);
    expect(Detail.parse(anonymous.body)).toMatchObject({ press: { pressId }, unlocked: false, body: null });
    expect(anonymous.headers.get("cache-control")).toMatch(/^public, max-age=0, s-maxage=5\b/);
    expect(anonymous.headers.get("vary")?.toLowerCase()).toContain("cookie");

    const own = await ask(`/api/presses/${slug}`, { cookie });
    expect(Detail.parse(own.body)).toMatchObject({ unlocked: true, body });
    expect(own.headers.get("cache-control")).toBe("private, no-store");
  });

  test("a cookie that is no session gets no text, and no shared cache", async () => {
    const { slug } = await published();
    const answer = await ask(`/api/presses/${slug}`, { cookie: "session=nonsense" });
    expect(answer).toMatchObject({ status: 200, body: { unlocked: false, body: null } });
    expect(answer.headers.get("cache-control")).toBe("private, no-store");
  });

  test.each(["nothing-zz", "+", "x".repeat(300)])("%s is 404", async (slug) => {
    expect(await ask(`/api/presses/${slug}`)).toMatchObject({ status: 404, body: { code: "unknown_press" } });
  });
});

describe("POST /api/press/minted", () => {
  test("a press goes live by its mint, and every repeat says the same", async () => {
    const { id, txHash, slug, pressId } = await published();
    const repeat = await ask("/api/press/minted", { body: { id, txHash }, cookie });
    expect(repeat).toMatchObject({ status: 200, body: { slug, pressId } });
    expect(slug).toMatch(new RegExp(`-${id.toString(36)}$`));
  });

  test("another wallet's mint is 400 with its reason", async () => {
    const id = await saved();
    await approve({ table }, id);
    const txHash = await register(id, stranger);
    expect(await ask("/api/press/minted", { body: { id, txHash }, cookie })).toMatchObject({
      status: 400,
      body: { code: "wrong_sender" },
    });
  });

  test("a transaction that is not mined yet is 503 after five seconds, and to be asked for again", async () => {
    const id = await saved();
    await approve({ table }, id);
    // The five seconds pass without anybody having to wait for them.
    let slept = 0;
    vi.spyOn(systemClock, "now").mockImplementation(() => Date.now() + slept);
    vi.spyOn(systemClock, "sleep").mockImplementation(async (milliseconds) => {
      slept += milliseconds;
    });
    const txHash = `0x${"9".repeat(64)}`;
    const answer = await ask("/api/press/minted", { body: { id, txHash }, cookie });
    vi.restoreAllMocks();
    expect(answer).toMatchObject({ status: 503, body: { code: "mint_pending", retryAfter: 2 } });
    expect(answer.headers.get("retry-after")).toBe("2");
    expect(slept).toBeGreaterThan(3_500);
  });

  test("a draft is 409, another's press 404, a malformed hash 400", async () => {
    const id = await saved();
    const txHash = `0x${"0".repeat(64)}`;
    expect(await ask("/api/press/minted", { body: { id, txHash }, cookie })).toMatchObject({
      status: 409,
      body: { code: "not_approved" },
    });
    const others = { body: { id, txHash }, cookie: await signIn(stranger) };
    expect(await ask("/api/press/minted", others)).toMatchObject({ status: 404 });
    expect(await ask("/api/press/minted", { body: { id, txHash: "0x12" }, cookie })).toMatchObject({
      status: 400,
    });
  });
});

describe("GET /api/meta/{id}", () => {
  test("is the registration file of an approved press, with the identity once it is live", async () => {
    const id = await saved();
    expect(await ask(`/api/meta/${id}`)).toMatchObject({ status: 404 });
    await approve({ table }, id);
    const file = await ask(`/api/meta/${id}`);
    expect(Registration.strict().parse(file.body).registrations).toEqual([]);
    expect(file.headers.get("cache-control")).toMatch(/^public\b/);

    const live = await published();
    const { body } = await ask(`/api/meta/${live.id}`);
    expect(Registration.strict().parse(body).registrations).toEqual([
      { agentId: live.pressId, agentRegistry: `eip155:4663:${mainnet.contracts.identityRegistry}` },
    ]);
  });

  test.each(["0", "x", "-1", "1.5", "99999999999999999999"])("%s is 404", async (id) => {
    expect(await ask(`/api/meta/${id}`)).toMatchObject({ status: 404 });
  });
});
