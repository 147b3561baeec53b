import { expect } from "vitest";
import { type Address, lower } from "../../../core/chain/hex.ts";
import { getTestAccount } from "../../../local/devnet/accounts.ts";
import { makeWallet1271Code } from "../../../local/devnet/deploy.ts";
import { deploy } from "../../support/payment.ts";
import { prove } from "../holds.ts";
import { askAsSite, Challenge, parseSessionCookie, requestChallenge, verify } from "../world/ask.ts";
import { makeOnce } from "../world/scene.ts";
import { chain, devnet, runWithClockAhead, service } from "../world/service.ts";

const account = getTestAccount(2);
const stranger = getTestAccount(3);
const minute = 60_000;

const asked = makeOnce(() => askAsSite("/api/auth/nonce", { body: { address: account.address } }));
const signedIn = makeOnce(() => verify(account.address, (message) => account.signMessage({ message })));

/** A sign-in challenge with its signature. */
async function sign() {
  const { nonce, message } = await requestChallenge(account.address);
  return { address: account.address, nonce, signature: await account.signMessage({ message }) };
}

function sendVerification(body: object) {
  return askAsSite("/api/auth/verify", { body });
}

const readSession = (cookie?: string) => askAsSite("/api/me", { cookie });

/** A contract wallet that the test's account owns. */
const contract = makeOnce(async (): Promise<Address> => {
  const bytecode = makeWallet1271Code(await (await devnet()).artifacts(), account.address);
  return deploy({ client: await chain() }, account, bytecode);
});

prove("4.2 nonce", async () => {
  const { status, body } = await asked();
  expect(status).toBe(200);
  expect(Challenge.parse(body).nonce.length).toBeGreaterThanOrEqual(8);
});

prove("4.2 message", async () => {
  const { nonce, message } = Challenge.parse((await asked()).body);
  expect(message.split("\n").length).toBeGreaterThan(2);
  for (const part of [(await service()).origin, account.address, nonce]) expect(message).toContain(part);
});

prove("4.2 nonce: ten minutes", expectNonceValidForTenMinutes);
prove("4.2 nonce: single use", expectSingleUse);
prove("4.2 verify: reused nonce", expectSingleUse);
prove("8 nonce validity", async () => {
  await expectNonceValidForTenMinutes();
  await expectSingleUse();
});

async function expectNonceValidForTenMinutes(): Promise<void> {
  const [early, late] = [await sign(), await sign()];
  const first = await runWithClockAhead(9.5 * minute, () => sendVerification(early));
  const second = await runWithClockAhead(10 * minute + 1_000, () => sendVerification(late));
  expect([first.status, second.status]).toEqual([200, 401]);
}

async function expectSingleUse(): Promise<void> {
  const body = await sign();
  const [first, second] = [await sendVerification(body), await sendVerification(body)];
  expect([first.status, second.status]).toEqual([200, 401]);
  expect(second.headers.getSetCookie()).toEqual([]);
}

prove("4.2 verify", async () => {
  expect((await signedIn()).status).toBe(200);
  // The sign-in refuses a signature over a changed message.
  const trimmed = await verify(account.address, (message) =>
    account.signMessage({ message: message.replaceAll("\n", " ") }),
  );
  expect(trimmed.status).toBe(401);
});

prove("4.2 verify: reply", async () => {
  expect((await signedIn()).body).toEqual({ address: lower(account.address) });
  expect(lower(account.address)).not.toBe(account.address);
});

prove("4.2 verify: cookie", async () => {
  expect((await readSession(parseSessionCookie(await signedIn()))).body).toEqual({
    address: lower(account.address),
  });
});

prove("4.2 verify: contracts", expectContractWallet);
prove("5.4 obtained", async () => {
  expect((await readSession(parseSessionCookie(await signedIn()))).body).toEqual({
    address: lower(account.address),
  });
  await expectContractWallet();
});

async function expectContractWallet(): Promise<void> {
  const address = await contract();
  const answer = await verify(address, (message) => account.signMessage({ message }));
  expect(answer).toMatchObject({ status: 200, body: { address: lower(address) } });
  expect((await verify(address, (message) => stranger.signMessage({ message }))).status).toBe(401);
}

prove("4.2 verify: wrong signature", async () => {
  const answer = await verify(account.address, (message) => stranger.signMessage({ message }));
  expect(answer.status).toBe(401);
  expect(answer.headers.getSetCookie()).toEqual([]);
});

prove("7 401 auth/verify", async () => {
  const wrong = await verify(account.address, (message) => stranger.signMessage({ message }));
  expect(wrong).toMatchObject({ status: 401, body: { code: "invalid_signature" } });
  const body = await sign();
  await sendVerification(body);
  expect(await sendVerification(body)).toMatchObject({ status: 401, body: { code: "invalid_nonce" } });
});

prove("4.2 me", async () => {
  expect(await readSession(parseSessionCookie(await signedIn()))).toMatchObject({
    status: 200,
    body: { address: lower(account.address) },
  });
});

prove("4.2 me: nobody", async () => {
  for (const cookie of [undefined, "session=nobody"]) {
    expect((await readSession(cookie)).body).toEqual({ address: null });
  }
});

/** A session that was ended by a sign-out, with the answer to the sign-out. */
const left = makeOnce(async () => {
  const cookie = parseSessionCookie(
    await verify(account.address, (message) => account.signMessage({ message })),
  );
  const { origin } = await service();
  const response = await fetch(`${origin}/api/auth/logout`, { method: "POST", headers: { origin, cookie } });
  const body: unknown = await response.json();
  return { cookie, status: response.status, headers: response.headers, body };
});

prove("4.2 logout", async () => {
  const { cookie, status } = await left();
  expect(status).toBe(200);
  expect((await readSession(cookie)).body).toEqual({ address: null });
});

prove("4.2 logout: reply", async () => {
  const { body, headers } = await left();
  expect(body).toEqual({ address: null });
  expect(headers.getSetCookie()).toEqual([expect.stringMatching(/^session=;.*Max-Age=0/)]);
});
