import { beforeEach, describe, expect, test } from "vitest";
import * as z from "zod";
import { lower } from "../../core/chain/hex.ts";
import { makeOpeningWrites, makeSession } from "../../core/session/index.ts";
import { history as me } from "../../functions/http/me.ts";
import { endSessions, sessions } from "../../functions/http/session.ts";
import { getTestAccount } from "../../local/devnet/accounts.ts";
import { makeRefusal } from "../support/http-payer.ts";
import { startPart } from "../support/provide.ts";
import { invoke } from "./lib/call.ts";
import { startStage } from "./lib/stage.ts";

let wallets = 0;
let wallet: `0x${string}`;

const day = 24 * 60 * 60 * 1000;
const other = lower(getTestAccount(9).address);

const stored = startPart(startStage);
beforeEach(() => {
  wallets += 1;
  wallet = `0x${String(wallets).padStart(40, "0")}`;
});

/** Opens a session that began the given number of days ago. Returns the session's token. */
async function storeSession(origin: "sign-in" | "payment", daysAgo = 0, owner = wallet): Promise<string> {
  const token = `${origin} of ${owner} ${daysAgo} days ago`;
  const clock = { now: () => Date.now() - daysAgo * day, sleep: async () => undefined };
  const item = makeSession(clock, token, owner, origin);
  await stored.table.transaction.write((entities) => [...makeOpeningWrites(entities, item)]).go();
  return token;
}

const List = z.object({
  sessions: z.array(
    z.strictObject({
      id: z.string().regex(/^[0-9a-f]{32}$/),
      origin: z.enum(["sign-in", "payment"]),
      createdAt: z.string(),
      expiresAt: z.string(),
      current: z.boolean(),
    }),
  ),
});

async function list(token: string) {
  const answer = await invoke(sessions, "sessions", { cookies: [`session=${token}`] });
  expect(answer).toMatchObject({ status: 200, headers: { "cache-control": "private, no-store" } });
  return List.parse(answer.body).sessions;
}

const end = (token: string, body: unknown, headers = {}) =>
  invoke(endSessions, "sessions-end", { cookies: [`session=${token}`], body, headers });

async function isSessionLive(token: string): Promise<boolean> {
  return (await invoke(me, "history", { cookies: [`session=${token}`] })).status === 200;
}

test("a request is refused if it names a wallet other than the session's wallet, and accepted if it names the session's wallet", async () => {
  const asking = await storeSession("sign-in");
  const headers = { "session-wallet": other };
  expect(await end(asking, { others: true }, headers)).toMatchObject(makeRefusal(401, "other_session"));
  expect(await end(asking, { others: true }, { "session-wallet": wallet })).toMatchObject({ status: 200 });
});

describe("GET /api/me/sessions", () => {
  test("the list of sessions contains the wallet's active sessions, newest first, and marks the current session", async () => {
    const [asking] = [
      await storeSession("sign-in", 2),
      await storeSession("payment", 5),
      await storeSession("sign-in", 29),
    ];
    await storeSession("sign-in", 31);
    await storeSession("sign-in", 1, other);
    const found = await list(asking);
    expect(found.map(({ origin, current }) => [origin, current])).toEqual([
      ["sign-in", true],
      ["payment", false],
      ["sign-in", false],
    ]);
    for (const { createdAt, expiresAt } of found) {
      expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBeLessThanOrEqual(30 * day);
      expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now());
    }
  });

  test("a request with a session from a payment lists only sessions from payments", async () => {
    const [paid] = [
      await storeSession("payment", 1),
      await storeSession("payment", 2),
      await storeSession("sign-in", 0),
    ];
    expect((await list(paid)).map(({ origin, current }) => [origin, current])).toEqual([
      ["payment", true],
      ["payment", false],
    ]);
  });

  test("the list of sessions contains neither tokens nor their hashes", async () => {
    const token = await storeSession("sign-in");
    const { data } = await stored.table.entities.listedSession.query.ofWallet({ wallet }).go();
    const text = JSON.stringify(await list(token));
    for (const { tokenHash } of data) expect(text).not.toContain(tokenHash.slice(0, 16));
    expect(text).not.toContain(token);
    for (const { id } of await list(token)) expect(await isSessionLive(id)).toBe(false);
  });

  test("the list of sessions has at most a hundred entries", async () => {
    const token = await storeSession("sign-in", 0);
    for (let index = 1; index <= 120; index += 1) await storeSession("payment", index / 10);
    expect(await list(token)).toHaveLength(100);
  });
});

