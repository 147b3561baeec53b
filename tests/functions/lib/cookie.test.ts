import { expect, test } from "vitest";
import { clearCookie, readSessionToken } from "../../../functions/lib/reply.ts";

const https = "https://news.example.com";
const http = "http://localhost:3000";

test("the session's token is found among other cookies, and only under the name of the session cookie", () => {
  expect(readSessionToken(https, ["theme=dark", "__Host-session=token"])).toBe("token");
  expect(readSessionToken(https, ["session=token"])).toBeUndefined();
  expect(readSessionToken(http, ["my-session=token", "session2=token"])).toBeUndefined();
  expect(readSessionToken(http, undefined)).toBeUndefined();
  expect(readSessionToken(http, ["session="])).toBeUndefined();
});

test("a cleared session cookie contains no token, expires at once and has the other attributes of the session cookie", () => {
  expect(clearCookie(https)).toBe("__Host-session=; HttpOnly; SameSite=Lax; Path=/; Max-Age=0; Secure");
  expect(readSessionToken(https, [clearCookie(https).split(";")[0] ?? ""])).toBeUndefined();
});
