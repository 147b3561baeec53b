import { expect, test } from "vitest";
import { clearedCookie, sessionCookie, sessionToken } from "../../../functions/lib/reply.ts";

const https = "https://news.example.com";
const http = "http://localhost:3000";

test("on https the cookie has the __Host- prefix and is Secure", () => {
  expect(sessionCookie(https, "token")).toBe(
    "__Host-session=token; HttpOnly; SameSite=Lax; Path=/; Max-Age=2592000; Secure",
  );
  expect(clearedCookie(https)).toBe("__Host-session=; HttpOnly; SameSite=Lax; Path=/; Max-Age=0; Secure");
});

test("on http it has neither", () => {
  expect(sessionCookie(http, "token")).toBe("session=token; HttpOnly; SameSite=Lax; Path=/; Max-Age=2592000");
});

test("the token is found among other cookies, under its own name only", () => {
  expect(sessionToken(https, ["theme=dark", "__Host-session=token"])).toBe("token");
  expect(sessionToken(https, ["session=token"])).toBeUndefined();
  expect(sessionToken(http, ["my-session=token", "session2=token"])).toBeUndefined();
  expect(sessionToken(http, undefined)).toBeUndefined();
  expect(sessionToken(http, ["session="])).toBeUndefined();
});

test("what a cleared cookie leaves is no token", () => {
  expect(sessionToken(https, [clearedCookie(https).split(";")[0] ?? ""])).toBeUndefined();
});
