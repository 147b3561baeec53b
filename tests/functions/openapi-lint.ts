import { createConfig, lintFromString } from "@redocly/openapi-core";
import * as z from "zod";
import type { Route } from "../../functions/routes.ts";
import type { StoryAnswer } from "./openapi-story.ts";

const Content = z.looseObject({ examples: z.record(z.string(), z.looseObject({})).optional() });
const Answer = z.looseObject({
  description: z.string(),
  headers: z.record(z.string(), z.looseObject({ required: z.boolean() })).optional(),
  content: z.record(z.string(), Content).optional(),
});
const Operation = z.looseObject({
  operationId: z.string(),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  parameters: z.array(z.looseObject({ name: z.string(), in: z.string(), required: z.boolean() })).optional(),
  requestBody: z.looseObject({ content: z.record(z.string(), Content) }).optional(),
  responses: z.record(z.string(), Answer),
});

/** The parts of the OpenAPI document that the tests read. The document may also contain fields that no test reads. */
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

/** The OpenAPI document in which the body of a real answer replaces the answer of the example `name`. */
export function replaceAnswer(
  document: Document,
  { method, path }: Route,
  name: string,
  answer: StoryAnswer,
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
 * Returns the findings of Redocly's linter with the linter's strictest rules, including warnings. Two of the linter's rules are off: one
 * rule requires a licence, which the service does not have, and the other rule requires a public server. Examples may contain only fields
 * of their schema.
 */
export async function listProblems(document: unknown): Promise<readonly string[]> {
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
