import type { JobId } from "./jobs.ts";
import type { RouteId } from "./routes.ts";

/** Requests a second on average, and in a burst. */
type Throttle = { readonly rate: number; readonly burst: number };

export type RuntimeLimits = {
  /** Requests a second, and how many may come at once, to each route. */
  readonly gateway: Throttle;
  /** The same for single routes: an open or slow one must not take what payments need. */
  readonly routes: { readonly [id in RouteId]?: Throttle };
  /**
   * Runs at once of single functions. A function has these to itself and never more, so that payments keep their place
   * and open endpoints are capped. AWS leaves at least `leastUnreserved` of the account's quota to all other functions.
   */
  readonly reserved: { readonly [id in RouteId | JobId]?: number };
};

/** What AWS keeps of an account's quota of runs for functions without a reservation. */
export const leastUnreserved = 100;

const personal: RuntimeLimits = {
  gateway: { rate: 50, burst: 100 },
  routes: {
    rpc: { rate: 20, burst: 40 },
    receipts: { rate: 10, burst: 20 },
    "press-keep": { rate: 10, burst: 20 },
    mcp: { rate: 10, burst: 20 },
    move: { rate: 4, burst: 8 },
    "press-audit": { rate: 2, burst: 4 },
    "draft-angles": { rate: 4, burst: 8 },
    "draft-generate": { rate: 2, burst: 4 },
  },
  reserved: {},
};

const staging: RuntimeLimits = {
  gateway: { rate: 200, burst: 400 },
  routes: {
    rpc: { rate: 60, burst: 120 },
    receipts: { rate: 30, burst: 60 },
    "press-keep": { rate: 20, burst: 40 },
    mcp: { rate: 30, burst: 60 },
    move: { rate: 10, burst: 20 },
    "press-audit": { rate: 5, burst: 10 },
    "draft-angles": { rate: 10, burst: 20 },
    "draft-generate": { rate: 5, burst: 10 },
  },
  reserved: {
    "pay-treasury": 60,
    "pay-publisher": 60,
    "payment-reconcile": 2,
    "payment-watch": 2,
    repair: 1,
    "relayer-sweep": 1,
    "mint-confirm": 5,
    "verdict-post": 2,
    rpc: 40,
    // Each signs one receipt at a time: together they leave most of KMS's quota of signatures to payments.
    receipts: 3,
    mcp: 40,
    move: 5,
    "press-audit": 20,
    "audit-facts": 20,
    "audit-rules": 20,
    "audit-review": 20,
    "audit-store": 20,
    "draft-angles": 20,
    "draft-generate": 20,
  },
};

const prod: RuntimeLimits = {
  gateway: { rate: 2_000, burst: 4_000 },
  routes: {
    rpc: { rate: 300, burst: 600 },
    receipts: { rate: 100, burst: 200 },
    "press-keep": { rate: 50, burst: 100 },
    mcp: { rate: 100, burst: 200 },
    move: { rate: 20, burst: 40 },
    "press-audit": { rate: 10, burst: 20 },
    "draft-angles": { rate: 20, burst: 40 },
    "draft-generate": { rate: 10, burst: 20 },
  },
  reserved: { ...staging.reserved, "pay-treasury": 150, "pay-publisher": 150, rpc: 100 },
};

/** What the gateway and Lambda take of requests and runs, by the kind of stage: AWS and the local runtime apply the same. */
export const runtimeLimits = { personal, staging, prod } as const;

/** Runs of functions at once that the account has to allow (Service Quotas), over all of its stages. */
export const concurrencyQuota = { personal: 100, staging: 1_000, prod: 1_000 } as const;
