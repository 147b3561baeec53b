import ts from "typescript";
import { expect, test } from "vitest";
import { auditLimit } from "../../core/audit/schema.ts";
import { errors, refusals } from "../../core/catalogue/schema.ts";
import { generationsPerDay } from "../../core/draft/schema.ts";
import { draftsPerDay } from "../../core/press/schema.ts";
import { bodyLimit } from "../../functions/routes.ts";
import { listSources, visit } from "../boundary/source.ts";

test("the error catalogue states the same limits as the source code", () => {
  expect(refusals[413].body_too_large).toContain(`${bodyLimit / 1024} kB`);
  expect(refusals[429].audit_limit).toContain(` ${auditLimit} `);
  expect(refusals[429].draft_limit).toContain(` ${draftsPerDay} `);
  expect(refusals[429].generation_limit).toContain(` ${generationsPerDay} `);
});

/** The codes of 402 answers: the protocol's codes, and our own codes for errors that the protocol does not name. */
const ofPayment = /^(permit2_\w+|invalid_(permit2|exact_evm)_\w+|unsupported_payload_type)$/;

test("the error catalogue contains exactly the refusal codes of payments that occur in the source code", () => {
  const given = new Set(["payment_required", "malformed_payment_header", "invalid_sign_in"]);
  for (const { tree } of listSources("core/payment", "core/chain")) {
    visit(tree, (node) => {
      if (ts.isStringLiteral(node) && ofPayment.test(node.text)) given.add(node.text);
    });
  }
  const listed = errors.filter(({ statuses }) => statuses.includes(402)).map(({ code }) => code);
  expect(listed.toSorted()).toEqual([...given].toSorted());
});

test("for each error with a time after which a retry may succeed, the error catalogue advises a retry", () => {
  const temporary = new Set(["transaction_unconfirmed"]);
  for (const { tree } of listSources("core", "functions")) {
    visit(tree, (node) => {
      if (!ts.isNewExpression(node) || node.expression.getText() !== "AppError") return;
      const [, code, , options] = node.arguments ?? [];
      if (code !== undefined && ts.isStringLiteral(code) && options?.getText().includes("retryAfter"))
        temporary.add(code.text);
    });
  }
  const listed = errors.filter(({ code }) => temporary.has(code));
  expect(listed.length).toBeGreaterThan(20);
  expect(listed.filter(({ retry }) => !retry.includes("Retry-After"))).toEqual([]);
});

test("each entry of the error catalogue says when its code is given, whether money moved and whether to retry, and only three entries say that money moved or may have moved", () => {
  expect(errors.length).toBeGreaterThan(80);
  for (const { meaning, retry } of errors)
    expect([meaning, retry]).toEqual([expect.any(String), expect.any(String)]);
  const moved = errors
    .filter(({ moneyMoved }) => moneyMoved !== "no")
    .map(({ code, moneyMoved }) => [code, moneyMoved]);
  expect(moved).toEqual([
    ["already_unlocked", "before"],
    ["settlement_pending", "unknown"],
    ["text_unavailable", "yes"],
  ]);
});
