import { randomBytes } from "node:crypto";
import { createSIWxMessage, createSIWxPayload, encodeSIWxHeader } from "@x402/extensions/sign-in-with-x";
import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { getTestAccount } from "../../local/devnet/accounts.ts";
import { approve, makeArticle } from "../core/press/newsroom.ts";
import { type HttpClient, makeHttpClient, makeRefusal, repeatWhilePending } from "../support/http-payer.ts";
import { register } from "../support/payment.ts";
import { startPart } from "../support/provide.ts";
import { startTestService } from "../support/service.ts";
import { fund } from "../support/wallets.ts";

const account = getTestAccount(1);
const stranger = getTestAccount(2);

let cookie: string;
const service = startPart(startTestService);
beforeAll(async () => {
  cookie = await makeHttpClient(service.origin).signIn(account);
});

const ask: HttpClient["ask"] = (path, request) => makeHttpClient(service.origin).ask(path, request);

const Saved = z.strictObject({ id: z.int() });
const Minted = z.strictObject({ slug: z.string(), pressId: z.int() });

async function savePress(changes: Readonly<Record<string, unknown>> = {}, as = cookie): Promise<number> {
  const answer = await ask("/api/press/save", { body: makeArticle(changes), cookie: as });
  expect(answer.status).toBe(200);
  return Saved.parse(answer.body).id;
}

async function publish(changes: Readonly<Record<string, unknown>> = {}) {
  const id = await savePress(changes);
  await approve(service, id);
  const { txHash } = await register(service, account, `${service.origin}/api/meta/${id}`);
  const confirm = () => ask("/api/press/minted", { body: { id, txHash }, cookie });
  return { id, txHash, ...Minted.parse((await repeatWhilePending(confirm)).body) };
}

test.each(["stock=%20", "limit=0", "limit=201", "limit=x", "cursor=x", "stock=AAPL&stock=MSFT"])(
  "GET /api/presses?%s is answered with 400",
  async (query) => {
    expect(await ask(`/api/presses?${query}`)).toMatchObject({ status: 400 });
  },
);

describe("GET /api/presses/{slug}", () => {
  test.each(["nothing-zz", "+", "x".repeat(300)])(
    "a request for the press %s is answered with 404",
    async (slug) => {
      expect(await ask(`/api/presses/${slug}`)).toMatchObject(makeRefusal(404, "unknown_press"));
    },
  );
});

