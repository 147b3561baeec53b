import { readFileSync } from "node:fs";
import ts from "typescript";
import { expect, test } from "vitest";
import { errors } from "../../core/catalogue/schema.ts";
import * as Discovery from "../../core/discovery/index.ts";
import { catalogueFile, errorCatalogue } from "../../local/error-catalogue.ts";
import { sources, visit } from "../boundary/source.ts";
import { settings } from "../core/session/settings.ts";

test("the catalogue is that of the code: `npm run error:catalogue` makes it", () => {
  expect(readFileSync(catalogueFile, "utf8")).toBe(errorCatalogue());
});

/** Codes of 402s: the protocol's, and ours where it has none. */
const ofPayment = /^(permit2_\w+|invalid_(permit2|exact_evm)_\w+|unsupported_payload_type)$/;

test("every reason for which a payment is refused is in it, and none that no code gives", () => {
  const given = new Set(["payment_required", "malformed_payment_header"]);
  for (const { tree } of sources("core/payment", "core/chain")) {
    visit(tree, (node) => {
      if (ts.isStringLiteral(node) && ofPayment.test(node.text)) given.add(node.text);
    });
  }
  const listed = errors.filter(({ statuses }) => statuses.includes(402)).map(({ code }) => code);
  expect(listed.toSorted()).toEqual([...given].toSorted());
});

test("each entry says when, whether money moved, and whether to try again; money is at stake in few", () => {
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

test("llms.txt lists every code", () => {
  const text = Discovery.llms(settings);
  expect(errors.filter(({ code }) => !text.includes(`\`${code}\``))).toEqual([]);
});
