import { expect, test } from "vitest";
import { parseRoute, pressPath } from "../../web/src/route.ts";

test("the root is the list", () => {
  expect(parseRoute("/")).toEqual({ page: "list" });
});

test("/press/{slug} is the page of a press, with or without a slash at the end", () => {
  expect(parseRoute("/press/apple-beats-1")).toEqual({ page: "press", slug: "apple-beats-1" });
  expect(parseRoute("/press/apple-beats-1/")).toEqual({ page: "press", slug: "apple-beats-1" });
});

test("/developers is the developers page", () => {
  expect(parseRoute("/developers")).toEqual({ page: "developers" });
});

test.each(["/press", "/press/a/b", "/developers/x", "/elsewhere", "/press/%E0%A4%A"])(
  "%s is no page",
  (path) => {
    expect(parseRoute(path)).toEqual({ page: "missing" });
  },
);

test.each(["apple-beats-1", "a b/c?d#e", "über"])("the path of the press %j leads back to it", (slug) => {
  expect(parseRoute(pressPath(slug))).toEqual({ page: "press", slug });
});
