import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { listOperations } from "../../functions/openapi/index.ts";
import { type ApiRouteId, type RouteId, routes } from "../../functions/routes.ts";
import { settings } from "../core/session/settings.ts";
import { startPart } from "../support/provide.ts";
import { startTestService } from "../support/service.ts";
import { Document, listProblems, replaceAnswer } from "./openapi-lint.ts";
import { type ExampleName, findRoute, makeExampleSender, type StoryAnswer } from "./openapi-story.ts";

/**
 * The documented examples that must run first, in the listed order, and the documented examples that must run last. For instance, a press
 * must be live before the example of a read runs.
 */
const first = [
  "press-save/draft",
  "press-audit/example",
  "press-minted/example",
  "pay-publisher/feeFirst",
  "pay-treasury/paid",
  "pay-treasury/already",
  "pay-publisher/paid",
  "pay-publisher/alreadyUnlocked",
  "votes-record/example",
];
const last = ["auth-logout/example"];

const described = listOperations(settings);
const ids = routes.flatMap(({ id }) => (isDescribed(id) ? [id] : []));
const all: readonly (ExampleName & { readonly title: string })[] = ids
  .flatMap((route) =>
    Object.keys(described[route].examples).map((name) => ({ route, name, title: `${route}/${name}` })),
  )
  .toSorted((one, other) => findPosition(one.title) - findPosition(other.title));

function isDescribed(id: string): id is ApiRouteId {
  return id in described;
}

function findPosition(title: string): number {
  if (last.includes(title)) return first.length + 1;
  return first.includes(title) ? first.indexOf(title) : first.length;
}

/** Routes whose whole answer is documented, because the answer never changes. */
const constant: readonly RouteId[] = ["discovery"];

let story: Awaited<ReturnType<typeof makeExampleSender>>;
let document: Document;
const heard = new Map<string, StoryAnswer>();
const service = startPart(startTestService);
beforeAll(async () => {
  story = await makeExampleSender(service);
  document = Document.parse(await (await fetch(`${service.origin}/openapi.json`)).json());
});

test("every documented route has an example, and the examples run in a valid order", () => {
  expect(new Set(all.map(({ route }) => route))).toEqual(new Set(ids));
  expect(all.slice(0, first.length).map(({ title }) => title)).toEqual(first);
  expect(all.slice(-last.length).map(({ title }) => title)).toEqual(last);
});

const json = { "content-type": "application/json" };
/** If an unsigned request names no press, a paid endpoint answers with payment terms. */
const signed = { "payment-signature": "e30=" };
const posts = routes.flatMap(({ id, method, path }) =>
  method === "POST" && isDescribed(id) && described[id].body !== undefined ? [{ id, path }] : [],
);

/** A route with the shared parser for bodies, and routes whose handlers read or complete the body themselves. */
const parsers: readonly RouteId[] = ["press-save", "pay-treasury", "rpc", "mcp"];
const ofParsers = posts.filter(({ id }) => parsers.includes(id));

describe.each([
  ["no body", {}, null, ofParsers],
  ["no body, announced as JSON,", json, null, ofParsers],
  ["a form", { "content-type": "application/x-www-form-urlencoded" }, "a=1", ofParsers],
  ["JSON that is announced as text", { "content-type": "text/plain" }, "{}", ofParsers],
  ["broken JSON", json, "{pressId:0}", posts],
  ["an array", json, "[]", ofParsers],
  ["a number", json, "0", ofParsers],
  ["null", json, "null", posts],
] as const)("%s", (_, headers, body, rows) => {
  test.each(rows)(
    "the answer to an empty request to $path names the needed fields, and says where an example is",
    async (row) => {
      const answer = await story.probe(row.id, { ...headers, ...signed }, body);
      expect([400, 415]).toContain(answer.status);
      const { error } = Refused.parse(await answer.json());
      const told = typeof error === "string" ? error : error.message;
      const fields = listRequiredFields(row.path);
      expect(fields.length).toBeGreaterThan(0);
      for (const field of fields) expect(told).toMatch(new RegExp(`\\b${field}\\b`));
      expect(told).toContain(`${service.origin}/openapi.json`);
    },
  );
});

test("an answer to an empty JSON object names all missing fields, or all accepted forms", async () => {
  for (const { id, path } of posts.filter(({ id }) => id !== "rpc" && id !== "mcp")) {
    const answer = await story.probe(id, { ...json, ...signed }, "{}");
    expect(answer.status).toBe(400);
    const text = await answer.text();
    for (const field of listRequiredFields(path)) expect(text).toMatch(new RegExp(`\\b${field}\\b`));
  }
});

