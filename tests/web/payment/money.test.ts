import { expect, test } from "vitest";
import { describeMoney } from "../../../web/src/payment/dialog/steps.ts";
import type { LegRecord } from "../../../web/src/payment/purchase.ts";
import { problems } from "../../../web/src/strings/payment.ts";
import {
  advanceAll,
  advanceFromStart,
  makeAnsweredEvent,
  makePaidLeg,
  makeReadyState,
  makeTxHash,
  purchase,
  signLeg,
  toFeeSignature,
  toSecondSend,
  toSend,
  toSignature,
} from "./parts.ts";

const fees: readonly LegRecord[] = [
  undefined,
  makeReadyState("50000"),
  signLeg("50000"),
  makePaidLeg("1", "50000"),
];
const publishers: readonly LegRecord[] = [
  undefined,
  makeReadyState("450000"),
  signLeg("450000"),
  makePaidLeg("2", "450000"),
];
const every = fees.flatMap((fee) =>
  publishers.map((publisher) => {
    const [one, other] = [fee?.state ?? "none", publisher?.state ?? "none"];
    return { one, other, says: describeMoney({ purchase, legs: { fee, publisher } }) };
  }),
);

const listPairs = (matches: (each: (typeof every)[number]) => boolean) =>
  every.filter(matches).map(({ one, other }) => `${one} ${other}`);

test("“Nothing was charged” is shown if and only if neither payment can have been charged", () => {
  expect(listPairs(({ says }) => says.startsWith("Nothing was charged"))).toEqual(
    listPairs(({ one, other }) => [one, other].every((leg) => leg === "none" || leg === "ready")),
  );
});

test("a paid part of the price is shown with its amount, a fee without the rest is shown as kept with the missing amount, and a part that may have been charged is shown as unknown", () => {
  for (const { one, other, says } of every) {
    const [fee, publisher] = [/fee of \$0\.05/.test(says), /\$0\.45/.test(says)];
    const kept = says.includes("The fee is kept for this article and is not charged again.");
    if (one === "paid" && other !== "paid")
      expect({ one, other, fee, kept, publisher }).toEqual({
        one,
        other,
        fee: true,
        kept: true,
        publisher: true,
      });
    if (other === "paid") expect({ one, other, publisher }).toEqual({ one, other, publisher: true });
    const unknown = one === "signed" || other === "signed";
    expect({ one, other, unknown: says.includes("do not know yet") }).toEqual({ one, other, unknown });
  }
});

test("two paid parts of a price are shown as one sum", () => {
  expect(
    describeMoney({
      purchase,
      legs: { fee: makePaidLeg("1", "50000"), publisher: makePaidLeg("2", "450000") },
    }),
  ).toBe("You paid $0.50: $0.45 to the author and $0.05 to the platform.");
});

test("after a price change, the page shows the paid amount, not the press's current price", () => {
  const legs = { fee: makePaidLeg("1", "60000"), publisher: undefined };
  expect(describeMoney({ purchase, legs })).toContain("fee of $0.06");
});

const declined = { type: "failed", problem: { code: "rejected" } } as const;
const document = { x402Version: 2, error: "No.", code: "x", accepts: [], resource: { url: "u" } } as const;

test.each([
  ["the first signature is declined", advanceFromStart(...toSignature, declined), /^Nothing was charged\.$/],
  [
    "the second signature is declined",
    advanceFromStart(...toFeeSignature, declined),
    /^Nothing was charged\. Your signature/,
  ],
  ["the fee gets no answer", advanceFromStart(...toSend), /fee of \$0\.05\. We do not know yet/],
  [
    "the fee is paid and the publisher's part refused",
    advanceFromStart(...toSecondSend, makeAnsweredEvent({ kind: "terms", document })),
    /^You paid the platform fee of \$0\.05\. The fee is kept .* with one signature\.$/,
  ],
  [
    "everything is paid",
    advanceAll(
      advanceFromStart(...toSecondSend),
      makeAnsweredEvent({ kind: "paid", tx: makeTxHash("2"), text: "t" }),
    ),
    /^You paid \$0\.50/,
  ],
])("the page shows the right sentence about money when %s", (_, state, sentence) => {
  expect(describeMoney(state)).toMatch(sentence);
});

test("no text about a problem mentions charges, because only the state of the payments shows what was charged", () => {
  for (const { title, text, action } of Object.values(problems)) {
    expect(`${title} ${text} ${action}`).not.toMatch(/charged|was paid|were paid/i);
  }
});