describe("GET /api/presses/{slug} accepts sign-in-with-x", () => {
  type SignInInfo = Parameters<typeof createSIWxPayload>[0];
  type SignInPayload = Awaited<ReturnType<typeof createSIWxPayload>>;
  let slug: string;
  let pressId: number;
  beforeAll(async () => {
    ({ slug, pressId } = await publish());
  });

  const formatTimeFromNow = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
  const makeInfo = (changed: Partial<SignInInfo> = {}): SignInInfo => ({
    domain: new URL(service.origin).host,
    uri: `${service.origin}/api/presses/${slug}`,
    version: "1",
    nonce: randomBytes(16).toString("hex"),
    issuedAt: formatTimeFromNow(-5),
    expirationTime: formatTimeFromNow(200),
    chainId: "eip155:4663",
    type: "eip191",
    ...changed,
  });
  const makeProof = (changed: Partial<SignInInfo> = {}, wallet = account) =>
    createSIWxPayload(makeInfo(changed), wallet, new URL(service.origin));
  /** Makes the sign-in-with-x header with x402's own library. */
  const makeHeader = async (changed: Partial<SignInInfo> = {}, wallet = account) =>
    encodeSIWxHeader(await makeProof(changed, wallet));
  const readWith = (proof: string, named = slug) =>
    ask(`/api/presses/${named}`, { headers: { "sign-in-with-x": proof } });

  test("a signed read without a cookie shows the text to a wallet with access, and the answer is not cached", async () => {
    const answer = await readWith(await makeHeader({ statement: "Read", resources: [service.origin] }));
    expect(answer).toMatchObject({ status: 200, body: { unlocked: true, body: expect.any(String) } });
    expect(answer.headers.get("cache-control")).toBe("private, no-store");
    expect(answer.headers.get("vary")).toBe("cookie, sign-in-with-x");
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  test("a signed read by a wallet without access shows the press without its text, and the read's nonce is not stored", async () => {
    const proof = await makeHeader({}, stranger);
    for (const _ of [1, 2]) {
      const answer = await readWith(proof);
      expect(answer).toMatchObject({ status: 200, body: { unlocked: false, body: null } });
      expect(answer.headers.get("cache-control")).toBe("private, no-store");
    }
  });

  test("a signed read is served once, even if it is sent twice at once or its nonce is signed again", async () => {
    const nonce = randomBytes(16).toString("hex");
    const proof = await makeHeader({ nonce });
    const answers = await Promise.all([readWith(proof), readWith(proof)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect(await readWith(proof)).toMatchObject(makeRefusal(401, "invalid_nonce"));
    const again = await makeHeader({ nonce, issuedAt: formatTimeFromNow(-3) });
    expect(await readWith(again)).toMatchObject(makeRefusal(401, "invalid_nonce"));
  });

  test("if two wallets use the same nonce, each wallet gets one answer to a signed read", async () => {
    const buyer = getTestAccount(21);
    await fund(service, buyer);
    const { payLeg } = makeHttpClient(service.origin);
    for (const leg of ["treasury", "publisher"] as const) {
      expect(await payLeg(buyer, leg, pressId)).toMatchObject({ status: 200 });
    }
    const nonce = randomBytes(16).toString("hex");
    for (const wallet of [account, buyer]) {
      const proof = await makeHeader({ nonce }, wallet);
      expect(await readWith(proof)).toMatchObject({ status: 200, body: { unlocked: true } });
      expect(await readWith(proof)).toMatchObject(makeRefusal(401, "invalid_nonce"));
    }
  });

  test.each<[string, () => Partial<SignInInfo>]>([
    ["another domain", () => ({ domain: "evil.example" })],
    ["another site's address", () => ({ uri: `https://evil.example/api/presses/${slug}` })],
    ["another press", () => ({ uri: `${service.origin}/api/presses/another-1` })],
    ["the site, as a sign-in's message is", () => ({ uri: service.origin })],
    ["another chain", () => ({ chainId: "eip155:1" })],
    ["the future", () => ({ issuedAt: formatTimeFromNow(60) })],
    ["six minutes ago", () => ({ issuedAt: formatTimeFromNow(-360), expirationTime: undefined })],
    [
      "six minutes ago, good for a day",
      () => ({ issuedAt: formatTimeFromNow(-360), expirationTime: formatTimeFromNow(86_400) }),
    ],
    ["a moment ago, expired since", () => ({ expirationTime: formatTimeFromNow(-1) })],
    ["a moment ago, not valid yet", () => ({ notBefore: formatTimeFromNow(60) })],
  ])(
    "a signed read is refused if its message is for the wrong place or has the wrong time: %s",
    async (_, changed) => {
      const info = makeInfo(changed());
      const address = account.address;
      // Signs any message, including messages that x402's own library would refuse to sign.
      const signature = await account.signMessage({ message: createSIWxMessage(info, address) });
      const answer = await readWith(encodeSIWxHeader({ ...info, address, signature }));
      expect(answer).toMatchObject(makeRefusal(401, "invalid_sign_in"));
      expect(JSON.stringify(answer.body)).not.toContain("unlocked");
    },
  );

  test("a signed read that has a stranger's signature or a changed field is refused", async () => {
    const foreign = await makeProof({}, stranger);
    const forged: readonly SignInPayload[] = [
      { ...foreign, address: account.address },
      { ...(await makeProof()), statement: "Another" },
      { ...(await makeProof()), nonce: "another0nonce" },
    ];
    for (const proof of forged) {
      expect(await readWith(encodeSIWxHeader(proof))).toMatchObject(makeRefusal(401, "invalid_signature"));
    }
  });

  test("a signed read that is malformed, too large or has an extra line is refused, even if the request has a session cookie", async () => {
    const good = await makeProof();
    const bad = [
      "x",
      "e30=",
      encodeSIWxHeader({ ...good, statement: "Two\nlines" }),
      encodeSIWxHeader({ ...good, signature: `0x${"0".repeat(9000)}` }).slice(0, 7500),
      encodeSIWxHeader({ ...good, type: "ed25519" }),
      encodeSIWxHeader({ ...good, nonce: "short" }),
      encodeSIWxHeader({ ...good, issuedAt: "today" }),
    ];
    for (const proof of bad) {
      const answer = await ask(`/api/presses/${slug}`, { headers: { "sign-in-with-x": proof }, cookie });
      expect(answer).toMatchObject(makeRefusal(401, "invalid_sign_in"));
    }
  });

  test("a signed read opens no session and works at no other endpoint", async () => {
    const proof = { "sign-in-with-x": await makeHeader() };
    expect(await ask("/api/me/history", { headers: proof })).toMatchObject({ status: 401 });
    expect(await ask("/api/me/dashboard", { headers: proof })).toMatchObject({ status: 401 });
  });
});

test.each(["0", "x", "-1", "1.5", "99999999999999999999"])(
  "a request for the registration file of the id %s is answered with 404",
  async (id) => {
    expect(await ask(`/api/meta/${id}`)).toMatchObject({ status: 404 });
  },
);