/** A refusal in our own error format or in JSON-RPC's error format. */
const Refused = z.object({ error: z.union([z.string(), z.object({ message: z.string() })]) });

const Form = z.object({
  $ref: z.string().optional(),
  required: z.array(z.string()).default([]),
  get anyOf(): z.ZodDefault<z.ZodArray<typeof Form>> {
    return z.array(Form).default([]);
  },
  get oneOf(): z.ZodDefault<z.ZodArray<typeof Form>> {
    return z.array(Form).default([]);
  },
});

/** The fields that the OpenAPI document requires in a body, for each form that the body may have. */
function listRequiredFields(path: string): readonly string[] {
  const content = document.paths[path]?.post?.requestBody?.content["application/json"];
  const listFields = (given: unknown): readonly string[] => {
    const { $ref = "", required, anyOf, oneOf } = Form.parse(given ?? {});
    const named = document.components.schemas[$ref.replace("#/components/schemas/", "")];
    return [
      ...required,
      ...[...anyOf, ...oneOf, ...(named === undefined ? [] : [named])].flatMap(listFields),
    ];
  };
  return listFields(content?.schema);
}

describe("a documented example that is sent to the service gets the documented answer", () => {
  test.each(all)(
    'the service answers the documented example "$title" with the documented status and headers',
    async ({ title, ...told }) => {
      const answer = await story.sendExample(told);
      heard.set(title, answer);
      const { status = 200, answer: shown } = story.example(told);
      expect({ status: answer.status, text: answer.text }).toEqual({ status, text: expect.anything() });

      const { method, path } = findRoute(told.route);
      const documented = document.paths[path]?.[method.toLowerCase()]?.responses[status];
      const [type] = Object.keys(documented?.content ?? {});
      expect(answer.headers.get("content-type")?.split(";")[0]).toBe(type);
      for (const [name, { required }] of Object.entries(documented?.headers ?? {})) {
        if (required)
          expect({ name, value: answer.headers.get(name) }).toEqual({ name, value: expect.any(String) });
      }
      if (status === 402) {
        const terms = Buffer.from(answer.headers.get("payment-required") ?? "", "base64").toString();
        expect(JSON.parse(terms)).toEqual(answer.body);
      }
      // The signer's address differs between stages.
      if (constant.includes(told.route)) expect(removeSigner(answer.body)).toEqual(removeSigner(shown));
      const refusal = Refusal.safeParse(shown);
      if (refusal.success) expect(answer.body).toMatchObject(refusal.data);
    },
  );

  test("the answer to each example has exactly the form that is documented for the answer's status", async () => {
    expect(heard.size).toBe(all.length);
    const answered = all.reduce((changed, { route, name, title }) => {
      const answer = heard.get(title);
      return answer === undefined ? changed : replaceAnswer(changed, findRoute(route), name, answer);
    }, document);
    expect(await listProblems(answered)).toEqual([]);
  });

  test("the linter detects an answer that is not documented, an unknown field and a missing field", async () => {
    const answer = { status: 200, headers: new Headers(), text: "" };
    const wrong = [
      ["presses", { presses: [], surprise: 1 }],
      ["stocks", { stocks: [{ symbol: "A" }] }],
    ] as const;
    const broken = wrong.reduce(
      (changed, [route, body]) => replaceAnswer(changed, findRoute(route), "example", { ...answer, body }),
      document,
    );
    delete broken.paths["/api/quotes/{symbol}"]?.get?.responses["200"];
    const problems = await listProblems(broken);
    expect(problems).toContainEqual(expect.stringMatching(/2XX.*quotes/));
    expect(problems).toContainEqual(expect.stringContaining("surprise"));
    expect(problems).toContainEqual(expect.stringContaining("required property 'address'"));
  });
});

/** The discovery document without its optional field for the signer. */
function removeSigner(body: unknown): unknown {
  const named = z.looseObject({ receipts: z.looseObject({}) }).safeParse(body);
  return named.success ? { ...named.data, receipts: { ...named.data.receipts, signer: "" } } : body;
}

/** The fields of a refusal that have constant values. */
const Refusal = z.object({ error: z.string(), code: z.string() });

test("after the examples have run, the reader's history contains the vote and the purchase", () => {
  const Item = z.array(z.object({ slug: z.string() })).length(1);
  const history = z.object({ votes: Item, unlocks: Item }).parse(heard.get("history/example")?.body);
  const listed = z
    .object({ presses: z.array(z.object({ slug: z.string(), reads: z.int() })) })
    .parse(heard.get("presses/example")?.body);
  expect(listed.presses).toEqual([{ slug: history.unlocks[0]?.slug, reads: 1 }]);
});
