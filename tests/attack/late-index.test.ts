import { expect, test } from "vitest";
import * as z from "zod";
import { endSessions, me, nonce, verify } from "../../functions/http/session.ts";
import { getTestAccount } from "../../local/devnet/accounts.ts";
import { invoke, parseCookie, site } from "../functions/lib/call.ts";
import { startStage } from "../functions/lib/stage.ts";
import { startPart } from "../support/provide.ts";
import { alwaysLate } from "../support/table.ts";

/** A table whose indexes and eventually consistent reads lag by a second. In DynamoDB, indexes can lag at any time. */
startPart(() => startStage({}, alwaysLate));

const fromSite = { headers: { origin: site } };
const Challenge = z.object({ nonce: z.string(), message: z.string() });

async function signIn(account = getTestAccount(9)): Promise<string> {
  const { address } = account;
  const asked = await invoke(nonce, "auth-nonce", { ...fromSite, body: { address } });
  const { nonce: given, message } = Challenge.parse(asked.body);
  const body = { address, nonce: given, signature: await account.signMessage({ message }) };
  return parseCookie((await invoke(verify, "auth-verify", { ...fromSite, body })).cookies[0]);
}

const isSessionLive = async (cookie: string) =>
  z.object({ address: z.string().nullable() }).parse((await invoke(me, "me", { cookies: [cookie] })).body)
    .address !== null;

test("if a thief signs in right before the owner ends all other sessions, the thief is signed out, though no index shows the thief's session yet", async () => {
  const [owner, thief, neighbour] = [await signIn(), await signIn(), await signIn(getTestAccount(8))];
  const ended = await invoke(endSessions, "sessions-end", {
    ...fromSite,
    cookies: [owner],
    body: { others: true },
  });
  expect(ended).toMatchObject({ status: 200, body: { ended: 1 } });
  expect(await Promise.all([owner, thief, neighbour].map(isSessionLive))).toEqual([true, false, true]);
});
