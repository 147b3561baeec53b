import { afterEach, expect, test, vi } from "vitest";
import { readAnswer, readProblem } from "../../../web/src/payment/answer.ts";
import { makeTxHash } from "./parts.ts";

afterEach(() => void vi.unstubAllGlobals());

const makeProblem = (code: string, more: object = {}) => ({ error: "Why.", code, requestId: "r", ...more });

test.each([
  [
    "a text",
    200,
    { paid: true, tx: makeTxHash("1"), body: "Text." },
    { kind: "paid", tx: makeTxHash("1"), text: "Text." },
  ],
  [
    "a fee",
    200,
    { paid: true, tx: makeTxHash("1"), already: true },
    { kind: "paid", tx: makeTxHash("1"), text: undefined },
  ],
  [
    "a payment under way",
    503,
    makeProblem("settlement_pending", { transaction: makeTxHash("2"), retryAfter: 1 }),
    { kind: "pending", tx: makeTxHash("2"), after: 1 },
  ],
  [
    "a service that is busy",
    503,
    makeProblem("payments_unavailable"),
    { kind: "busy", after: 7, message: "Why.", requestId: "r" },
  ],
  [
    "too many requests",
    429,
    makeProblem("slow_down", { retryAfter: 30 }),
    { kind: "busy", after: 30, message: "Why.", requestId: "r" },
  ],
  ["the order of the legs", 409, makeProblem("fee_first"), { kind: "fee_first" }],
  ["an earlier purchase", 409, makeProblem("already_unlocked"), { kind: "already_unlocked" }],
  [
    "an article that was taken off sale",
    409,
    makeProblem("press_unlisted"),
    { kind: "unlisted", message: "Why.", requestId: "r" },
  ],
  ["no such article", 404, makeProblem("unknown_press"), { kind: "missing" }],
  ["a refusal", 400, makeProblem("invalid_input"), { kind: "refused", message: "Why.", requestId: "r" }],
])("the service's answer about %s is parsed", (_, status, body, answer) => {
  expect(readAnswer(status, "7", body)).toEqual(answer);
});

test.each([
  ["a gateway's time-out", 504, { message: "Endpoint request timed out" }],
  ["a defect", 500, makeProblem("internal")],
  ["a success that cannot be read", 200, undefined],
  ["another site's page", 403, undefined],
  ["terms that cannot be read", 402, {}],
])("an answer such as %s does not show whether money moved", (_, status, body) => {
  expect(readAnswer(status, null, body)).toEqual({ kind: "lost" });
});

test("if a part of the site's code fails to load although the browser is online, the page offers to load the page again", () => {
  vi.stubGlobal("navigator", { onLine: true });
  expect(readProblem(new TypeError("Failed to fetch the module"))).toEqual({ code: "broken" });
});
