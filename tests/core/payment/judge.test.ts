import { expect, test } from "vitest";
import { toAddress } from "../../../core/chain/hex.ts";
import { type Judgement, judge, type PayFacts } from "../../../core/payment/judge.ts";
import { type Authorization, makeSignedItem, type Settlement } from "../../../core/record/payment.ts";

/** The addresses of payer and payee may be any addresses, because this test only compares the addresses. */
const [wallet, payee, other, token] = ["a1", "b2", "c3", "d4"].map((digits) =>
  toAddress(`0x${digits.repeat(20)}`),
);
if (wallet === undefined || payee === undefined || other === undefined || token === undefined)
  throw new Error();
const now = 1_800_000_000_000;
const seconds = BigInt(now / 1000);

function makeAuth(changes: Partial<Authorization> = {}): Authorization {
  return {
    method: "eip3009",
    chainId: 4663,
    from: wallet ?? token ?? "0x",
    token: token ?? "0x",
    spender: token ?? "0x",
    amount: 225_000n,
    nonce: 7n,
    deadline: seconds + 300n,
    validAfter: 0n,
    to: payee ?? "0x",
    ...changes,
  };
}

function buildPayment(changes: Partial<Authorization> = {}, ticket?: `0x${string}`): PayFacts["presented"] {
  const authorization = makeAuth(changes);
  const accepted = {
    scheme: "exact",
    network: "eip155:4663",
    amount: String(authorization.amount),
    asset: authorization.token,
    payTo: authorization.to,
    extra: undefined,
  };
  return { accepted, authorization, digest: "0x", signature: "0x", identifier: undefined, ticket };
}

/** Makes the record that an earlier signed payment has left for the leg. */
function makeRecord(state: "failed" | "broadcast", changes: Partial<Authorization> = {}): Settlement {
  const authorization = makeAuth(changes);
  return {
    wallet: authorization.from,
    pressId: 1,
    leg: "publisher",
    state: "failed",
    failure: "released",
    claim: "before",
    claimUntil: 0,
    signed: makeSignedItem(authorization, "0x", 1),
    id: 1001,
    slug: "a-press",
    headline: "A press",
    stock: "AAPL",
    priceUnits: "250000",
    changedAt: 0,
    ticket: "0xabc",
    ...(state === "broadcast" && { txHash: "0x1" }),
  };
}

const { ticket: _ticket, ...withoutTicket } = makeRecord("broadcast");

const quiet: PayFacts = {
  presented: buildPayment(),
  payment: buildPayment(),
  isRetry: false,
  pressId: 1,
  due: { leg: "publisher", amount: 225_000n, payTo: payee },
  needed: 225_000n,
  last: undefined,
  named: undefined,
  found: {
    owner: payee,
    code: "0x",
    signedByContract: false,
    funds: { balance: 225_000n, allowance: undefined },
    nonceSpent: false,
    simulation: { kind: "ok", gas: 90_000n },
    l1Gas: 0n,
    ownerPayable: true,
    block: 5n,
    gasPrice: 1n,
    ethPrice: 3_000_000_000,
    relayer: { address: other, nonce: 0, balance: 1n },
  },
  now,
};

const makeFacts = (changes: Partial<PayFacts["found"]>): Pick<PayFacts, "found"> => ({
  found: { ...quiet.found, ...changes },
});
const fee: PayFacts["due"] = { leg: "fee", amount: 225_000n, payTo: payee };
const spent = makeFacts({ nonceSpent: true });
const transfers = [{ txHash: "0x9", logIndex: 3 }];
const bound = { wallet, method: "eip3009", nonce: "7", pressId: 1, leg: "publisher" } as const;
/** A payment whose broadcast failed, and which the payer sends again. */
const retry = {
  isRetry: true,
  payment: buildPayment({ nonce: 6n }),
  last: makeRecord("broadcast", { nonce: 6n }),
} as const;

const makeAcceptance = (delivers: boolean, by: typeof transfers = []): Judgement => ({
  kind: "good",
  transfers: by,
  delivers,
});
const makeQuestion = (about: "stale" | "bound" | "transfers"): Judgement => ({ kind: "asks", about });
const refused = (code: string) => ({ kind: "refused", reason: { code } });
const invalid = "invalid_exact_evm_";

