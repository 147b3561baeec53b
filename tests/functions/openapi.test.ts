import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { handler as openapi } from "../../functions/http/openapi.ts";
import * as runtime from "../../functions/lib/runtime.ts";
import { openApi, openApiText } from "../../functions/openapi/index.ts";
import { type Route, routes } from "../../functions/routes.ts";
import { settings } from "../core/session/settings.ts";
import type { TestTable } from "../support/table.ts";
import { call, site } from "./lib/call.ts";
import { startStage } from "./lib/stage.ts";
import { Document, listProblems } from "./openapi-lint.ts";

let stored: TestTable;
beforeAll(async () => {
  stored = await startStage();
});
afterAll(() => stored.stop());

const document = Document.parse(openApi(settings));
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    route: `${method.toUpperCase()} ${path}`,
    operation,
  })),
);

test("the OpenAPI document is cacheable, and is made once per container", async () => {
  const answer = await call(openapi, "openapi");
  expect(answer).toMatchObject({
    status: 200,
    headers: {
      "content-type": "application/json; charset=utf-8",
      "cache-control": "public, max-age=0, s-maxage=300, stale-while-revalidate=3600",
    },
    body: { openapi: "3.1.1", servers: [{ url: site }] },
  });
  expect(answer.text).toBe(openApiText(runtime.settings()));
  const other = { ...settings, origin: "https://other.example" };
  expect(openApiText(other)).toContain(other.origin);
  expect(openApiText(other)).not.toContain(site);
});

test("a public validator finds no fault in the OpenAPI document, even with the validator's strictest rules", async () => {
  expect(await listProblems(openApi(settings))).toEqual([]);
  const broken = structuredClone(document);
  delete broken.paths["/api/stocks"]?.get?.responses["200"];
  expect(await listProblems(broken)).not.toEqual([]);
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

describe("the OpenAPI description of every route is complete", () => {
  test.each(operations)(
    "the OpenAPI document gives the route a summary, the form of its 200 answer, refusals and examples: $route",
    ({ operation }) => {
      const { parameters = [] } = operation;
      for (const text of [
        operation.summary,
        operation.description,
        ...parameters.map((one) => one.description),
      ]) {
        expect(text).toMatch(/\w/);
      }
      const { responses } = operation;
      expect(Object.values(responses["200"]?.content ?? {})).toEqual([
        expect.objectContaining({ schema: expect.anything() }),
      ]);
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(["429", "500"]));
      for (const [status, { content = {} }] of Object.entries(responses)) {
        if (Number(status) < 403) continue;
        for (const [type, { schema }] of Object.entries(content)) {
          if (type === "application/json") expect(schema).toEqual({ $ref: "#/components/schemas/Problem" });
        }
      }
    },
  );

  test.each(described)(
    "the OpenAPI document describes the body that the route accepts: $id",
    ({ method, path, id }) => {
      const operation = document.paths[path]?.[method.toLowerCase()];
      expect(operation?.requestBody !== undefined).toBe(method === "POST" && id !== "auth-logout");
      if (operation?.requestBody === undefined) return;
      expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(["400", "413", "415"]));
    },
  );

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
});

test("the documented session cookie has the name that belongs to the origin's scheme (http or https)", () => {
  const nameAt = (origin: string) =>
    Document.parse(openApi({ ...settings, origin })).components.securitySchemes.session?.name;
  expect(nameAt("https://news.example.com")).toBe("__Host-session");
  expect(nameAt("http://localhost:3000")).toBe("session");
});

