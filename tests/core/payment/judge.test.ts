import { expect, test } from "vitest";
import { toAddress } from "../../../core/chain/hex.ts";
import { type Judgement, judge, type PayFacts } from "../../../core/payment/judge.ts";
import { type Authorization, makeSignedItem, type Settlement } from "../../../core/record/payment.ts";
import { makeLegFields } from "../../support/leg.ts";

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

function buildPayment(): PayFacts["presented"] {
  const authorization = makeAuth();
  const accepted = {
    scheme: "exact",
    network: "eip155:4663",
    amount: String(authorization.amount),
    asset: authorization.token,
    payTo: authorization.to,
    extra: undefined,
  };
  return { accepted, authorization, digest: "0x", signature: "0x", identifier: undefined, ticket: undefined };
}

/** Makes the record that an earlier signed payment has left for the leg. */
function makeRecord(state: "failed" | "broadcast", changes: Partial<Authorization> = {}): Settlement {
  const authorization = makeAuth(changes);
  return {
    ...makeLegFields(authorization.from, 1),
    leg: "publisher",
    state: "failed",
    failure: "released",
    signed: makeSignedItem(authorization, "0x", 1),
    ticket: "0xabc",
    ...(state === "broadcast" && { txHash: "0x1" }),
  };
}

const permit = { ...buildPayment(), authorization: makeAuth({ method: "permit2" }) };
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
const spent = makeFacts({ nonceSpent: true });
const bound = { wallet, method: "eip3009", nonce: "7", pressId: 1, leg: "publisher" } as const;

const makeQuestion = (about: "bound" | "transfers"): Judgement => ({ kind: "asks", about });
const makeRefusal = (code: string) => ({ kind: "refused", reason: { code } });
const invalid = "invalid_exact_evm_";

test.each<readonly [string, Partial<PayFacts>, object]>([
  [
    "a wallet's code that does not stand by the signature is heard",
    makeFacts({ code: "0x60" }),
    makeRefusal(`${invalid}signature`),
  ],
  [
    "one nonce that says two things is refused before anything is asked",
    { last: makeRecord("failed", { amount: 1n }), ...spent },
    makeRefusal(`${invalid}nonce_already_used`),
  ],
  ["of a spent nonce it is asked what it was presented for", spent, makeQuestion("bound")],
  [
    "a nonce that was presented for another press is refused",
    { ...spent, bound: { ...bound, pressId: 2 } },
    makeRefusal(`${invalid}nonce_already_used`),
  ],
  [
    "a nonce that was presented for the other leg is refused",
    { ...spent, bound: { ...bound, leg: "fee" } },
    makeRefusal(`${invalid}nonce_already_used`),
  ],
  [
    "of a nonce that is this leg's it is asked what has spent it",
    { ...spent, bound },
    makeQuestion("transfers"),
  ],
  [
    "what was spent otherwise is refused",
    { ...spent, bound: null, transfers: [] },
    makeRefusal(`${invalid}nonce_already_used`),
  ],
  [
    "a ticket that nobody has shown is no ticket",
    { isRetry: true, last: withoutTicket },
    makeRefusal(`${invalid}nonce_already_used`),
  ],
  [
    "the fault of an older payment by the other method does not refuse the presented payment",
    {
      isRetry: true,
      stale: null,
      payment: permit,
      ...makeFacts({ funds: { balance: 225_000n, allowance: 0n } }),
    },
    { kind: "later" },
  ],
  [
    "a wallet without money is refused, whichever payment is checked",
    { isRetry: true, stale: null, payment: permit, ...makeFacts({ funds: { balance: 0n, allowance: 0n } }) },
    makeRefusal("permit2_insufficient_balance"),
  ],
  [
    "an older payment is not charged in place of a payment of another amount",
    {
      isRetry: true,
      stale: null,
      payment: { ...permit, authorization: makeAuth({ nonce: 8n, amount: 1n }) },
    },
    { kind: "later" },
  ],
])("%s", (_, changes, verdict) => {
  expect(judge({ ...quiet, ...changes })).toMatchObject(verdict);
});
