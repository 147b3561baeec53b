import { expect } from "vitest";
import { lower } from "../../../core/chain/hex.ts";
import { makeSessionCookie } from "../../../functions/lib/reply.ts";
import { getTestAccount } from "../../../local/devnet/accounts.ts";
import { prove, proveEach } from "../holds.ts";
import { ask, askAsSite, parseSessionCookie, requestChallenge, signInOnce, verify } from "../world/ask.ts";
import { article, writer } from "../world/desk.ts";
import { buy, makeReader } from "../world/purse.ts";
import { makeOnce } from "../world/scene.ts";
import { runWithClockAhead } from "../world/service.ts";
import { other, press } from "./town.ts";

const account = getTestAccount(3);
const stranger = getTestAccount(6);
const day = 24 * 60 * 60_000;

const signedIn = makeOnce(() => verify(account.address, (message) => account.signMessage({ message })));

prove("5.4 HttpOnly", async () => {
  const [cookie] = (await signedIn()).headers.getSetCookie();
  expect(cookie).toMatch(/; HttpOnly(;|$)/);
});

proveEach<number>({ "5.4 30 days": 30, "8 session validity": 30 }, async (days) => {
  const answer = await verify(account.address, (message) => account.signMessage({ message }));
  expect(answer.headers.getSetCookie()[0]).toContain(`; Max-Age=${days * 24 * 60 * 60}`);
  const cookie = parseSessionCookie(answer);
  const readSessionBody = async () => (await askAsSite("/api/me", { cookie })).body;
  expect(await runWithClockAhead(days * day - 60_000, readSessionBody)).toEqual({
    address: lower(account.address),
  });
  expect(await runWithClockAhead(days * day + 1_000, readSessionBody)).toEqual({ address: null });
});

prove("5.4 one wallet", async () => {
  const cookie = parseSessionCookie(await signedIn());
  expect((await ask("/api/me", { cookie })).body).toEqual({ address: lower(account.address) });
  // A wallet's signature must not open another wallet's session.
  const { nonce, message } = await requestChallenge(account.address);
  const signature = await stranger.signMessage({ message });
  const body = { address: stranger.address, nonce, signature };
  expect((await askAsSite("/api/auth/verify", { body })).status).toBe(401);
});

prove("5.4 site origin", async () => {
  const { address } = account;
  const nonce = "0".repeat(32);
  const elsewhere = { origin: "https://other.example" };
  const asked = [
    ask("/api/auth/nonce", { body: { address }, headers: elsewhere }),
    ask("/api/auth/verify", { body: { address, nonce, signature: "0x" }, headers: elsewhere }),
    ask("/api/me", { headers: elsewhere }),
    ask("/api/me", { headers: { "sec-fetch-site": "cross-site" } }),
    // A page's POST has an Origin header, so a POST without this header does not come from the site.
    ask("/api/auth/nonce", { body: { address } }),
  ];
  for (const { status } of await Promise.all(asked)) expect(status).toBe(403);
  expect((await askAsSite("/api/auth/nonce", { body: { address } })).status).toBe(200);
});

prove("5.5 body", async () => {
  const [bought, unbought] = [await press(), await other()];
  const { publisher } = await buy(await makeReader(), bought.pressId);
  const readPress = async (slug: string, cookie?: string) =>
    (await ask(`/api/presses/${slug}`, { cookie })).body;
  const open = { unlocked: true, body: article.body };
  const closed = { unlocked: false, body: null };
  expect(await readPress(bought.slug, parseSessionCookie(publisher))).toMatchObject(open);
  expect(await readPress(bought.slug, await signInOnce(writer))).toMatchObject(open);
  expect(await readPress(bought.slug)).toMatchObject(closed);
  expect(await readPress(bought.slug, await signInOnce(stranger))).toMatchObject(closed);
  expect(await readPress(unbought.slug, parseSessionCookie(publisher))).toMatchObject(closed);
});

prove("5.6 cookie name", async () => {
  const attributes = "HttpOnly; SameSite=Lax; Path=/; Max-Age=2592000";
  expect((await signedIn()).headers.getSetCookie()).toEqual([
    expect.stringMatching(new RegExp(`^session=[\\w-]+; ${attributes}$`)),
  ]);
  expect(makeSessionCookie("https://news.example.com", "token")).toBe(
    `__Host-session=token; ${attributes}; Secure`,
  );
});
