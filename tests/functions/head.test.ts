import { afterAll, beforeAll, expect, test } from "vitest";
import { routes } from "../../functions/routes.ts";
import { startTestService, type TestService } from "../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const paths = routes.flatMap(({ method, path }) => (method === "GET" ? [path] : []));

async function ask(method: "GET" | "HEAD", path: string) {
  const response = await fetch(service.origin + path.replaceAll(/\{\w+\}/g, "1"), { method });
  const body = await response.text();
  return { status: response.status, type: response.headers.get("content-type"), body };
}

test.each(paths)("HEAD %s has the headers of GET and no body", async (path) => {
  const [whole, head] = [await ask("GET", path), await ask("HEAD", path)];
  expect(head).toEqual({ ...whole, body: "" });
  expect(whole.body).not.toBe("");
});
