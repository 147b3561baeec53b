import { sessionLifetime } from "../../core/session/index.ts";

/** The session cookie's name: on https it carries the `__Host-` promise (RFC 6265bis §4.1.3.2). */
function nameFor(origin: string): string {
  return origin.startsWith("https:") ? "__Host-session" : "session";
}

/** `Set-Cookie` for a new session's token (design §2). */
export function sessionCookie(origin: string, token: string): string {
  return setCookie(origin, token, sessionLifetime);
}

/** `Set-Cookie` that makes the browser forget its session. */
export function clearedCookie(origin: string): string {
  return setCookie(origin, "", 0);
}

/** The session token among a request's cookies, if any. */
export function sessionToken(origin: string, cookies: readonly string[] | undefined): string | undefined {
  const prefix = `${nameFor(origin)}=`;
  const found = cookies?.find((cookie) => cookie.startsWith(prefix))?.slice(prefix.length);
  return found === "" ? undefined : found;
}

function setCookie(origin: string, value: string, maxAge: number): string {
  const secure = origin.startsWith("https:") ? "; Secure" : "";
  return `${nameFor(origin)}=${value}; HttpOnly; SameSite=Lax; Path=/; Max-Age=${maxAge}${secure}`;
}
