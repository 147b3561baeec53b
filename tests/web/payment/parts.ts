import type { Answer } from "../../../web/src/payment/answer.ts";
import { advance } from "../../../web/src/payment/machine.ts";
import type { PurchaseRecord, Signed } from "../../../web/src/payment/record.ts";
import { type Event, initial, type State } from "../../../web/src/payment/state.ts";
import type { Terms } from "../../../web/src/payment/terms.ts";

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
export const tx = (digit: string) => `0x${digit.repeat(64)}` as const;
export const at = "2026-11-20T12:00:00.000Z";
export const plenty = { usdg: 10_000_000n, allowance: 10_000_000n, gas: 1n };

/** Terms as the service offers them. */
export function terms(amount: string): Terms {
  return {
    accepted: {
      scheme: "exact",
      network: "eip155:4663",
      amount,
      asset: "0x5fc5360D0400a0Fd4f2af552ADD042D716F1d168",
      payTo: payee,
      maxTimeoutSeconds: 300,
      extra: {
        assetTransferMethod: "permit2",
        spender: "0x402085c248EeA27D92E8b30b2C58ed07f9E20001",
        name: "USDG",
      },
    },
    resource: { url: "http://localhost:3000/api/pay/treasury" },
    offeredAt: 1_790_000_000,
  };
}

export function signed(amount: string, header = "header"): Signed {
  return { state: "signed", header, amount, payTo: payee };
}

export function record(changes: Partial<PurchaseRecord> = {}): PurchaseRecord {
  const { pressId, slug, headline, priceUnits } = purchase;
  return { wallet, pressId, slug, headline, priceUnits, ...changes };
}

/** The state after events in their order. */
export function after(...events: readonly Event[]): State {
  return from(initial(purchase), ...events);
}

export function from(state: State, ...events: readonly Event[]): State {
  return events.reduce(advance, state);
}

export const answered = (answer: Answer): Event => ({ type: "answered", answer, at });
export const connected = (record?: PurchaseRecord): Event => ({ type: "connected", wallet, record });

export const started: readonly Event[] = [{ type: "start" }, { type: "entered", record: undefined }];
/** From nothing to the fee's signature. */
export const toSignature: readonly Event[] = [
  ...started,
  connected(),
  { type: "on_chain" },
  { type: "funds", funds: plenty },
  { type: "offered", terms: terms("50000") },
];
/** … to the fee being sent. */
export const toSend: readonly Event[] = [...toSignature, { type: "signed", signed: signed("50000") }];
/** … to the fee being paid, and the publisher's part being sent. */
export const toSecondSend: readonly Event[] = [
  ...toSend,
  answered({ kind: "paid", tx: tx("1"), text: undefined }),
  { type: "offered", terms: terms("450000") },
  { type: "signed", signed: signed("450000") },
];
