import * as z from "zod";
import * as Session from "../../core/session/index.ts";
import { EndInput, NonceInput, VerifyInput } from "../../core/session/schema.ts";
import { endpoint, walletEndpoint } from "../lib/endpoint.ts";
import { measure } from "../lib/meter.ts";
import { clearCookie, json, sessionCookie } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const nonce = endpoint("auth-nonce", NonceInput, async ({ body }) => {
  const ports = { ...runtime.tablePorts(), settings: runtime.settings() };
  return json(await Session.makeChallenge(ports, body));
});

export const verify = endpoint("auth-verify", VerifyInput, async ({ body, token: held }) => {
  const ports = { ...runtime.tablePorts(), chain: runtime.chain() };
  const { address, token } = await Session.open(ports, body, held);
  measure({ SignIn: 1 });
  return json({ address }, { cookies: [sessionCookie(runtime.settings().origin, token)] });
});

export const logout = walletEndpoint("auth-logout", z.unknown(), async ({ caller, token }) => {
  await Session.close(runtime.tablePorts(), { ...caller, token });
  return json({ address: null }, { cookies: [clearCookie(runtime.settings().origin)] });
});

export const me = endpoint("me", z.undefined(), async ({ session }) =>
  json({ address: (await session())?.wallet ?? null }),
);

export const sessions = walletEndpoint("sessions", z.undefined(), async ({ caller, token }) =>
  json({
    sessions: await Session.list(runtime.tablePorts(), { ...caller, token }),
  }),
);

export const endSessions = walletEndpoint("sessions-end", EndInput, async ({ body, caller, token }) => {
  const ports = runtime.tablePorts();
  const ended = await Session.end(ports, { ...caller, token }, body);
  return json(ended, { cookies: ended.signedOut ? [clearCookie(runtime.settings().origin)] : [] });
});
