import type { PayAnswer } from "../../../web/src/payment/answer.ts";
import { applyEvent } from "../../../web/src/payment/machine.ts";
import type { PurchaseRecord, SignedRecord, Terms } from "../../../web/src/payment/purchase.ts";
import {
  makeInitialState,
  type PayEvent,
  type PayMode,
  type PayState,
} from "../../../web/src/payment/state.ts";

export const purchase = {
  pressId: 0,
  slug: "a-press",
  headline: "A press",
  stock: "AAPL",
  priceUnits: "500000",
} as const;

export const wallet = "0x14dC79964da2C08b23698B3D3cc7Ca32193d9955";
export const otherWallet = "0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f";
export const payee = "0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65";
export const makeTxHash = (digit: string) => `0x${digit.repeat(64)}` as const;
export const at = "2026-11-20T12:00:00.000Z";
export const plenty = {
  usdg: 10_000_000n,
  allowance: 0n,
  gas: 0n,
  approvalCost: 1_000n,
  isContract: false,
  onChain: true,
};
/** The time at which the terms were offered, and the time at which a signature's validity ends, in seconds since the epoch. */
export const offeredAt = 1_790_000_000;
const until = offeredAt + 300;

const extras = {
  permit2: {
    assetTransferMethod: "permit2",
    spender: "0x402085c248EeA27D92E8b30b2C58ed07f9E20001",
    name: "USDG",
  },
  eip3009: { assetTransferMethod: "eip3009", name: "Global Dollar", version: "1" },
} as const;

/** Makes payment terms in the form in which the service offers terms. */
export function makeTerms(amount: string, method: "eip3009" | "permit2" = "eip3009"): Terms {
  return {
    accepted: {
      scheme: "exact",
      network: "eip155:4663",
      amount,
      asset: "0x5fc5360D0400a0Fd4f2af552ADD042D716F1d168",
      payTo: payee,
      maxTimeoutSeconds: 300,
      extra: extras[method],
    },
    resource: { url: "http://localhost:3000/api/pay/treasury" },
    offeredAt,
  };
}

export function signLeg(amount: string, header = "header"): SignedRecord {
  return { state: "signed", header, amount, payTo: payee, until };
}

/**
 * The state of a signed leg while nobody can charge this leg yet. For example, the service has answered that the fee must be paid before
 * the publisher leg.
 */
export function makeReadyState(amount: string, header = "header") {
  return { ...signLeg(amount, header), state: "ready" } as const;
}

export const makePaidLeg = (digit: string, amount: string) =>
  ({ state: "paid", tx: makeTxHash(digit), amount, payTo: payee, at }) as const;

export function makePurchaseRecord(changes: Partial<PurchaseRecord> = {}): PurchaseRecord {
  const { pressId, slug, headline, priceUnits } = purchase;
  return { wallet, pressId, slug, headline, priceUnits, ...changes };
}

/** The payment's state after the given events, in order. */
export function advanceFromStart(...events: readonly PayEvent[]): PayState {
  return advanceAll(makeInitialState(purchase), ...events);
}

export function advanceAll(state: PayState, ...events: readonly PayEvent[]): PayState {
  return events.reduce(applyEvent, state);
}

export const makeAnsweredEvent = (answer: PayAnswer): PayEvent => ({ type: "answered", answer, at });
export const makeConnectedEvent = (record?: PurchaseRecord): PayEvent => ({
  type: "connected",
  wallet,
  record,
});

export const start = { type: "start", priceUnits: "500000" } as const;
export const started: readonly PayEvent[] = [start, { type: "entered", record: undefined }];
export const makePlannedEvent = (way: PayMode = { method: "eip3009" }): PayEvent => ({
  type: "planned",
  way,
});
export const makeSignedEvent = (amount: string, now = offeredAt): PayEvent => ({
  type: "signed",
  signed: signLeg(amount),
  now,
});

/** The payment's events from the start until the page shows its plan for the payment (phase `plan`). */
export const toPlan: readonly PayEvent[] = [
  ...started,
  makeConnectedEvent(),
  { type: "funds", funds: plenty },
];
/** The payment's events from the start until the wallet is asked to sign the publisher leg, which is signed before the fee. */
export const toSignature: readonly PayEvent[] = [
  ...toPlan,
  makePlannedEvent(),
  { type: "offered", terms: makeTerms("450000") },
];
/**
 * The payment's events from the start until the wallet is asked to sign the fee. Earlier, the service has answered that the fee must be
 * paid before the publisher leg.
 */
export const toFeeSignature: readonly PayEvent[] = [
  ...toSignature,
  makeSignedEvent("450000"),
  makeAnsweredEvent({ kind: "fee_first" }),
  { type: "offered", terms: makeTerms("50000") },
];
/** The payment's events from the start until the fee is sent. */
export const toSend: readonly PayEvent[] = [...toFeeSignature, makeSignedEvent("50000")];
/** The payment's events from the start until the fee is paid and the publisher leg is sent. */
export const toSecondSend: readonly PayEvent[] = [
  ...toSend,
  makeAnsweredEvent({ kind: "paid", tx: makeTxHash("1"), text: undefined }),
];
