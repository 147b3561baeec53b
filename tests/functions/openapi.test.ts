import { describe, expect, test } from "vitest";
import { toUnits } from "../../core/press/schema.ts";
import { handler as openapi } from "../../functions/http/openapi.ts";
import * as runtime from "../../functions/lib/runtime.ts";
import { makeOpenApi } from "../../functions/openapi/index.ts";
import { type Route, routes } from "../../functions/routes.ts";
import { findSettings } from "../../infra/stages.ts";
import { settings } from "../core/session/settings.ts";
import { startPart } from "../support/provide.ts";
import { invoke, site } from "./lib/call.ts";
import { startStage } from "./lib/stage.ts";
import { Document, listProblems } from "./openapi-lint.ts";

startPart(startStage);

const document = Document.parse(makeOpenApi(settings));
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    route: `${method.toUpperCase()} ${path}`,
    operation,
  })),
);

test("the OpenAPI document is cacheable, and contains the origin of its stage", async () => {
  const answer = await invoke(openapi, "openapi");
  expect(answer).toMatchObject({
    status: 200,
    headers: {
      "content-type": "application/json; charset=utf-8",
      "cache-control": "public, max-age=0, s-maxage=300, stale-while-revalidate=3600",
    },
    body: { openapi: "3.1.1", servers: [{ url: site }] },
  });
  expect(answer.text).toBe(JSON.stringify(makeOpenApi(runtime.readSettings())));
  const other = { ...settings, origin: "https://other.example" };
  expect(JSON.stringify(makeOpenApi(other))).toContain(other.origin);
  expect(JSON.stringify(makeOpenApi(other))).not.toContain(site);
});

test("a public validator finds no fault in the OpenAPI document, even with the validator's strictest rules", async () => {
  expect(await listProblems(makeOpenApi(settings))).toEqual([]);
});

const described = routes.filter(
  ({ path }) =>
    /^\/(api\/|mcp$|\.well-known\/x402$)/.test(path) &&
    !/^\/api\/(press\/(keep|discard)$|votes\/gas$|push\/stop$|me\/(profile$|manuscripts\/|views$|sales$|follows$|feed$|push$))/.test(
      path,
    ),
);

test("the documented routes are exactly the routes of the API, without pages, feeds, files and routes that only the site uses", () => {
  expect(operations.map(({ route }) => route).sort()).toEqual(
    described.map(({ method, path }) => `${method} ${path}`).sort(),
  );
});

test("the documented query keys are exactly the query keys that handlers get", () => {
  const documented = operations.flatMap(({ route, operation: { parameters = [] } }) =>
    parameters.filter((parameter) => parameter.in === "query").map(({ name }) => `${route} ${name}`),
  );
  const rows: readonly Route[] = described;
  const keys = rows.flatMap(({ method, path, query = [] }) => query.map((key) => `${method} ${path} ${key}`));
  expect(documented.toSorted()).toEqual(keys.toSorted());
});

test("a parameter is documented as required exactly if the service refuses a request without it", () => {
  const required = operations.flatMap(({ route, operation: { parameters = [] } }) =>
    parameters
      .filter((parameter) => parameter.in !== "path" && parameter.required)
      .map(({ name }) => `${route} ${name}`),
  );
  expect(required.toSorted()).toEqual([
    "GET /api/search q",
    "POST /api/auth/nonce origin",
    "POST /api/auth/verify origin",
  ]);
  const inPaths = operations.flatMap(({ operation: { parameters = [] } }) =>
    parameters.filter((parameter) => parameter.in === "path"),
  );
  expect(inPaths.every((parameter) => parameter.required)).toBe(true);
});

test("the documented prices and the examples are accepted on production, which has the highest minimum price of all stages", async () => {
  const { minPriceUsdg } = findSettings("prod");
  const made = makeOpenApi({ ...settings, minPriceUnits: toUnits(String(minPriceUsdg)) });
  expect(await listProblems(made)).toEqual([]);
  const { components, paths } = Document.parse(made);
  for (const name of ["SaveInput", "PriceInput"])
    expect(components.schemas[name]).toMatchObject({ properties: { priceUsdg: { minimum: minPriceUsdg } } });
  expect(paths["/api/pay/treasury"]?.post?.["x-payment-info"]).toMatchObject({
    price: { min: String(minPriceUsdg / 10) },
  });
});

test.each(described)(
  "the OpenAPI document describes the session that the route requires: $id",
  ({ method, path, caller }) => {
    const operation = document.paths[path]?.[method.toLowerCase()];
    const wanted = caller === "session" || caller === "publisher";
    expect(operation?.security.some((need) => "session" in need)).toBe(
      wanted || ["/api/me", "/api/presses/{slug}"].includes(path),
    );
    expect(operation?.security.every((need) => "session" in need) && operation.security.length > 0).toBe(
      wanted,
    );
    expect("401" in (operation?.responses ?? {})).toBe(
      wanted || ["/api/auth/verify", "/api/move", "/api/presses/{slug}"].includes(path),
    );
  },
);

describe.each([
  ["/api/pay/treasury", "0.001", "100"],
  ["/api/pay/publisher", "0.009", "900"],
])("the payment at %s is documented for programs", (path, min, max) => {
  const operation = document.paths[path]?.post;

  test("a paid route tells directories how to pay for a request and how much the request may cost", () => {
    expect(operation?.["x-payment-info"]).toEqual({
      price: { mode: "dynamic", currency: "USD", min, max },
      protocols: [{ x402: {} }],
    });
  });
});

describe("the documented forms match the specification", () => {
  const { schemas } = document.components;

  test("specification §2.9: the documented schema of a draft has the specified limits", () => {
    expect(schemas.SaveInput).toMatchObject({
      type: "object",
      required: ["headline", "stock", "priceUsdg", "publisherName", "preview", "body"],
      properties: {
        headline: { minLength: 8, maxLength: 90 },
        preview: { minLength: 80, maxLength: 400 },
        priceUsdg: { type: "number", minimum: 0.01, maximum: 1000 },
      },
    });
  });
});
