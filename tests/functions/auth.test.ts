import { privateKeyToAccount } from "viem/accounts";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { lower } from "../../core/chain/hex.ts";
import { makeSession } from "../../core/session/index.ts";
import { logout, me, nonce, verify } from "../../functions/http/session.ts";
import { startPart } from "../support/provide.ts";
import { invoke, site } from "./lib/call.ts";
import { captureLog, startStage } from "./lib/stage.ts";

const account = privateKeyToAccount(`0x${"11".repeat(32)}`);
const fromSite = { headers: { origin: site } };
const Challenge = z.strictObject({ nonce: z.string(), message: z.string() });

const stored = startPart(() => startStage({ CHAIN_RPC_URL: "http://127.0.0.1:9/user:key" }));

async function sign() {
  const { body } = await invoke(nonce, "auth-nonce", { ...fromSite, body: { address: account.address } });
  const challenge = Challenge.parse(body);
  const signature = await account.signMessage({ message: challenge.message });
  return { address: account.address, nonce: challenge.nonce, signature };
}

describe("a faulty sign-in sets no cookie", () => {
  test("while the chain does not answer, a sign-in with a wrong signature is answered with 503 and sets no cookie", async () => {
    const wrong = { ...(await sign()), signature: `0x${"12".repeat(65)}` };
    const { value: answer, lines } = await captureLog(() =>
      invoke(verify, "auth-verify", { ...fromSite, body: wrong }),
    );
    expect(answer).toMatchObject({ status: 503, body: { code: "chain_unavailable" }, cookies: [] });
    expect(answer.headers["retry-after"]).toBe("2");
    expect(lines).toContain("chain_unavailable");
    for (const secret of ["12".repeat(65), "user:key"]) expect(lines).not.toContain(secret);
  });

  test.each([
    ["a signature without 0x", { signature: "12".repeat(65) }, "invalid_signature"],
    ["a signature of half a byte", { signature: "0x1" }, "invalid_signature"],
    ["a signature of words", { signature: "I agree" }, "invalid_signature"],
    ["an empty signature", { signature: "" }, "invalid_signature"],
    ["a signature of a megabit", { signature: `0x${"12".repeat(65_536)}` }, "invalid_signature"],
    ["an empty nonce", { nonce: "" }, "invalid_nonce"],
    ["a nonce of another form", { nonce: "no nonce of ours" }, "invalid_nonce"],
    ["a nonce that no table could keep", { nonce: "n".repeat(100_000) }, "invalid_nonce"],
  ])("a sign-in with %s is answered with 401, and its nonce can be used again", async (_, wrong, code) => {
    const body = await sign();
    const answer = await invoke(verify, "auth-verify", { ...fromSite, body: { ...body, ...wrong } });
    expect(answer).toMatchObject({ status: 401, body: { code }, cookies: [] });
    expect(await invoke(verify, "auth-verify", { ...fromSite, body })).toMatchObject({ status: 200 });
  });
});

test("sign-out deletes only the current session of a wallet, even if a payment opened the session", async () => {
  const wallet = lower(account.address);
  const clock = { now: Date.now, sleep: async () => undefined };
  for (const token of ["here", "elsewhere"]) {
    await stored.table.entities.session.put(makeSession(clock, token, wallet, "payment")).go();
  }
  const countSessions = async () => (await stored.table.entities.session.scan.go()).data.length;
  const before = await countSessions();
  expect(await invoke(logout, "auth-logout", { cookies: ["session=here"] })).toMatchObject({ status: 200 });
  expect(await countSessions()).toBe(before - 1);
  expect(await invoke(me, "me", { cookies: ["session=elsewhere"] })).toMatchObject({
    body: { address: wallet },
  });
});