describe.each([
  ["/api/pay/treasury", "0.001", "100"],
  ["/api/pay/publisher", "0.009", "900"],
])("the payment at %s is documented for programs", (path, min, max) => {
  const operation = document.paths[path]?.post;

  test("the documented query of a paid route has EIP-3009 as its example, because EIP-3009 needs no allowance", () => {
    expect(operation?.parameters).toContainEqual(
      expect.objectContaining({
        name: "method",
        in: "query",
        schema: expect.objectContaining({ example: "eip3009" }),
      }),
    );
  });

  test("a paid route tells directories how to pay it and how much it may cost", () => {
    expect(operation?.["x-payment-info"]).toEqual({
      price: { mode: "dynamic", currency: "USD", min, max },
      protocols: [{ x402: {} }],
    });
  });

  test("the documented 402 answer of a paid route has terms in the body and in the payment-required header", () => {
    const coded = { contentEncoding: "base64", contentMediaType: "application/json" };
    expect(operation?.responses["402"]).toMatchObject({
      headers: {
        "payment-required": {
          required: true,
          schema: { ...coded, contentSchema: { $ref: "#/components/schemas/PaymentRequired" } },
        },
      },
      content: { "application/json": { schema: { $ref: "#/components/schemas/PaymentRequired" } } },
    });
    expect(operation?.responses["200"]?.headers?.["payment-response"]).toMatchObject({ required: true });
  });

  test("the document allows a first request to a paid route without a payment header and without a session", () => {
    expect(operation?.security).toEqual([]);
    expect(operation?.parameters?.slice(0, 3)).toEqual([
      expect.objectContaining({ name: "method", in: "query", required: false }),
      expect.objectContaining({ name: "payer", in: "query", required: false }),
      expect.objectContaining({ name: "payment-signature", in: "header", required: false }),
    ]);
  });
});

describe("the documented forms match the specification", () => {
  const { schemas } = document.components;

  test("specification §2.9: the documented form of a draft has the specified limits", () => {
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

  test("the documented forms accept unknown fields", () => {
    for (const name of ["SaveInput", "VerifyInput", "PayInput", "MintedInput", "RecordInput"]) {
      expect(schemas[name]).toMatchObject({ type: "object" });
      expect(schemas[name]).not.toHaveProperty("additionalProperties");
    }
  });

  test("the documented answers allow future fields, and refer to shared schemas", () => {
    expect(schemas.PressList).toMatchObject({
      properties: { presses: { type: "array", items: { $ref: "#/components/schemas/Press" } } },
    });
    expect(JSON.stringify(schemas.Press)).not.toMatch(/additionalProperties":false|readOnly/);
  });

  test("every amount in USDG is documented as a number, and a stock's price is called mid", () => {
    const Fields = z.record(z.string(), z.looseObject({ type: z.string().optional() }));
    const fieldsIn = (
      form: unknown,
    ): readonly { readonly name: string; readonly type: string | undefined }[] => {
      if (typeof form !== "object" || form === null) return [];
      const { properties } = z
        .looseObject({ properties: Fields.catch({}) })
        .parse({ properties: {}, ...form });
      const own = Object.entries(properties).map(([name, { type }]) => ({ name, type }));
      return [...own, ...Object.values(form).flatMap(fieldsIn)];
    };
    const fields = fieldsIn(schemas);
    const amounts = fields.filter(({ name }) => /usdg$/i.test(name));
    expect(amounts.length).toBeGreaterThan(5);
    expect(new Set(amounts.map(({ type }) => type))).toEqual(new Set(["number"]));
    expect(fields.filter(({ name, type }) => name === "price" && type !== "object")).toEqual([]);
  });

  test("the documented query parameter for the length of a list is a number, although a query contains only text", () => {
    const limit = document.paths["/api/presses"]?.get?.parameters?.find(({ name }) => name === "limit");
    expect(limit?.schema).toEqual({ type: "integer", minimum: 1, maximum: 200 });
  });
});

test("every documented example of an answer also shows the request, unless the request is empty", () => {
  const Named = z.record(z.string(), z.unknown());
  for (const { operation } of operations) {
    const answers = Object.values(operation.responses).flatMap(({ content = {} }) =>
      Object.values(content).flatMap(({ examples = {} }) => Object.keys(examples)),
    );
    const asked = Object.values(operation.requestBody?.content ?? {}).flatMap(({ examples = {} }) =>
      Object.keys(examples),
    );
    const placed = (operation.parameters ?? []).flatMap(({ examples }) =>
      Object.keys(Named.parse(examples ?? {})),
    );
    expect(new Set(answers).size).toBe(answers.length);
    const named = [...asked, ...placed];
    const needed =
      operation.requestBody !== undefined || operation.parameters?.some((one) => one.in === "path");
    if (needed) expect(answers.filter((name) => !named.includes(name) && name !== "noBody")).toEqual([]);
  }
});
