import * as z from "zod";
import * as Session from "../../core/session/index.ts";
import { EndInput, NonceInput, VerifyInput } from "../../core/session/schema.ts";
import { makeHandler, makeWalletHandler } from "../lib/endpoint.ts";
import { logMetrics } from "../lib/meter.ts";
import { clearCookie, makeJson, makeSessionCookie } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const nonce = makeHandler("auth-nonce", NonceInput, async ({ body }) => {
  const ports = { ...runtime.makeTablePorts(), settings: runtime.readSettings() };
  return makeJson(await Session.makeChallenge(ports, body));
});

export const verify = makeHandler("auth-verify", VerifyInput, async ({ body, token: held }) => {
  const ports = { ...runtime.makeTablePorts(), chain: runtime.chain() };
  const { address, token } = await Session.open(ports, body, held);
  logMetrics({ SignIn: 1 });
  return makeJson({ address }, { cookies: [makeSessionCookie(runtime.readSettings().origin, token)] });
});

export const logout = makeWalletHandler("auth-logout", z.unknown(), async ({ caller, token }) => {
  await Session.close(runtime.makeTablePorts(), { ...caller, token });
  return makeJson({ address: null }, { cookies: [clearCookie(runtime.readSettings().origin)] });
});

export const me = makeHandler("me", z.undefined(), async ({ session }) =>
  makeJson({ address: (await session())?.wallet ?? null }),
);

export const sessions = makeWalletHandler("sessions", z.undefined(), async ({ caller, token }) =>
  makeJson({
    sessions: await Session.list(runtime.makeTablePorts(), { ...caller, token }),
  }),
);

export const endSessions = makeWalletHandler("sessions-end", EndInput, async ({ body, caller, token }) => {
  const ports = runtime.makeTablePorts();
  const ended = await Session.end(ports, { ...caller, token }, body);
  return makeJson(ended, { cookies: ended.signedOut ? [clearCookie(runtime.readSettings().origin)] : [] });
});
