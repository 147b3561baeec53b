import { expect, test } from "vitest";
import { readAnswer } from "../../../web/src/payment/answer.ts";
import { tx } from "./parts.ts";

const problem = (code: string, more: object = {}) => ({ error: "Why.", code, requestId: "r", ...more });

test.each([
  ["a text", 200, { paid: true, tx: tx("1"), body: "Text." }, { kind: "paid", tx: tx("1"), text: "Text." }],
  ["a fee", 200, { paid: true, tx: tx("1"), already: true }, { kind: "paid", tx: tx("1"), text: undefined }],
  [
    "a payment under way",
    503,
    problem("settlement_pending", { transaction: tx("2"), retryAfter: 1 }),
    { kind: "pending", tx: tx("2"), after: 1 },
  ],
  [
    "a service that is busy",
    503,
    problem("payments_unavailable"),
    { kind: "busy", after: 7, message: "Why.", requestId: "r" },
  ],
  [
    "too many requests",
    429,
    problem("slow_down", { retryAfter: 30 }),
    { kind: "busy", after: 30, message: "Why.", requestId: "r" },
  ],
  ["the order of the legs", 409, problem("fee_first"), { kind: "fee_first" }],
  ["an earlier purchase", 409, problem("already_unlocked"), { kind: "already_unlocked" }],
  ["no such article", 404, problem("unknown_press"), { kind: "missing" }],
  ["a refusal", 400, problem("invalid_input"), { kind: "refused", message: "Why.", requestId: "r" }],
])("the service's answer about %s is parsed", (_, status, body, answer) => {
  expect(readAnswer(status, "7", body)).toEqual(answer);
});

test.each([
  ["a gateway's time-out", 504, { message: "Endpoint request timed out" }],
  ["a defect", 500, problem("internal")],
  ["a success that cannot be read", 200, undefined],
  ["another site's page", 403, undefined],
  ["terms that cannot be read", 402, {}],
])("an answer such as %s does not show whether money moved", (_, status, body) => {
  expect(readAnswer(status, null, body)).toEqual({ kind: "lost" });
});
