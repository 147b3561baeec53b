import { sessionLifetime } from "../../core/session/index.ts";
import { sessionCookieName } from "../routes.ts";

/** What the session cookie is called at this origin: on https with the promise of RFC 6265bis §4.1.3.2. */
export function cookieName(origin: string): string {
  return origin.startsWith("https:") ? sessionCookieName.https : sessionCookieName.http;
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
  const prefix = `${cookieName(origin)}=`;
  const found = cookies?.find((cookie) => cookie.startsWith(prefix))?.slice(prefix.length);
  return found === "" ? undefined : found;
}

function setCookie(origin: string, value: string, maxAge: number): string {
  const secure = origin.startsWith("https:") ? "; Secure" : "";
  return `${cookieName(origin)}=${value}; HttpOnly; SameSite=Lax; Path=/; Max-Age=${maxAge}${secure}`;
}
