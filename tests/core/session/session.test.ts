import { privateKeyToAccount } from "viem/accounts";
import { parseSiweMessage } from "viem/siwe";
import { beforeEach, expect, test } from "vitest";
import { systemIds } from "../../../core/adapter/system.ts";
import { makeChainError } from "../../../core/chain/call.ts";
import { lower } from "../../../core/chain/hex.ts";
import * as Session from "../../../core/session/index.ts";
import { startPart } from "../../support/provide.ts";
import { startTestTable } from "../../support/table.ts";
import { settings } from "./settings.ts";

const account = privateKeyToAccount(`0x${"11".repeat(32)}`);
const stranger = privateKeyToAccount(`0x${"22".repeat(32)}`);
const start = Date.parse("2026-11-20T12:00:00.250Z");
const toMilliseconds = (count: number) => count * 60_000;

let now: number;
let chainCalls: number;
const makePorts = () => ({
  table: stored.table,
  ids: systemIds,
  settings,
  clock: { now: () => now, sleep: async () => undefined },
  chain: {
    async batch() {
      chainCalls += 1;
      // The node answers with the signature validator's result for an address without code.
      return [{ status: "ok" as const, result: "0x00" }];
    },
  },
});

const stored = startPart(startTestTable);
beforeEach(() => {
  now = start;
  chainCalls = 0;
});

async function signChallenge(signer = account) {
  const { nonce, message } = await Session.makeChallenge(makePorts(), { address: account.address });
  return { address: account.address, nonce, signature: await signer.signMessage({ message }) };
}

test("the sign-in message has the form of EIP-4361 for this site, chain, address and nonce", async () => {
  const { nonce, message } = await Session.makeChallenge(makePorts(), { address: lower(account.address) });
  expect(message).toContain(
    `${settings.origin} wants you to sign in with your Ethereum account:\n${account.address}`,
  );
  expect(parseSiweMessage(message)).toMatchObject({
    domain: "news.example.com",
    uri: settings.origin,
    address: account.address,
    chainId: 4663,
    nonce,
    version: "1",
    issuedAt: new Date(start),
    expirationTime: new Date(start + toMilliseconds(10)),
  });
});

test("a sign-in ends the session whose cookie it replaces, and no other session", async () => {
  const [first, second] = [
    await Session.open(makePorts(), await signChallenge()),
    await Session.open(makePorts(), await signChallenge()),
  ];
  const third = await Session.open(makePorts(), await signChallenge(), first.token);
  const found = await Promise.all(
    [first, second, third].map(({ token }) => Session.find(makePorts(), token)),
  );
  expect(found.map((session) => session?.wallet)).toEqual([
    undefined,
    lower(account.address),
    lower(account.address),
  ]);
});

test("the session token has 256 bits and is never stored in the table", async () => {
  const { token } = await Session.open(makePorts(), await signChallenge());
  expect(Buffer.from(token, "base64url")).toHaveLength(32);
  for (const { scan } of [stored.table.entities.session, stored.table.entities.listedSession]) {
    const { data } = await scan.go({ pages: "all" });
    expect(data.length).toBeGreaterThan(0);
    expect(JSON.stringify(data)).not.toContain(token);
  }
});

test("another wallet's signature is refused, and the nonce stays valid for the right wallet", async () => {
  const wrong = await signChallenge(stranger);
  await expect(Session.open(makePorts(), wrong)).rejects.toMatchObject({
    kind: "auth",
    code: "invalid_signature",
  });
  expect(chainCalls).toBe(1);
  const { data } = await stored.table.entities.nonce.get({ nonce: wrong.nonce }).go();
  const signature = await account.signMessage({ message: data?.message ?? "" });
  expect(await Session.open(makePorts(), { ...wrong, signature })).toMatchObject({
    address: lower(account.address),
  });
});

test.each(["0x", "0x1234", `0x${"00".repeat(65)}`, `0x${"ff".repeat(65)}`] as const)(
  "a sign-in with the impossible signature %s is refused",
  async (signature) => {
    const input = await signChallenge();
    await expect(Session.open(makePorts(), { ...input, signature })).rejects.toMatchObject({
      code: "invalid_signature",
    });
  },
);

test.each([
  ["another site", "news.example.com", "news.example.org"],
  ["another chain", "Chain ID: 4663", "Chain ID: 1"],
  ["a later time", "Expiration Time: 20", "Expiration Time: 21"],
])(
  "a sign-in message that the wallet's owner has signed for %s opens no session on this site",
  async (_what, from, to) => {
    const { nonce, message } = await Session.makeChallenge(makePorts(), { address: account.address });
    expect(message).toContain(from);
    const signature = await account.signMessage({ message: message.replaceAll(from, to) });
    await expect(
      Session.open(makePorts(), { address: account.address, nonce, signature }),
    ).rejects.toMatchObject({
      kind: "auth",
      code: "invalid_signature",
    });
  },
);

test("only one of twenty concurrent sign-ins with one nonce opens a session", async () => {
  const input = await signChallenge();
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, () => Session.open(makePorts(), input)),
  );
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const outcome of outcomes) {
    if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "invalid_nonce" });
  }
});

test("while the chain is unreachable, a sign-in is answered with an upstream error, and the nonce stays valid", async () => {
  const input = await signChallenge(stranger);
  const chain = { batch: () => Promise.reject(makeChainError("down")) };
  await expect(Session.open({ ...makePorts(), chain }, input)).rejects.toMatchObject({
    kind: "upstream",
    code: "chain_unavailable",
  });
  const { data } = await stored.table.entities.nonce.get({ nonce: input.nonce }).go();
  expect(data).not.toBeNull();
});