test.each<readonly [string, Partial<PayFacts>, object]>([
  ["what fits and can be charged is settled, and delivers the text", {}, makeAcceptance(true)],
  ["a fee delivers no text", { due: fee }, makeAcceptance(false)],
  [
    "another amount than is due is refused",
    { due: { ...quiet.due, amount: 1n } },
    refused(`${invalid}payload_authorization_value_mismatch`),
  ],
  [
    "another payee than is due is refused",
    { due: { ...quiet.due, payTo: other } },
    refused(`${invalid}recipient_mismatch`),
  ],
  [
    "what is about to expire is refused",
    { now: now + 295_000 },
    refused(`${invalid}payload_authorization_valid_before`),
  ],
  [
    "what is good for too long is refused",
    { now: now - 400_000 },
    refused(`${invalid}payload_authorization_valid_before_too_far`),
  ],
  ["a wallet that lacks a unit is refused", { needed: 225_001n }, refused(`${invalid}insufficient_balance`)],
  [
    "a wallet's code that does not stand by the signature is heard",
    makeFacts({ code: "0x60" }),
    refused(`${invalid}signature`),
  ],
  [
    "a wallet's code that stands by the signature is heard",
    makeFacts({ code: "0x60", signedByContract: true }),
    makeAcceptance(true),
  ],
  [
    "code that takes too much gas is refused",
    makeFacts({ code: "0x60", signedByContract: true, simulation: { kind: "ok", gas: 500_000n } }),
    refused(`${invalid}transaction_simulation_failed`),
  ],
  [
    "what L1 costs says nothing about code",
    makeFacts({
      code: "0x60",
      signedByContract: true,
      simulation: { kind: "ok", gas: 500_000n },
      l1Gas: 400_000n,
    }),
    makeAcceptance(true),
  ],
  [
    "what would revert is refused",
    makeFacts({ simulation: { kind: "reverts", name: undefined } }),
    refused(`${invalid}transaction_simulation_failed`),
  ],
  [
    "a fee is not taken where the owner could not be paid",
    { due: fee, ...makeFacts({ ownerPayable: false }) },
    refused(`${invalid}transaction_simulation_failed`),
  ],
  [
    "one nonce that says two things is refused before anything is asked",
    { last: makeRecord("failed", { amount: 1n }), ...spent },
    refused(`${invalid}nonce_already_used`),
  ],
  ["of a spent nonce it is asked what it was presented for", spent, makeQuestion("bound")],
  [
    "a nonce that was presented for another press is refused",
    { ...spent, bound: { ...bound, pressId: 2 } },
    refused(`${invalid}nonce_already_used`),
  ],
  [
    "a nonce that was presented for the other leg is refused",
    { ...spent, bound: { ...bound, leg: "fee" } },
    refused(`${invalid}nonce_already_used`),
  ],
  [
    "of a nonce that is this leg's it is asked what has spent it",
    { ...spent, bound },
    makeQuestion("transfers"),
  ],
  [
    "what was spent otherwise is refused",
    { ...spent, bound: null, transfers: [] },
    refused(`${invalid}nonce_already_used`),
  ],
  [
    "what somebody else has settled pays, and delivers nothing to a copy",
    { ...spent, bound, transfers },
    makeAcceptance(false, transfers),
  ],
  [
    "what somebody else has settled delivers to who shows the ticket",
    { ...spent, bound, transfers, last: makeRecord("failed"), presented: buildPayment({}, "0xabc") },
    makeAcceptance(true, transfers),
  ],
  [
    "a fee that somebody else has settled pays",
    { due: fee, ...spent, bound: { ...bound, leg: "fee" }, transfers },
    makeAcceptance(false, transfers),
  ],
  [
    "what was broadcast in vain is sent again for no copy",
    { isRetry: true, last: makeRecord("broadcast") },
    refused(`${invalid}nonce_already_used`),
  ],
  [
    "what was broadcast in vain is sent again for who shows the ticket",
    { isRetry: true, last: makeRecord("broadcast"), presented: buildPayment({}, "0xabc") },
    makeAcceptance(true),
  ],
  [
    "in the place of what was broadcast in vain a fresh one has to be good itself",
    retry,
    makeQuestion("stale"),
  ],
  [
    "one that is not good itself is refused",
    { ...retry, stale: { code: "why", error: "Why." } },
    refused("why"),
  ],
  [
    "for a fresh one what was broadcast in vain is sent again",
    { ...retry, stale: null },
    makeAcceptance(true),
  ],
  [
    "nothing takes the place of what expires in a moment",
    { ...retry, stale: null, now: now + 295_000, presented: buildPayment({ deadline: seconds + 600n }) },
    { kind: "later" },
  ],
  [
    "what was broadcast keeps the terms that it was signed for",
    { ...retry, stale: null, due: { ...quiet.due, payTo: other } },
    makeAcceptance(true),
  ],
  [
    "a ticket that nobody has shown is no ticket",
    { isRetry: true, last: withoutTicket },
    refused(`${invalid}nonce_already_used`),
  ],
])("%s", (_, changes, verdict) => {
  expect(judge({ ...quiet, ...changes })).toMatchObject(verdict);
});
