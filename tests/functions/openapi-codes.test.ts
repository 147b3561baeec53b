import ts from "typescript";
import { expect, test } from "vitest";
import { refusals } from "../../core/catalogue/schema.ts";
import { makeOpenApi } from "../../functions/openapi/index.ts";
import { listSources, visit } from "../boundary/source.ts";
import { settings } from "../core/session/settings.ts";
import { Document } from "./openapi-lint.ts";

const document = Document.parse(makeOpenApi(settings));
const answers = Object.values(document.paths)
  .flatMap((methods) => Object.values(methods))
  .flatMap(({ responses }) => Object.entries(responses));
const told = answers.flatMap(([, { description }]) =>
  [...description.matchAll(/^`(\w+)`: /gm)].map(([, code = ""]) => code),
);
const ours = listSources("core", "functions").filter(
  ({ path }) => !/^(functions\/openapi|core\/catalogue)\//.test(path),
);

/** The codes of refusals that no caller sees, because they occur only in our background work. */
const inward = [
  "auditor_busy",
  "auditor_without_gas",
  "verdict_pending",
  "verdict_reverted",
  "news_unavailable",
  "not_through_the_edge",
];

/**
 * The refusal codes of the routes that the OpenAPI document leaves out. These routes serve pages, files, follows, notifications and
 * unfinished texts, or send the ETH for a vote.
 */
const left = [
  "site_unavailable",
  "unknown_sitemap",
  "unknown_manuscript",
  "too_many_manuscripts",
  "too_many_follows",
  "unknown_feed",
  "vote_gas_refused",
  "vote_gas_given",
  "vote_gas_unspent",
  "vote_gas_not_carried",
  "vote_gas_limit",
  "unknown_push_service",
];

/** The codes with which the firewall and the gateway refuse a request before any function runs. */
const outward = ["headers_too_large", "too_many_requests"];

test("every refusal code in the source is documented", () => {
  const codes = new Set(ours.flatMap(({ tree }) => listErrorCodes(tree)));
  for (const code of ["fee_first", "unknown_press", "draft_limit"]) expect(codes).toContain(code);
  expect([...codes].filter((code) => ![...told, ...inward, ...left].includes(code))).toEqual([]);
});

test("every code of the error catalogue is documented on a route that answers with this code", () => {
  const listed = Object.entries(refusals).flatMap(([status, codes]) =>
    Object.keys(codes).map((code) => `${status} ${code}`),
  );
  const given = answers.flatMap(([status, { description }]) =>
    listed.filter((one) => {
      const [ofStatus, code = ""] = one.split(" ");
      return ofStatus === status && description.includes(code);
    }),
  );
  expect(listed.filter((one) => !given.includes(one))).toEqual([]);
});

test("every documented code occurs in the source", () => {
  expect(told.length).toBeGreaterThan(50);
  const isInSource = (code: string) => ours.some(({ text }) => new RegExp(`\\b${code}\\b`).test(text));
  expect([...new Set([...told, ...inward])].filter((code) => !isInSource(code)).sort()).toEqual(outward);
});

/** The error codes that are written as literals in `new AppError(kind, code, …)` and `new HttpProblem(status, code, …)`. */
function listErrorCodes(tree: ts.SourceFile): readonly string[] {
  const found: string[] = [];
  visit(tree, (node) => {
    if (!ts.isNewExpression(node) || !/^(AppError|HttpProblem)$/.test(node.expression.getText())) return;
    const code = node.arguments?.[1];
    if (code !== undefined && ts.isStringLiteral(code)) found.push(code.text);
  });
  return found;
}
