import { createConfig, lintFromString } from "@redocly/openapi-core";
import * as z from "zod";
import type { Route } from "../../functions/routes.ts";
import type { Heard } from "./openapi-story.ts";

const Content = z.looseObject({ examples: z.record(z.string(), z.looseObject({})).optional() });
const Answer = z.looseObject({
  description: z.string(),
  headers: z.record(z.string(), z.looseObject({ required: z.boolean() })).optional(),
  content: z.record(z.string(), Content).optional(),
});
const Operation = z.looseObject({
  operationId: z.string(),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  parameters: z.array(z.looseObject({ name: z.string(), in: z.string() })).optional(),
  requestBody: z.looseObject({ content: z.record(z.string(), Content) }).optional(),
  responses: z.record(z.string(), Answer),
});

/** As much of the document as the tests go through; the rest is there, too. */
export const Document = z.looseObject({
  openapi: z.string(),
  servers: z.array(z.object({ url: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.looseObject({
    schemas: z.record(z.string(), z.json()),
    securitySchemes: z.record(z.string(), z.looseObject({})),
  }),
});
export type Document = z.infer<typeof Document>;

/** The document with a real answer in the place of the example's. */
export function withAnswer(
  document: Document,
  { method, path }: Route,
  name: string,
  answer: Heard,
): Document {
  const changed = structuredClone(document);
  const { status, body } = answer;
  for (const content of Object.values(
    changed.paths[path]?.[method.toLowerCase()]?.responses[status]?.content ?? {},
  )) {
    content.examples = { ...content.examples, [name]: { value: body } };
  }
  return changed;
}

/**
 * What Redocly's linter finds by its strictest set, of which every warning counts. Not asked for: a licence, which the
 * service does not give, and a server that is neither an example nor this machine. Examples must have no field that
 * their schema does not name.
 */
export async function problemsOf(document: unknown): Promise<readonly string[]> {
  const config = await createConfig({
    extends: ["recommended-strict"],
    rules: {
      "info-license": "off",
      "no-server-example.com": "off",
      "no-invalid-media-type-examples": { severity: "error", allowAdditionalProperties: false },
    },
  });
  const problems = await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: "openapi.json",
    config,
  });
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer})`);
}
