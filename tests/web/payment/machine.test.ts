import { expect, test } from "vitest";
import {
  after,
  answered,
  at,
  connected,
  from,
  otherWallet,
  payee,
  plenty,
  record,
  signed,
  started,
  terms,
  toSecondSend,
  toSend,
  toSignature,
  tx,
  wallet,
} from "./parts.ts";

const paid = (digit: string, amount: string) =>
  ({ state: "paid", tx: tx(digit), amount, payTo: payee, at }) as const;

test("a payment goes from the wallet to the text", () => {
  const names = toSecondSend.map((_, index) => after(...toSecondSend.slice(0, index + 1)).phase.name);
  expect(names).toEqual([
    "entering",
    "finding",
    "network",
    "funds",
    "terms",
    "sign",
    "send",
    "terms",
    "sign",
    "send",
  ]);
  const end = after(...toSecondSend, answered({ kind: "paid", tx: tx("2"), text: "The text." }));
  expect(end.phase).toEqual({ name: "read", text: "The text." });
  expect(end.legs).toEqual({ fee: paid("1", "50000"), publisher: paid("2", "450000") });
});

test("without a wallet it waits for one", () => {
  expect(after(...started, { type: "no_wallet" }).phase).toEqual({ name: "connect" });
});

test("without an allowance the wallet is asked for it once: what a node shows after the receipt counts", () => {
  const events = [...started, connected(), { type: "on_chain" }] as const;
  const lacking = after(...events, { type: "funds", funds: { ...plenty, allowance: 0n } });
  expect(lacking.phase).toEqual({ name: "approve" });
  const sent = from(lacking, { type: "approval_sent", tx: tx("a") });
  expect(sent).toMatchObject({ approval: tx("a"), phase: { name: "approving", tx: tx("a") } });
  expect(from(sent, { type: "approval_mined", funds: plenty })).toMatchObject({
    approval: undefined,
    funds: plenty,
    phase: { name: "terms" },
  });
  expect(from(sent, { type: "approval_mined", funds: undefined })).toMatchObject({
    approval: undefined,
    phase: { name: "stopped", problem: { code: "approvalReverted" }, back: { name: "funds" } },
  });
});

test("an approval that a reload broke off is waited for, not sent again", () => {
  const state = after(...started, connected(record({ approval: tx("a") })), { type: "on_chain" });
  expect(state.phase).toEqual({ name: "approving", tx: tx("a") });
});

test.each([
  ["too little USDG", "insufficient", { ...plenty, usdg: 499_999n }],
  ["neither allowance nor gas", "noGas", { ...plenty, allowance: 0n, gas: 0n }],
] as const)("a wallet that has %s is told so, and looked at again", (_, code, funds) => {
  const state = after(...started, connected(), { type: "on_chain" }, { type: "funds", funds });
  expect(state.phase).toMatchObject({ name: "stopped", problem: { code }, back: { name: "funds" } });
  expect(from(state, { type: "retry" }).phase).toEqual({ name: "funds" });
});

test("once the fee is paid, the rest is enough", () => {
  const begun = connected(record({ fee: paid("1", "50000") }));
  const funds = { usdg: 450_000n, allowance: 450_000n, gas: 0n };
  const state = after(...started, begun, { type: "on_chain" }, { type: "funds", funds });
  expect(state.phase).toEqual({ name: "terms", leg: "publisher", agreed: "450000" });
});

test("another amount than was shown is not signed before it is agreed to", () => {
  const review = after(...toSignature.slice(0, -1), { type: "offered", terms: terms("60000") });
  expect(review.phase).toMatchObject({ name: "review", leg: "fee" });
  expect(from(review, { type: "agree" }).phase).toMatchObject({ name: "sign", leg: "fee" });
});

test("a payment under way is sent again as it is after the time that the service named", () => {
  const pending = after(...toSend, answered({ kind: "pending", tx: tx("1"), after: 3 }));
  expect(pending.phase).toEqual({ name: "pending", leg: "fee", tries: 0, after: 3 });
  expect(pending.legs.fee).toEqual({ ...signed("50000"), tx: tx("1") });
  expect(from(pending, { type: "waited" }).phase).toEqual({ name: "send", leg: "fee", tries: 0 });
});

