import * as z from "zod";
import * as Session from "../../core/session/index.ts";
import { EndInput, NonceInput, VerifyInput } from "../../core/session/schema.ts";
import { serveRoute, serveWallet } from "../lib/endpoint.ts";
import { logMetrics } from "../lib/meter.ts";
import { clearCookie, makeJson, makeSessionCookie } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const nonce = serveRoute("auth-nonce", NonceInput, async ({ body }) => {
  const ports = { ...runtime.tablePorts(), settings: runtime.readSettings() };
  return makeJson(await Session.makeChallenge(ports, body));
});

export const verify = serveRoute("auth-verify", VerifyInput, async ({ body, token: held }) => {
  const ports = { ...runtime.tablePorts(), chain: runtime.chain() };
  const { address, token } = await Session.open(ports, body, held);
  logMetrics({ SignIn: 1 });
  return makeJson({ address }, { cookies: [makeSessionCookie(runtime.readSettings().origin, token)] });
});

export const logout = serveWallet("auth-logout", z.unknown(), async ({ caller, token }) => {
  await Session.close(runtime.tablePorts(), { ...caller, token });
  return makeJson({ address: null }, { cookies: [clearCookie(runtime.readSettings().origin)] });
});

export const me = serveRoute("me", z.undefined(), async ({ session }) =>
  makeJson({ address: (await session())?.wallet ?? null }),
);

export const sessions = serveWallet("sessions", z.undefined(), async ({ caller, token }) =>
  makeJson({
    sessions: await Session.list(runtime.tablePorts(), { ...caller, token }),
  }),
);

export const endSessions = serveWallet("sessions-end", EndInput, async ({ body, caller, token }) => {
  const ports = runtime.tablePorts();
  const ended = await Session.end(ports, { ...caller, token }, body);
  return makeJson(ended, { cookies: ended.signedOut ? [clearCookie(runtime.readSettings().origin)] : [] });
});
