import type { Answer } from "./answer.ts";
import { type Problem, refusedPayment } from "./problem.ts";
import { type Leg, legPrice } from "./purchase.ts";
import type { LegRecord, Signed } from "./record.ts";
import type { Phase, State } from "./state.ts";

type Sending = Extract<Phase, { name: "send" }>;

/** How often in a row the same payment is sent without an answer before the person is asked. */
const patience = 6;
/** Seconds that the person is kept waiting for the next try. */
const longestPause = 60;
/** Seconds before the next try, by how many there were. */
const pauses = [1, 2, 3, 5, 8, 10] as const;

/** What an answer to a signed payment changes. Only an answer that says that nothing was charged lets go of it. */
export function afterAnswer(state: State, sending: Sending, answer: Answer, at: string): State {
  const { leg } = sending;
  const sent = state.legs[leg];
  if (sent?.state !== "signed") return state;
  switch (answer.kind) {
    case "paid":
      return paid(state, leg, sent, answer, at);
    case "pending":
      return to(withLeg(state, leg, answer.tx === undefined ? sent : { ...sent, tx: answer.tx }), {
        name: "pending",
        leg,
        tries: 0,
        after: answer.after,
      });
    case "busy":
      return again(state, sending, answer.after, {
        code: "unavailable",
        detail: answer.message,
        requestId: answer.requestId,
      });
    case "lost":
      return again(state, sending, pauses[sending.tries] ?? 10, { code: "unanswered" });
    case "terms": {
      const { code, error } = answer.document;
      const problem = refusedPayment(code, error);
      return stop(withLeg(state, leg, undefined), problem, wayOn(state, leg, problem));
    }
    case "fee_first":
      return to(
        { ...state, legs: { fee: undefined, publisher: undefined } },
        { name: "terms", leg: "fee", agreed: legPrice(state.purchase, "fee") },
      );
    case "already_unlocked":
      return to(withLeg(state, leg, undefined), { name: "unlocked" });
    case "missing":
      return stop(withLeg(state, leg, undefined), { code: "missing" }, { name: "funds" });
    case "refused":
      return stop(
        state,
        { code: "refused", detail: answer.message, requestId: answer.requestId },
        { ...sending, tries: 0 },
      );
  }
}

function paid(
  state: State,
  leg: Leg,
  { amount, payTo }: Signed,
  { tx, text }: Extract<Answer, { kind: "paid" }>,
  at: string,
): State {
  const now = withLeg(state, leg, { state: "paid", tx, amount, payTo, at });
  if (leg === "fee") {
    return to(now, { name: "terms", leg: "publisher", agreed: legPrice(state.purchase, "publisher") });
  }
  return to(now, text === undefined ? { name: "unlocked" } : { name: "read", text });
}

/** The same payment once more after a while; after too many tries in vain, or for a long while, the person decides when. */
function again(state: State, { leg, tries }: Sending, after: number, problem: Problem): State {
  if (tries + 1 >= patience || after > longestPause)
    return stop(state, problem, { name: "send", leg, tries: 0 });
  return to(state, { name: "pending", leg, tries: tries + 1, after });
}

/** Where another try begins after a refusal: with fresh balances, or with fresh terms. */
function wayOn(state: State, leg: Leg, { code }: Problem): Phase {
  if (!state.connected) return { name: "finding" };
  const lacking = code === "insufficient" || code === "approvalMissing" || code === "tokenRefuses";
  return lacking ? { name: "funds" } : { name: "terms", leg, agreed: legPrice(state.purchase, leg) };
}

function withLeg(state: State, leg: Leg, record: LegRecord): State {
  return { ...state, legs: { ...state.legs, [leg]: record } };
}

function to(state: State, phase: Phase): State {
  return { ...state, phase };
}

function stop(state: State, problem: Problem, back: Phase): State {
  return to(state, { name: "stopped", problem, back });
}