test("an answer that was lost is asked for again, and after six times when the person says so", () => {
  let state = after(...toSend);
  for (let times = 1; times < 6; times += 1) {
    state = from(state, answered({ kind: "lost" }), { type: "waited" });
    expect(state.phase).toMatchObject({ name: "send", tries: times });
  }
  state = from(state, answered({ kind: "lost" }));
  expect(state.phase).toMatchObject({ name: "stopped", problem: { code: "unanswered" } });
  expect(from(state, { type: "retry" }).phase).toEqual({ name: "send", leg: "fee", tries: 0 });
  expect(state.legs.fee).toEqual(signed("50000"));
});

test("a service that asks for a long wait is not waited for: the person decides when", () => {
  const busy = (seconds: number) =>
    answered({ kind: "busy", after: seconds, message: "Not before tomorrow.", requestId: "r" });
  expect(after(...toSend, busy(60)).phase).toMatchObject({ name: "pending", after: 60 });
  expect(after(...toSend, busy(61)).phase).toMatchObject({
    name: "stopped",
    problem: { code: "unavailable", detail: "Not before tomorrow." },
    back: { name: "send" },
  });
});

test.each([
  ["permit2_insufficient_balance", "insufficient", "funds"],
  ["permit2_allowance_required", "approvalMissing", "funds"],
  ["permit2_amount_mismatch", "changed", "terms"],
  ["invalid_permit2_recipient_mismatch", "changed", "terms"],
  ["permit2_deadline_expired", "expired", "terms"],
  ["permit2_invalid_nonce", "used", "terms"],
  ["invalid_permit2_signature", "badSignature", "terms"],
  ["anything_else", "refused", "terms"],
])("a 402 with %s lets go of what was signed: %s", (code, problem, back) => {
  const { accepted, resource } = terms("50000");
  const document = { x402Version: 2, error: "No.", code, accepts: [accepted], resource } as const;
  const state = after(...toSend, answered({ kind: "terms", document }));
  expect(state.phase).toMatchObject({ name: "stopped", problem: { code: problem }, back: { name: back } });
  expect(state.legs.fee).toBeUndefined();
});

test("a refusal that says nothing about money keeps what was signed", () => {
  const state = after(...toSend, answered({ kind: "refused", message: "No.", requestId: "r" }));
  expect(state.legs.fee).toEqual(signed("50000"));
  expect(from(state, { type: "retry" }).phase).toMatchObject({ name: "send", leg: "fee" });
});

test("a press that was bought before ends in a sign-in", () => {
  const state = after(...toSecondSend, answered({ kind: "already_unlocked" }));
  expect(state.phase).toEqual({ name: "unlocked" });
});

test("a fee that the service does not know of is asked for again", () => {
  const state = after(...toSecondSend, answered({ kind: "fee_first" }));
  expect(state.phase).toEqual({ name: "terms", leg: "fee", agreed: "50000" });
  expect(state.legs).toEqual({ fee: undefined, publisher: undefined });
});

test("after a reload what is signed is sent before a wallet is looked for", () => {
  const begun = record({ fee: signed("50000") });
  const state = after({ type: "start" }, { type: "entered", record: begun });
  expect(state).toMatchObject({ wallet, connected: false, phase: { name: "send", leg: "fee" } });
  const on = from(state, answered({ kind: "paid", tx: tx("1"), text: undefined }));
  expect(on.phase).toEqual({ name: "finding" });
});

test("the rest is not paid with another wallet than the fee unless a person chooses it", () => {
  const begun = record({ fee: paid("1", "50000") });
  const event = { type: "connected", wallet: otherWallet, record: undefined } as const;
  const asked = after({ type: "start" }, { type: "entered", record: begun }, event);
  expect(asked.phase).toEqual({ name: "connect" });
  expect(from(asked, event)).toMatchObject({ wallet: otherWallet, phase: { name: "network" } });
});

test("closing ends what is not signed, and nothing that is", () => {
  expect(after(...toSignature, { type: "leave" }).phase).toEqual({ name: "idle" });
  expect(after(...toSend, { type: "leave" }).phase).toMatchObject({ name: "send" });
});

test("a wallet that declines can be asked again at the same place", () => {
  const declined = after(...toSignature, { type: "failed", problem: { code: "rejected" } });
  expect(declined.phase).toMatchObject({ name: "stopped", problem: { code: "rejected" } });
  expect(from(declined, { type: "retry" }).phase).toMatchObject({ name: "sign", leg: "fee" });
});

test("a press that is paid in another tab is left to it", () => {
  const state = after({ type: "start" }, { type: "elsewhere" });
  expect(state.phase).toMatchObject({ name: "stopped", problem: { code: "elsewhere" } });
  expect(from(state, { type: "retry" }).phase).toEqual({ name: "entering" });
});