describe("POST /api/me/sessions/end", () => {
  test("a request to end a session deletes only the named session", async () => {
    const [asking, lost, kept] = [
      await storeSession("sign-in", 0),
      await storeSession("payment", 3),
      await storeSession("sign-in", 4),
    ];
    const [, named] = await list(asking);
    expect(await end(asking, { id: named?.id })).toMatchObject({
      status: 200,
      body: { ended: 1, signedOut: false },
      cookies: [],
    });
    expect(await Promise.all([asking, lost, kept].map(isSessionLive))).toEqual([true, false, true]);
    expect(await end(asking, { id: named?.id })).toMatchObject(makeRefusal(404, "unknown_session"));
  });

  test("one request can end all other sessions at once", async () => {
    const [asking, ...others] = [
      await storeSession("sign-in", 3),
      await storeSession("payment", 2),
      await storeSession("sign-in", 1),
    ];
    const stranger = await storeSession("sign-in", 0, other);
    expect(await end(asking, { others: true })).toMatchObject({ body: { ended: 2, signedOut: false } });
    expect(await Promise.all([asking, ...others, stranger].map(isSessionLive))).toEqual([
      true,
      false,
      false,
      true,
    ]);
    expect(await end(asking, { others: true })).toMatchObject({ body: { ended: 0 } });
  });

  test.each(["sign-in", "payment"] as const)(
    "a request that ends the current session (%s) clears the session's cookie",
    async (origin) => {
      const asking = await storeSession(origin);
      const [own] = await list(asking);
      const answer = await end(asking, { id: own?.id });
      expect(answer).toMatchObject({ status: 200, body: { ended: 1, signedOut: true } });
      expect(answer.cookies).toEqual([expect.stringMatching(/^session=; .*Max-Age=0/)]);
      expect(await isSessionLive(asking)).toBe(false);
    },
  );

  test("if a session from a payment tries to end another session of either kind, the answer is 401 sign_in_required", async () => {
    const [asking, paid, signedIn] = [
      await storeSession("payment", 0),
      await storeSession("payment", 1),
      await storeSession("sign-in", 2),
    ];
    const all = await list(signedIn);
    const [own] = (await list(asking)).filter(({ current }) => current);
    const others = all.filter(({ id }) => id !== own?.id).map(({ id }) => ({ id }));
    for (const body of [...others, { others: true }, { id: "0".repeat(32) }]) {
      expect(await end(asking, body)).toMatchObject(makeRefusal(401, "sign_in_required"));
    }
    expect(await Promise.all([asking, paid, signedIn].map(isSessionLive))).toEqual([true, true, true]);
  });

  test("a wallet cannot end another wallet's session, whatever session name the wallet sends", async () => {
    const [asking, foreign] = [await storeSession("sign-in"), await storeSession("sign-in", 0, other)];
    const [{ id = "" } = {}] = await list(foreign);
    const { data } = await stored.table.entities.listedSession.query.ofWallet({ wallet: other }).go();
    for (const name of [id, ...data.map(({ tokenHash }) => tokenHash), foreign.slice(0, 64)]) {
      expect(await end(asking, { id: name })).toMatchObject(makeRefusal(404, "unknown_session"));
    }
    expect(await isSessionLive(foreign)).toBe(true);
  });

  test.each([{}, { id: 7 }, { id: "" }, { others: false }, { others: "true" }, []])(
    "a request to end sessions is answered with 400 and ends no session if its body is %j",
    async (body) => {
      const asking = await storeSession("sign-in", wallets / 100);
      await storeSession("payment", 1);
      expect(await end(asking, body)).toMatchObject(makeRefusal(400, "invalid_input"));
      expect(await list(asking)).toHaveLength(2);
    },
  );
});
